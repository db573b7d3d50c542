internal import Synchronization

/// An identifier of a caller that shares the server with others. Fair queues and shares of a budget are keyed by it.
///
/// All connections of one name are one caller, and so are those of one address that proved none. On the server's own machine
/// each connection is a caller of its own. The server's own work, which no caller asked for, has an identifier too.
package struct CallerID: Sendable, Hashable {
    /// A kind of caller, by which its limits are chosen.
    package enum Kind: Sendable, Hashable {
        /// The server itself.
        case server
        /// A connection from the server's own machine, which proved no name.
        case local
        /// A caller that proved its name.
        case named
        /// An address whose callers proved no name.
        case anonymous
    }

    private static let lastNumber = Atomic<UInt64>(0)

    /// The server's own work.
    package static let server = CallerID(kind: .server, number: 0)

    /// The caller that the current task works for, so that a queue below the handler knows whose turn it gives. Set by
    /// the runner of the call's work.
    @TaskLocal package static var current = CallerID.server

    package let kind: Kind
    private let number: UInt64

    private init(kind: Kind, number: UInt64) {
        self.kind = kind
        self.number = number
    }

    /// Makes an identifier that no other caller of this process has.
    package static func next(_ kind: Kind = .local) -> CallerID {
        CallerID(kind: kind, number: lastNumber.add(1, ordering: .relaxed).newValue)
    }
}
