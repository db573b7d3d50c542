package import Catalog
package import MarvelDomain

/// What a mirror is asked for.
package struct MirrorOrder: Sendable, Hashable {
    /// The gateway's address, without keys.
    package var gateway: String
    /// Where the catalog file goes.
    package var file: String
    /// Copy everything, and drop what the gateway no longer has, also if the file could be brought up to date.
    package var isFull = false
    /// Put a copy in place also if the gateway claims to have more than it sent.
    package var acceptsFewer = false
    /// Throw away what is left of a mirror that was stopped.
    package var restarts = false
    /// Wait when no more calls may be made, until more may be.
    package var waits = true
    /// The pictures that are copied too.
    package var variants: [ImageVariant] = []

    package init(gateway: String, file: String) {
        self.gateway = gateway
        self.file = file
    }
}

/// Why there is no mirror. For the operator: the message says what to do.
package struct MirrorError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Code: Sendable, Hashable {
        /// The files that are there are something else than what is asked for.
        case refused
        /// No more calls may be made for now.
        case budgetSpent
        /// The gateway does not take the keys.
        case credentials
        /// The gateway gives no answer.
        case gateway
        /// The gateway did not send what it claims to have, or nothing at all; an older file is as it was.
        case incomplete
        /// Somebody stopped it.
        case stopped
    }

    package let code: Code
    package let message: String
    /// Before that, another try is for nothing; nil: nobody knows.
    package let retryAt: Moment?

    package init(_ code: Code, _ message: String, retryAt: Moment? = nil) {
        self.code = code
        self.message = message
        self.retryAt = retryAt
    }

    package var description: String { message }
}
