internal import Synchronization

/// An identifier of a caller that shares the server with others. Fair queues and shares of a budget are keyed by it.
///
/// Each connection is a caller of its own. The server's own work, which no caller asked for, has an identifier too.
package struct CallerID: Sendable, Hashable {
    private static let lastNumber = Atomic<UInt64>(0)

    /// The server's own work.
    package static let server = CallerID(number: 0)

    /// The caller that the current task works for, so that a queue below the handler knows whose turn it gives. Set by
    /// the runner of the call's work.
    @TaskLocal package static var current = CallerID.server

    private let number: UInt64

    private init(number: UInt64) { self.number = number }

    /// Makes an identifier that no other caller of this process has.
    package static func next() -> CallerID {
        CallerID(number: lastNumber.add(1, ordering: .relaxed).newValue)
    }
}

/// The identity in whose name a call is made.
package enum Principal: Sendable, Hashable {
    /// A caller that has proved nothing. So far every caller is one.
    case anonymous
}
