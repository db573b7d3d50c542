package import MarvelDomain
package import Upstream

/// The operator's settings of a mirror.
package struct MirrorOrder: Sendable, Hashable {
    /// The gateway's address, without keys.
    package var gateway: String
    /// The path of the catalog file.
    package var file: String
    /// Whether everything is copied, and characters that the gateway no longer has are dropped, even if the file could
    /// be updated.
    package var isFull = false
    /// Whether a copy is finished even if the gateway claims to have more characters than it sent.
    package var acceptsFewer = false
    /// Whether the unfinished copy of an earlier mirror is discarded.
    package var restarts = false
    /// Whether the mirror waits when the budget of calls is spent.
    package var waits = true
    /// The variants in which pictures are copied too.
    package var variants: [ImageVariant] = []

    package init(gateway: String, file: String) {
        self.gateway = gateway
        self.file = file
    }
}

/// The reason why a mirror failed. The message is for the operator, and says what to do.
package struct MirrorError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Code: Sendable, Hashable {
        /// The existing files do not fit the settings.
        case refused
        /// The budget of calls is spent.
        case budgetSpent
        /// The gateway refused the keys.
        case credentials
        /// The gateway does not answer.
        case gateway
        /// The gateway sent fewer characters than it claims to have, or none. An older file has not changed.
        case incomplete
        /// The mirror was stopped by a signal or a cancellation.
        case stopped
    }

    package let code: Code
    package let message: String
    /// The time before which another run would fail again; nil if it is unknown.
    package let retryAt: Moment?

    package init(_ code: Code, _ message: String, retryAt: Moment? = nil) {
        self.code = code
        self.message = message
        self.retryAt = retryAt
    }

    package var description: String { message }
}
