internal import MarvelDomain
internal import Synchronization

/// The state of a store's connections, for its health and its operator's log. A fault is reported when it begins and
/// when it ends, not at each attempt between.
final class StoreStatus: Sendable {
    /// A part of the store that has a connection of its own.
    enum Part: String, Sendable, CaseIterable {
        case writer
        case reader
        case feed
        /// It does the work that may wait.
        case background
    }

    private struct State {
        var refusal: String?
        /// Nil before the first connection.
        var isSynchronous: Bool?
        var down: [Part: String] = [:]
        var reconnectCounts: [Part: Int] = [:]
        var lastPoll: ContinuousClock.Instant
        var damagedLists: Set<ListName> = []
        var damagedEdits: Set<DamagedEdit> = []
    }

    private let state: Mutex<State>
    private let onWarning: @Sendable (String) -> Void
    private let onError: @Sendable (String) -> Void
    private let onRefusal: @Sendable (String) -> Void

    init(
        onWarning: @escaping @Sendable (String) -> Void,
        onError: @escaping @Sendable (String) -> Void,
        onRefusal: @escaping @Sendable (String) -> Void
    ) {
        state = Mutex(State(lastPoll: .now))
        self.onWarning = onWarning
        self.onError = onError
        self.onRefusal = onRefusal
    }

    /// The reason that nothing is written until the store is opened again; nil while changes are accepted.
    var refusal: String? { state.withLock(\.refusal) }

    /// The reason that a part has no connection, of the first part that has none; nil if all are connected but the one whose
    /// work may wait.
    var unavailability: String? {
        state.withLock { state in [Part.writer, .reader, .feed].compactMap { state.down[$0] }.first }
    }

    /// The states of the connections.
    var connections: [StoreFigures.Connection] {
        state.withLock { state in
            Part.allCases.map { part in
                StoreFigures.Connection(
                    part: part.rawValue,
                    isConnected: state.down[part] == nil,
                    reconnectCount: state.reconnectCounts[part] ?? 0
                )
            }
        }
    }

    /// The time since the feed last asked the database for changes, and got them.
    var feedAge: Duration { state.withLock(\.lastPoll).duration(to: .now) }

    /// Notes that all changes before a moment were published.
    func polled(at moment: ContinuousClock.Instant) { state.withLock { $0.lastPoll = moment } }

    func connected(_ part: Part) {
        let wasDown = state.withLock { state in
            guard state.down.removeValue(forKey: part) != nil else { return false }
            state.reconnectCounts[part, default: 0] += 1
            return true
        }
        if wasDown { onError("the \(part.rawValue) reconnected to the database") }
    }

    func failed(_ part: Part, _ fault: DatabaseFault) {
        let isNew = state.withLock { $0.down.updateValue(fault.publicText, forKey: part) == nil }
        if isNew { onError("the \(part.rawValue) has no connection to the database: \(fault)") }
        if fault.consequence == .endWriting { endWriting(fault) }
    }

    /// Whether a commit waits for a standby, as was last noted; nil before the first connection.
    var isSynchronous: Bool? { state.withLock(\.isSynchronous) }

    /// Notes whether a commit waits for a standby. It is reported when it changes, and at first if none waits.
    func noted(isSynchronous: Bool) {
        let before = state.withLock { state in
            defer { state.isSynchronous = isSynchronous }
            return state.isSynchronous
        }
        guard isSynchronous != before else { return }
        if !isSynchronous {
            onWarning("commits do not wait for a standby: a failover may lose acknowledged changes")
        } else if before != nil {
            onWarning("commits now wait for a standby")
        }
    }

    /// Reports that changes which were answered are lost, and a new history has begun.
    func renewed(_ history: HistoryID) {
        onError(
            "the database may have lost acknowledged changes: the store continues in history \(history)"
        )
    }

    /// The number of lists that were found damaged since the store was opened. They are refused.
    var damagedListCount: Int { state.withLock(\.damagedLists.count) }

    /// Returns whether a list was found damaged since the store was opened.
    func isDamaged(_ list: ListName) -> Bool { state.withLock { $0.damagedLists.contains(list) } }

    /// Reports a fault that does not end a connection. A damaged list is reported once.
    func report(_ what: String, _ fault: DatabaseFault) {
        if case .damaged(let list) = fault.kind {
            guard state.withLock({ $0.damagedLists.insert(list).inserted }) else { return }
            return onError("\(fault); the list is refused")
        }
        onError("\(what) failed: \(fault)")
        if fault.consequence == .endWriting { endWriting(fault) }
    }

    /// Reports a damaged edit, once.
    func report(_ damage: DamagedEdit) {
        if state.withLock({ $0.damagedEdits.insert(damage).inserted }) { onError("\(damage); it is refused") }
    }

    private func endWriting(_ fault: DatabaseFault) {
        let isFirst = state.withLock { state in
            defer { state.refusal = state.refusal ?? fault.publicText }
            return state.refusal == nil
        }
        if isFirst { onRefusal(fault.publicText) }
    }
}
