internal import Events
internal import MarvelDomain
internal import StoreContract

/// A database that all servers of a simulation share. It keeps lists by the rules that every store keeps, and the log of
/// all changes in the order of their commits.
///
/// Its standby may take over without the last commits. Then a new history begins, and what was lost stays in the log of
/// the one before: servers and clients may have seen it.
///
/// `@unchecked Sendable`: a simulation has one thread.
final class SimulatedDatabase: @unchecked Sendable {
    /// A history, and what happened in it.
    struct Era {
        let history: HistoryID
        /// The lists at its beginning.
        let bases: [ListName: FavoritesList]
        /// All changes of all lists, in the order of their commits.
        var log: [ListChange] = []
        /// The moment from which the next history goes on; nil if there is none.
        var end: Moment?

        /// All changes of a list, oldest first.
        func changes(of list: ListName) -> [FavoritesChange] { log.compactMap { $0.list == list ? $0.change : nil } }

        /// The last revision of a list that the next history knows; nil if all are known.
        func keptRevision(of list: ListName) -> Int64? {
            end.map { revision(of: list, after: $0.logCount) }
        }

        /// The revision of a list after some of the changes.
        func revision(of list: ListName, after count: Int) -> Int64 {
            log[..<count].last { $0.list == list }?.revision ?? bases[list]?.revision ?? 0
        }
    }

    /// A moment to which a standby may take the database back.
    struct Moment {
        let checkpoint: MemoryFavoritesStore.Checkpoint
        let logCount: Int
    }

    /// The maximum number of commits that a standby lacks.
    private static let maximumLoss = 6

    private let memory: MemoryFavoritesStore
    private let scheduler: SeededScheduler
    private let fault: PlantedFault?
    private let lists: [ListName]
    private var replicas: [ReplicaStore] = []
    private(set) var eras: [Era] = []
    /// The last commits, oldest first.
    private var moments: [Moment] = []
    /// Whether servers reach it.
    var isReachable = true
    private var subscription: Subscription?

    init(of lists: [ListName], on scheduler: SeededScheduler, capacity: Int, fault: PlantedFault?) {
        self.lists = lists
        self.scheduler = scheduler
        self.fault = fault
        memory = MemoryFavoritesStore(capacity: capacity, history: HistoryID(616))
        beginEra()
        subscription = memory.feed.subscribe { [unowned self] event in
            guard case .changed(let changes) = event.value else { return }
            scheduler.tell("committed: \(changes.map { "\($0.list.text) \($0.revision)" })")
            eras[eras.count - 1].log += changes
        }
    }

    var history: HistoryID { memory.history }

    /// All changes of all lists in this history, in the order of their commits.
    var log: [ListChange] { eras[eras.count - 1].log }

    /// The revision of a list in this history after some of the changes in the log.
    func revision(of list: ListName, after count: Int) -> Int64 {
        eras[eras.count - 1].revision(of: list, after: count)
    }

    private func beginEra() {
        let contents = lists.map { ($0, memory.contents(of: $0)) }
        eras.append(Era(history: history, bases: Dictionary(contents) { first, _ in first }))
        moments = [Moment(checkpoint: memory.checkpoint, logCount: 0)]
    }

    /// Has the standby take over, without some of the last commits.
    func failOver() {
        let moment = moments[scheduler.number(below: moments.count)]
        scheduler.tell("a standby takes over without \(log.count - moment.logCount) changes")
        eras[eras.count - 1].end = moment
        memory.goBack(to: moment.checkpoint, beginning: HistoryID(616 + Int64(eras.count)))
        beginEra()
        for replica in replicas { replica.changesWereMade() }
    }

    // MARK: Servers

    func attach(_ replica: ReplicaStore) { replicas.append(replica) }

    func detach(_ replica: ReplicaStore) { replicas.removeAll { $0 === replica } }

    // MARK: Transactions

    /// Carries out a toggle, and commits it.
    func toggle(_ toggle: Toggle, _ character: MarvelCharacter?) -> Result<ToggleOutcome, StoreError> {
        if fault == .skippedRevision, scheduler.happens(2) { memory.skipRevision(of: toggle.list) }
        if fault == .forgottenRequest, let request = toggle.request, scheduler.happens(20) { memory.forget(request) }
        let count = log.count
        let outcome = Result { () throws(StoreError) in try memory.answer(to: toggle, character) }
        committed(since: count)
        return outcome
    }

    /// Deletes a list, and commits it.
    func delete(_ list: ListName, _ request: RequestKey?) async throws(StoreError) -> ListDeletion {
        let count = log.count
        let deletion = try await memory.delete(list, request: request, deadline: nil)
        committed(since: count)
        return deletion
    }

    private func committed(since count: Int) {
        moments.append(Moment(checkpoint: memory.checkpoint, logCount: log.count))
        moments = moments.suffix(Self.maximumLoss)
        if log.count > count { for replica in replicas { replica.changesWereMade() } }
    }

    // MARK: Reading

    func snapshot(of list: ListName) async throws(StoreError) -> ListSnapshot { try await memory.snapshot(of: list) }

    func changes(of list: ListName, after revision: Int64, limit: Int) async throws(StoreError) -> ChangeHistory {
        try await memory.changes(of: list, after: revision, limit: limit)
    }

    func lists(prefix: String, after: ListName?, limit: Int) async throws(StoreError) -> [ListSummary] {
        try await memory.lists(prefix: prefix, after: after, limit: limit)
    }
}
