internal import FavoritesEngine
internal import MarvelDomain
internal import RPCCore

/// The store of one server: the engine of every store, over a database that other servers share.
///
/// Each step of the engine takes a time. Now and then the outcome of a commit is lost; changes of other servers come late, or
/// twice; or the feed skips changes, and says so. When the database continues in another history, a server notices with its next
/// poll or question.
///
/// `@unchecked Sendable`: a simulation has one thread.
final class ReplicaStore: FavoritesStore, @unchecked Sendable {
    let feed = Subject<StoreEvent>()
    private let number: Int
    private let database: SimulatedDatabase
    private let scheduler: SeededScheduler
    private let fault: PlantedFault?
    private var engine: FavoritesEngine
    private var waiting: [FavoritesRequest] = []
    private var isWorking = false
    /// The changes of the database's log up to which the feed has got them, and from which on.
    private var sentCount: Int
    private var firstCount: Int
    private var isPollDue = false
    private var isClosed = false

    init(_ number: Int, _ database: SimulatedDatabase, on scheduler: SeededScheduler, fault: PlantedFault?) {
        self.number = number
        self.database = database
        self.scheduler = scheduler
        self.fault = fault
        engine = database.engine()
        sentCount = database.log.count
        firstCount = sentCount
        database.attach(self)
    }

    var history: HistoryID { engine.history }

    func sentRevision(of list: ListName) -> Int64? { engine.publishedRevision(of: list) }

    /// Ends the store as a crash does: nothing more is committed, and the answers reach nobody.
    func crash() {
        isClosed = true
        database.detach(self)
        engine.begin(waiting, at: scheduler.runtime.instant())
        waiting = []
        while engine.hasWork || engine.isCommitting {
            engine.failed(.refused(.cancelled), at: scheduler.runtime.instant())
        }
        tell()
    }

    /// Sends what the engine has to tell.
    private func tell() {
        let effects = engine.takeEffects()
        for event in effects.events {
            if case .renewed = event, fault == .untoldHistory { continue }
            if fault == .lostWakeUp, scheduler.happens(10) { continue }
            feed.send(event)
        }
        effects.answer()
    }

    // MARK: The feed

    /// Notes that the database has changes that this feed has not got.
    func changesWereMade() {
        guard !isPollDue else { return }
        isPollDue = true
        scheduler.after(scheduler.time(100...100_000)) { [self] in
            isPollDue = false
            poll()
        }
    }

    /// Sends some changes of other servers, and the rest a little later.
    private func poll() {
        guard !isClosed else { return }
        if database.isReachable {
            follow()
            hearSome()
        }
        if sentCount < database.log.count || history != database.history { changesWereMade() }
    }

    /// Continues in the history of the database. Of the one that has ended it may have heard the rest, also what is lost.
    private func follow() {
        guard history != database.history else { return }
        if scheduler.happens(50), let ended = database.eras.last(where: { $0.history == history }) {
            engine.received(Array(ended.log[sentCount...]))
        }
        (sentCount, firstCount) = (0, 0)
        engine.renewed(database.history, base: database.base)
        scheduler.tell("server \(number) continues in history \(history)")
        tell()
    }

    private func hearSome() {
        // Some come again.
        if scheduler.happens(5) { sentCount -= min(sentCount - firstCount, 3) }
        let count = min(database.log.count - sentCount, 1 + scheduler.number(below: 4))
        guard count > 0 else { return }
        let changes = Array(database.log[sentCount..<sentCount + count])
        scheduler.tell("server \(number) hears of \(changes.map { "\($0.list.text) \($0.revision)" })")
        sentCount += count
        engine.received(changes)
        tell()
    }

    /// Loses the connection on which changes arrive, and with it the changes that were on their way.
    func loseFeed() {
        guard !isClosed else { return }
        follow()
        sentCount = database.log.count
        engine.lost()
        tell()
    }

    // MARK: Changes

    func toggle(
        _ toggle: Toggle,
        character: MarvelCharacter?,
        deadline: ContinuousClock.Instant?,
        answer: @escaping @Sendable (Result<ToggleOutcome, StoreError>) -> Void
    ) -> @Sendable () -> Void {
        let caller = WaitingCaller(arrival: scheduler.runtime.instant(), deadline: deadline)
        let request = FavoritesRequest(.toggle(toggle, character), key: toggle.request, caller) {
            answer($0.flatMap(\.toggle))
        }
        add(request)
        return { request.cancel() }
    }

