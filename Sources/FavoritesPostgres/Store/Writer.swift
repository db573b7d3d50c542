internal import FavoritesEngine
internal import MarvelDomain
internal import RPCCore
internal import Synchronization

/// The writer: it takes the turns of the engine's driver on a connection of its own. Requests that arrive during a step are decided
/// together in the next one.
///
/// A group whose connection is lost may be committed. Its requests are decided again: each has a key, so those that were done get
/// the stored answers.
final class Writer: Sendable {
    static let conflictBackoff = Backoff(
        minimum: .milliseconds(1),
        initial: .milliseconds(5),
        maximum: .milliseconds(200)
    )

    let settings: PostgresFavoritesStore.Settings
    let thread: DatabaseThread
    let durations = DurationHistogram()
    /// The number of groups whose outcome was unknown.
    let resentCount = Atomic(0)
    /// The number of groups that another transaction was in the way of.
    let conflictCount = Atomic(0)
    fileprivate let driver: FavoritesDriver
    fileprivate let publisher: FeedPublisher
    fileprivate let status: StoreStatus
    /// The process of the database that serves the writer.
    fileprivate let backend = Atomic<Int32>(0)

    init(
        _ settings: PostgresFavoritesStore.Settings,
        _ publisher: FeedPublisher,
        _ status: StoreStatus,
        _ now: @escaping @Sendable () -> Timestamp
    ) throws(FavoritesDatabaseError) {
        self.settings = settings
        self.publisher = publisher
        self.status = status
        thread = try DatabaseThread()
        driver = FavoritesDriver(now: now)
    }

    /// Adds a request, which gets a key if the caller has none, and returns a function that cancels it.
    func add(
        _ kind: FavoritesRequest.Kind,
        _ key: RequestKey?,
        _ deadline: ContinuousClock.Instant?,
        reply: FavoritesRequest.Reply
    ) -> @Sendable () -> Void {
        guard let refusal = status.refusal else {
            return driver.add(kind, key: key ?? .made(), deadline, waking: thread.wakeup.wake, reply: reply)
        }
        reply.answer(.failure(.notWritable(refusal)))
        return {}
    }

    var backendID: Int32 { backend.load(ordering: .relaxed) }

    var waitingCount: Int { driver.waitingCount }

    /// Works until the store is closed and no request waits.
    func run(_ link: DatabaseLink) { WriterSession(self).run(link) }

    /// Takes no more requests. The thread ends once the waiting ones are answered.
    func stop() {
        driver.close(with: .unavailable("the store is closed"))
        thread.stop()
    }
}

/// The work of the writer's thread, which alone uses it: the back end of the engine, on the current connection.
final class WriterSession: FavoritesBackend {
    private static let notification = Statement(name: "notify", text: "SELECT pg_notify('marvel', '')")
    /// The minimum time between two notifications: every replica answers each with a query.
    private static let notificationInterval = Duration.milliseconds(5)
    /// The time between two attempts to connect while no request waits.
    private static let idleAttempt = Duration.milliseconds(500)
    /// The maximum wait in the inbox while there is no connection.
    private static let patience = Duration.seconds(2)

    private let writer: Writer
    private let publisher: FeedPublisher
    private let status: StoreStatus
    /// The connection of the current turn.
    private var connection: PostgresConnection?
    /// The fault of the current turn that ends the connection.
    private var fault: DatabaseFault?
    /// Whether other replicas were not notified of some changes.
    private var hasNews = false
    private var nextNotification = ContinuousClock.now
    /// The answers that were written since the last deletion.
    private var answerCount = 0
    private var pruner: AnswerPruner
    private var characters = SavedCharacterTexts()
    private var rows = GroupRows()
    /// The failed steps in a row.
    private var conflictCount = 0
    /// Whether the connection has a transaction that holds lists for the next group.
    private var isHolding = false

    init(_ writer: Writer) {
        self.writer = writer
        publisher = writer.publisher
        status = writer.status
        pruner = AnswerPruner(maximumAnswers: writer.settings.answers)
    }

    // MARK: The thread

    func run(_ link: DatabaseLink) {
        while true {
            // Asked first: what is added before the stop is seen after it.
            let isStopping = writer.thread.shouldStop
            let hasWork = writer.driver.hasWork(on: self)
            if isStopping, !hasWork { break }
            do throws(DatabaseFault) {
                let connection = try link.connection()
                writer.backend.store(connection.backendID, ordering: .relaxed)
                status.connected(.writer)
                if !isHolding {
                    try notify(connection)
                    try prune(connection)
                }
                if hasWork {
                    try takeTurn(connection)
                } else {
                    try link.rest(hasNews ? ContinuousClock.now.duration(to: nextNotification) : nil)
                }
            } catch {
                isHolding = false
                disconnected(link, error, hasWork: hasWork)
            }
        }
    }

