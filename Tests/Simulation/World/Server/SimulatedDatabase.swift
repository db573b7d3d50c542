internal import Events
internal import MarvelDomain
internal import StoreContract

/// A database that all servers of a simulation share. It keeps lists by the rules that every store keeps, and the log of
/// all changes in the order of their commits.
///
/// `@unchecked Sendable`: a simulation has one thread.
final class SimulatedDatabase: @unchecked Sendable {
    private let memory: MemoryFavoritesStore
    private let scheduler: SeededScheduler
    private let fault: PlantedFault?
    private var replicas: [ReplicaStore] = []
    /// All changes of all lists, in the order of their commits.
    private(set) var log: [ListChange] = []
    /// Whether servers reach it.
    var isReachable = true
    private var subscription: Subscription?

    init(on scheduler: SeededScheduler, capacity: Int, fault: PlantedFault?) {
        self.scheduler = scheduler
        self.fault = fault
        memory = MemoryFavoritesStore(capacity: capacity, history: HistoryID(616))
        subscription = memory.feed.subscribe { [unowned self] event in
            guard case .changed(let changes) = event.value else { return }
            scheduler.tell("committed: \(changes.map { "\($0.list.text) \($0.revision)" })")
            log += changes
        }
    }

    var history: HistoryID { memory.history }

    /// All changes of a list, oldest first.
    func changes(of list: ListName) -> [FavoritesChange] {
        log.compactMap { $0.list == list ? $0.change : nil }
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
        if log.count > count { for replica in replicas { replica.changesWereMade() } }
        return outcome
    }

    /// Deletes a list, and commits it.
    func delete(_ list: ListName, _ request: RequestKey?) async throws(StoreError) -> ListDeletion {
        let count = log.count
        let deletion = try await memory.delete(list, request: request, deadline: nil)
        if log.count > count { for replica in replicas { replica.changesWereMade() } }
        return deletion
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