    func delete(
        _ list: ListName,
        request: RequestKey?,
        deadline: ContinuousClock.Instant?,
        answer: @escaping @Sendable (Result<ListDeletion, StoreError>) -> Void
    ) -> @Sendable () -> Void {
        let caller = WaitingCaller(arrival: scheduler.runtime.instant(), deadline: deadline)
        let request = FavoritesRequest(.deletion(list), key: request, caller) { answer($0.flatMap(\.deletion)) }
        add(request)
        return { request.cancel() }
    }

    private func add(_ request: FavoritesRequest) {
        waiting.append(request)
        guard !isWorking else { return }
        isWorking = true
        later(100...4_000) { $0.work() }
    }

    /// Continues after a time, unless the server has ended.
    private func later(_ time: ClosedRange<Int>, _ body: @escaping (ReplicaStore) -> Void) {
        scheduler.after(scheduler.time(time)) { [self] in
            if !isClosed { body(self) }
        }
    }

    /// Begins the next step of the engine.
    private func work() {
        if !engine.hasWork {
            engine.begin(waiting, at: scheduler.runtime.instant())
            waiting = []
        }
        let step = engine.next(at: Timestamp(seconds: 1_700_000_000))
        tell()
        switch step {
        case .idle: isWorking = false
        case .read(let wanted): later(10...1_000) { $0.read(wanted) }
        case .commit(let group): later(10...2_000) { $0.commit(group) }
        }
        guard !isWorking, !waiting.isEmpty else { return }
        isWorking = true
        later(100...4_000) { $0.work() }
    }

    private func failed(_ failure: FavoritesEngine.Failure) {
        engine.failed(failure, at: scheduler.runtime.instant())
        later(1_000...50_000) { $0.work() }
    }

    private func read(_ wanted: WantedLists) {
        guard database.isReachable else { return failed(.unreachable("the database cannot be reached")) }
        let reading = database.read(wanted)
        later(10...1_000) { store in
            if reading.history != store.history { store.follow() }
            store.engine.read(reading)
            store.work()
        }
    }

    private func commit(_ group: ChangeGroup) {
        guard database.isReachable else { return failed(.unreachable("the database cannot be reached")) }
        guard group.history == database.history else {
            follow()
            return failed(.otherHistory)
        }
        if fault == .answerBeforeCommit, scheduler.happens(30) { return answerBeforeCommit(group) }
        let outcome = database.commit(group)
        // The outcome is lost: the requests are decided again.
        guard !scheduler.happens(10) else {
            if fault == .freshRequest { database.forgetAnswers(to: group) }
            return failed(.inDoubt("the connection to the database was lost"))
        }
        later(10...2_000) { store in
            store.engine.committed(outcome, at: store.scheduler.runtime.instant())
            store.work()
        }
    }

    /// Answers with what a commit will give if nothing comes between, and commits a little later.
    private func answerBeforeCommit(_ group: ChangeGroup) {
        engine.committed(database.predicted(group), at: scheduler.runtime.instant())
        tell()
        later(1_000...20_000) { store in
            _ = store.database.commit(group)
            store.work()
        }
    }

    // MARK: Reading

    func snapshot(of list: ListName) async throws(StoreError) -> ListSnapshot {
        try await read { ListSnapshot($0.contents(of: list), in: $0.history) }
    }

    func changes(of list: ListName, after revision: Int64, limit: Int) async throws(StoreError) -> ChangeHistory {
        try await read { $0.changes(of: list, after: revision, limit: limit) }
    }

    func lists(prefix: String, after: ListName?, limit: Int) async throws(StoreError) -> [ListSummary] {
        try await read { $0.lists(prefix: prefix, after: after, limit: limit) }
    }

    /// Reads at a moment between the question and the answer.
    private func read<Value>(_ body: (SimulatedDatabase) -> Value) async throws(StoreError) -> Value {
        await scheduler.sleep(scheduler.time(10...3_000))
        guard database.isReachable, !isClosed else { throw .notReadable("the database is not reachable") }
        follow()
        let value = body(database)
        await scheduler.sleep(scheduler.time(10...3_000))
        return value
    }
}