    private func disconnected(_ link: DatabaseLink, _ fault: DatabaseFault, hasWork: Bool) {
        if link.current != nil { link.failed(fault) }
        status.failed(.writer, fault)
        let isClosed = writer.thread.shouldStop
        writer.driver.refuseWaiting(before: isClosed ? nil : .now - Self.patience, with: fault.writeError())
        step { engine in
            engine.failed(isClosed ? .refused(fault.writeError()) : .unreachable(fault.publicText), at: .now)
        }
        link.waitForAttempt()
        if !hasWork, link.current == nil { try? link.rest(Self.idleAttempt) }
    }

    /// Notifies other replicas of changes, in a transaction of its own: PostgreSQL commits those that notify one after the other.
    private func notify(_ connection: PostgresConnection) throws(DatabaseFault) {
        guard hasNews, nextNotification <= .now else { return }
        hasNews = false
        // One that connects now reads all changes, and polls.
        guard !status.isAlone else { return }
        nextNotification = .now + Self.notificationInterval
        try connection.run(Self.notification)
    }

    /// Deletes old answers, in proportion to those that were written since.
    private func prune(_ connection: PostgresConnection) throws(DatabaseFault) {
        guard answerCount >= AnswerPruner.interval else { return }
        let count = answerCount
        answerCount = 0
        do {
            try pruner.prune(after: count, connection)
        } catch {
            guard error.consequence != .reconnect else { throw error }
            status.report("the deletion of old answers", error)
        }
    }

    /// Carries out a step of the engine, and throws a fault that ends the connection.
    func takeTurn(_ connection: PostgresConnection) throws(DatabaseFault) {
        let conflictsBefore = conflictCount
        self.connection = connection
        let isDone = writer.driver.turn(on: self)
        self.connection = nil
        if let fault = fault.take() { throw fault }
        guard !isDone else { return conflictCount = 0 }
        try release(connection)
        if conflictCount > conflictsBefore { pause() }
    }

    private func pause() {
        let random = Double.random(in: 0..<1)
        let delay = Writer.conflictBackoff.delay(afterFailures: conflictCount, random: random)
        _ = writer.thread.wakeup.wait(timeout: delay)
    }

    /// Ends a transaction that holds lists, if no group needs them.
    private func release(_ connection: PostgresConnection) throws(DatabaseFault) {
        guard isHolding else { return }
        isHolding = false
        try connection.execute("ROLLBACK")
    }

    // MARK: Steps

    func step(_ body: (inout FavoritesEngine) -> Void) { publisher.step(body) }

    func read(_ wanted: WantedLists) throws(FavoritesEngine.Failure) -> Reading {
        try carryOut(isCommit: false) { connection throws(DatabaseFault) in
            try release(connection)
            return try read(wanted, connection)
        }
    }

    func commit(_ group: ChangeGroup) throws(FavoritesEngine.Failure) -> Outcome {
        try carryOut(isCommit: true) { connection throws(DatabaseFault) in
            if !group.isHeld { try release(connection) }
            return try commit(group, connection)
        }
    }

    /// Lists, and changes of them that were not published.
    struct Reading {
        var lists: ListReading
        var changes: [LoggedChange]
    }

    func take(_ reading: Reading) { publisher.read(reading.lists, reading.changes) }

