internal import MarvelDomain
internal import Synchronization

/// The state of a store's connections, for its health and its operator's log. A fault is reported when it begins and when it ends.
final class StoreStatus: Sendable {
    /// A part of the store that has a connection of its own.
    enum Part: String, Sendable, CaseIterable {
        case writer
        case reader
        case feed
        case background
    }

    private struct State {
        var refusal: String?
        var writeFailure: String?
        var isSynchronous: Bool?
        var isAlone = false
        var down: [Part: String] = [:]
        var reconnectCounts: [Part: Int] = [:]
        var lastPoll: ContinuousClock.Instant
        var damagedLists: Set<ListName> = []
        var damagedEdits: Set<DamagedEdit> = []
    }

    private let state: Mutex<State>
    /// Whether the state has a refusal. Each change asks, on any thread, and takes no lock for it.
    private let isRefusing = Atomic(false)
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

    /// The reason that nothing is written until the store is opened again.
    var refusal: String? { isRefusing.load(ordering: .acquiring) ? state.withLock(\.refusal) : nil }

    /// The reason that the database refused the last group of changes; nil after one that was committed.
    var writeFailure: String? { state.withLock(\.writeFailure) }

    func wrote() { state.withLock { $0.writeFailure = nil } }

    /// Reports a group of changes that the database refused, for example because its disk is full.
    func refusedWrite(_ fault: DatabaseFault) {
        state.withLock { $0.writeFailure = fault.publicText }
        report("a group of changes", fault)
    }

    /// The reason that a part has no connection; nil if all but `background` are connected.
    var unavailability: String? {
        state.withLock { state in [Part.writer, .reader, .feed].compactMap { state.down[$0] }.first }
    }

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

    /// The time since the feed last got the changes of the database.
    var feedAge: Duration { state.withLock(\.lastPoll).duration(to: .now) }

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
        let isNew = state.withLock { state in
            if part == .feed { state.isAlone = false }
            return state.down.updateValue(fault.publicText, forKey: part) == nil
        }
        if isNew { onError("the \(part.rawValue) has no connection to the database: \(fault)") }
        if fault.consequence == .endWriting { endWriting(fault) }
    }

    /// Whether the feed is known to be the only one of the database.
    var isAlone: Bool { state.withLock(\.isAlone) }

    func noted(isAlone: Bool) { state.withLock { $0.isAlone = isAlone } }

    /// Whether commits wait for a standby; nil before the first connection.
    var isSynchronous: Bool? { state.withLock(\.isSynchronous) }

    /// Reports a change, and at first that commits do not wait for a standby.
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

    func renewed(_ history: HistoryID) {
        onError(
            "the database may have lost acknowledged changes: the store continues in history \(history)"
        )
    }

    var damagedLists: Set<ListName> { state.withLock(\.damagedLists) }

    /// Reports a fault that does not end a connection. A damaged list is reported once.
    func report(_ what: String, _ fault: DatabaseFault) {
        if case .damaged(let list) = fault.kind {
            guard state.withLock({ $0.damagedLists.insert(list).inserted }) else { return }
            return onError("\(fault); the list is refused")
        }
        onError("\(what) failed: \(fault)")
        if fault.consequence == .endWriting { endWriting(fault) }
    }

    func report(_ damage: DamagedEdit) {
        if state.withLock({ $0.damagedEdits.insert(damage).inserted }) { onError("\(damage); it is refused") }
    }

    private func endWriting(_ fault: DatabaseFault) {
        let isFirst = state.withLock { state in
            defer { state.refusal = state.refusal ?? fault.publicText }
            return state.refusal == nil
        }
        isRefusing.store(true, ordering: .releasing)
        if isFirst { onRefusal(fault.publicText) }
    }
}

/// The figures of a store's connections and commits, for its operator.
package struct StoreFigures: Sendable {
    /// The state of the connection of one part of the store.
    package struct Connection: Sendable, Hashable {
        /// The part: `writer`, `reader`, `feed` or `background`.
        package let part: String
        package let isConnected: Bool
        /// The number of times that it was connected again.
        package let reconnectCount: Int
    }

    package let connections: [Connection]
    /// The time since other servers' changes were last asked for.
    package let feedAge: Duration
    /// The number of groups that were sent again, because their connection was lost before their outcome was known.
    package let resentGroupCount: Int
    /// The number of groups that were sent again, because another transaction was in their way.
    package let conflictCount: Int
    /// The number of requests that wait for the writer.
    package let waitingCount: Int
    /// The age of the feed above which other servers' changes are late. A poll every 250 ms keeps it far below.
    package static let maximumFeedAge = Duration.seconds(5)

    /// Whether changes of other servers are late.
    package var isFeedLate: Bool { feedAge > Self.maximumFeedAge }

    /// Whether the part that writes changes is connected.
    package var hasWriter: Bool {
        connections.allSatisfy { $0.isConnected || $0.part != StoreStatus.Part.writer.rawValue }
    }
}

extension PostgresFavoritesStore {
    /// The figures of the store now.
    package var figures: StoreFigures {
        StoreFigures(
            connections: status.connections,
            feedAge: status.feedAge,
            resentGroupCount: writer.resentCount.load(ordering: .relaxed),
            conflictCount: writer.conflictCount.load(ordering: .relaxed),
            waitingCount: writer.waitingCount
        )
    }
}
