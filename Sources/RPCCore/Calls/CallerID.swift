internal import Synchronization

/// An identifier of a caller, the key of fair queues and shared budgets.
///
/// All connections of one name are one caller, and so are all unnamed ones of one address. On the server's own machine
/// each unnamed connection is a caller. The server's own work has an identifier too.
public struct CallerID: Sendable, Hashable {
    /// The kind of a caller determines its limits.
    package enum Kind: Sendable, Hashable {
        case server
        case local
        case named
        case anonymous
    }

    private static let lastNumber = Atomic<UInt64>(0)

    package static let server = CallerID(kind: .server, number: 0)

    /// The caller of the current task, for fair queues below the handler. The runner of the call's work sets it.
    @TaskLocal package static var current = CallerID.server

    package let kind: Kind
    private let number: UInt64

    private init(kind: Kind, number: UInt64) {
        self.kind = kind
        self.number = number
    }

    package static func next(_ kind: Kind = .local) -> CallerID {
        CallerID(kind: kind, number: lastNumber.add(1, ordering: .relaxed).newValue)
    }
}