    /// Reads what the engine has to know. The changes of a list whose rows are damaged are refused.
    private func read(_ wanted: WantedLists, _ connection: PostgresConnection) throws(DatabaseFault) -> Reading {
        let names = wanted.lists.map(\.name)
        let shown = names.map { publisher.revision(of: $0) }
        func changes(of places: [Int]) -> PostgresConnection.Call {
            .changes(of: places.map { names[$0] }, after: places.map { shown[$0] })
        }
        var calls: [PostgresConnection.Call] = []
        if wanted.isContended { calls += [.init("BEGIN"), .init(.lockHistory), .init(.lockLists, names)] }
        let first = calls.count
        calls.append(.init(.readLists, names))
        if !wanted.owners.isEmpty {
            calls.append(.init(.countOwned, wanted.owners.sorted(), writer.settings.maximumListsPerOwner + 1))
        }
        // Others have probably changed these.
        let places = names.indices.filter { wanted.lists[$0].after != nil }
        if !places.isEmpty { calls.append(changes(of: places)) }
        isHolding = wanted.isContended
        let results = try connection.runTogether(calls)
        let stored = try LoadedLists(results[first], of: names)
        guard stored.history == publisher.history else { throw .otherHistory }
        var logged = places.isEmpty ? [] : try LoggedChange.all(in: results[calls.count - 1], of: stored.history)
        var reading = ListReading(in: stored.history)
        reading.facts = (listCount: publisher.listCount, base: stored.base)
        var late: [Int] = []
        for (place, name) in names.enumerated() {
            switch stored.lists[place] {
            case .success(let list):
                try publisher.require(list.revision, atLeast: shown[place], of: name)
                reading.lists.append((name, .success(list)))
                if !list.isUnknown, list.revision > shown[place], wanted.lists[place].after == nil {
                    late.append(place)
                }
            case .failure(let fault):
                status.report("a change", fault)
                reading.lists.append((name, .failure(fault.readError)))
            }
        }
        if !late.isEmpty {
            logged += try LoggedChange.all(in: connection.run(changes(of: late)), of: stored.history)
        }
        if !wanted.owners.isEmpty {
            let rows = results[first + 1]
            for row in 0..<rows.count { reading.ownedCounts[try rows.text(row, 0)] = Int(try rows.integer(row, 1)) }
        }
        return Reading(lists: reading, changes: logged)
    }

    /// The outcome of a group, and the transaction that made it.
    struct Outcome {
        var group: GroupOutcome
        var transaction: TransactionID?
        var cluster: ServedCluster?
    }

    private func commit(_ group: ChangeGroup, _ connection: PostgresConnection) throws(DatabaseFault) -> Outcome {
        var commit = try GroupCommit(group, at: group.time, writer.settings, &rows, &characters)
        let start = ContinuousClock.now
        let outcome = try commit.run(on: connection, isHolding: isHolding, rows)
        isHolding = false
        let duration = start.duration(to: .now)
        writer.durations.add(nanoseconds: Int64(clamping: duration.attoseconds / 1_000_000_000))
        status.wrote()
        return Outcome(group: outcome, transaction: commit.transaction, cluster: connection.cluster)
    }

    func take(_ outcome: Outcome, of group: ChangeGroup) {
        publisher.committed(outcome.group, of: group, in: outcome.transaction, on: outcome.cluster)
        // If a reader found damage meanwhile, the next change reads the list.
        let damaged = status.damagedLists
        for list in group.lists where damaged.contains(list.name) { publisher.forget(list.name) }
        answerCount += group.requests.count
        if group.lists.contains(where: { !$0.edits.isEmpty }) { hasNews = true }
        let isConflict = outcome.group.lists.contains { if case .conflict = $0 { true } else { false } }
        if isConflict { writer.conflictCount.add(1, ordering: .relaxed) }
    }

    // MARK: Failures

    /// Carries out a step on the connection of the turn. A fault that ends the connection is thrown at the end of the turn.
    private func carryOut<Result>(
        isCommit: Bool,
        _ body: (PostgresConnection) throws(DatabaseFault) -> Result
    ) throws(FavoritesEngine.Failure) -> Result {
        guard let connection else { throw .unreachable("there is no connection to the database") }
        do throws(DatabaseFault) {
            return try body(connection)
        } catch {
            throw failure(error, isCommit: isCommit)
        }
    }

    private func failure(_ fault: DatabaseFault, isCommit: Bool) -> FavoritesEngine.Failure {
        switch fault.consequence {
        case .reconnect:
            self.fault = fault
            return isCommit && fault.kind != .otherHistory ? doubt(fault) : .unreachable(fault.publicText)
        case .fail where isCommit && fault.kind == .malformed:
            // The results cannot be read: the group may be committed, and the stored answers show it.
            status.report("a group of changes", fault)
            conflictCount += 1
            return doubt(fault)
        case .retry:
            writer.conflictCount.add(1, ordering: .relaxed)
            conflictCount += 1
            return .unreachable(fault.publicText)
        case .refuse, .endWriting:
            status.refusedWrite(fault)
            return .refused(fault.writeError())
        case .fail:
            status.report("a group of changes", fault)
            return .rejected(fault.writeError())
        }
    }

    private func doubt(_ fault: DatabaseFault) -> FavoritesEngine.Failure {
        writer.resentCount.add(1, ordering: .relaxed)
        return .inDoubt(fault.publicText)
    }
}

extension RequestKey {
    /// A key of a principal that no caller can have, because names have no line breaks.
    static func made() -> RequestKey { RequestKey(.generated(), of: "\n") }
}
