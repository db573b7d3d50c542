internal import FavoritesEngine
internal import MarvelDomain
internal import RPCCore

/// The store of one server: the driver and the engine of every store, over a database that other servers share.
///
/// Each part of a turn of the driver takes a time. Now and then the outcome of a commit is lost; changes of other servers come late, or
/// twice; or the feed skips changes, and says so. When the database continues in another history, a server notices with its next
/// poll or question.
///
/// `@unchecked Sendable`: a simulation has one thread.
final class ReplicaStore: DrivenStore, @unchecked Sendable {
    let feed = StoreFeed()
    private let number: Int
    private let database: SimulatedDatabase
    private let scheduler: SeededScheduler
    private let fault: PlantedFault?
    private let driver: FavoritesDriver
    private var engine: FavoritesEngine
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
        driver = FavoritesDriver(
            now: { Timestamp(seconds: 1_700_000_000) },
            instant: { [runtime = scheduler.runtime] in runtime.instant() }
        )
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
        driver.close(with: .cancelled)
        driver.refuseWaiting(before: nil, with: .cancelled)
        repeat { step { $0.failed(.refused(.cancelled), at: scheduler.runtime.instant()) } } while engine.hasWork
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
            step { $0.received(Array(ended.log[sentCount...])) }
        }
        (sentCount, firstCount) = (0, 0)
        scheduler.tell("server \(number) continues in history \(database.history)")
        step { $0.renewed(database.history, base: database.base) }
    }

    private func hearSome() {
        // Some come again.
        if scheduler.happens(5) { sentCount -= min(sentCount - firstCount, 3) }
        let count = min(database.log.count - sentCount, 1 + scheduler.number(below: 4))
        guard count > 0 else { return }
        let changes = Array(database.log[sentCount..<sentCount + count])
        scheduler.tell("server \(number) hears of \(changes.map { "\($0.list.text) \($0.revision)" })")
        sentCount += count
        step { $0.received(changes) }
    }

    /// Loses the connection on which changes arrive, and with it the changes that were on their way.
    func loseFeed() {
        guard !isClosed else { return }
        follow()
        sentCount = database.log.count
        step { $0.lost() }
    }

    // MARK: Changes

    func add(
        _ kind: FavoritesRequest.Kind,
        key: RequestKey?,
        _ deadline: ContinuousClock.Instant?,
        reply: FavoritesRequest.Reply
    ) -> @Sendable () -> Void {
        driver.add(kind, key: key, deadline, waking: { later(100...4_000) { $0.takeTurn() } }, reply: reply)
    }

    /// Continues after a time, unless the server has ended.
    private func later(_ time: ClosedRange<Int>, _ body: @escaping (ReplicaStore) -> Void) {
        scheduler.after(scheduler.time(time)) { [self] in
            if !isClosed { body(self) }
        }
    }

    /// Takes a turn of the driver, with time between its parts.
    private func takeTurn() {
        let step = driver.next(on: self)
        later(10...1_500) { store in
            let result = store.driver.carryOut(step, on: store)
            store.later(10...1_500) { $0.finish(result) }
        }
    }

    private func finish(_ result: FavoritesDriver.StepResult<ReplicaStore>) {
        let isDone = driver.finish(result, on: self)
        guard driver.hasWork(on: self) else { return }
        if isDone { takeTurn() } else { later(1_000...50_000) { $0.takeTurn() } }
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

extension ReplicaStore: FavoritesBackend {
    func step(_ body: (inout FavoritesEngine) -> Void) {
        body(&engine)
        let effects = engine.takeEffects()
        for event in effects.events {
            if case .renewed = event, fault == .untoldHistory { continue }
            if fault == .lostWakeUp, scheduler.happens(10) { continue }
            feed.send(event)
        }
        effects.answer()
    }

    func read(_ wanted: WantedLists) throws(FavoritesEngine.Failure) -> ListReading {
        try requireDatabase()
        return database.read(wanted)
    }

    func take(_ reading: ListReading) {
        if reading.history != history { follow() }
        step { $0.read(reading) }
    }

    func commit(_ group: ChangeGroup) throws(FavoritesEngine.Failure) -> GroupOutcome {
        try requireDatabase()
        guard group.history == database.history else {
            follow()
            throw .unreachable("the database has another history")
        }
        if fault == .answerBeforeCommit, scheduler.happens(30) {
            later(1_000...20_000) { _ = $0.database.commit(group) }
            return database.predicted(group)
        }
        let outcome = database.commit(group)
        // The outcome is lost: the requests are decided again.
        guard !scheduler.happens(10) else {
            if fault == .freshRequest { database.forgetAnswers(to: group) }
            throw .inDoubt("the connection to the database was lost")
        }
        return outcome
    }

    func take(_ outcome: GroupOutcome, of group: ChangeGroup) {
        step { $0.committed(outcome, at: scheduler.runtime.instant()) }
    }

    private func requireDatabase() throws(FavoritesEngine.Failure) {
        guard database.isReachable else { throw .unreachable("the database cannot be reached") }
    }
}
