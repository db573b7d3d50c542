internal import FavoritesEngine
internal import MarvelDomain
internal import RPCCore
internal import Synchronization

/// The writer: it carries out the steps of the engine on a connection of its own. Requests that arrive during a step are decided
/// together in the next one.
///
/// A group whose connection is lost may be committed. Its requests are decided again: each has a key, so those that were done get
/// the kept answers.
final class Writer: Sendable {
    final class Counts: Sendable {
        let durations = DurationHistogram()
        /// The numbers of requests in the groups.
        let sizes = SizeHistogram()
        /// The groups whose outcome was unknown.
        let resent = Atomic(0)
        /// The groups that another transaction was in the way of.
        let conflicts = Atomic(0)
    }

    static let conflictBackoff = Backoff(
        minimum: .milliseconds(1),
        initial: .milliseconds(5),
        maximum: .milliseconds(200)
    )
    private static let notification = Statement(name: "notify", text: "SELECT pg_notify('marvel', '')")
    /// The minimum time between two notifications: every replica answers each with a query.
    private static let notificationInterval = Duration.milliseconds(5)
    /// The time between two attempts to connect while no request waits.
    private static let idleAttempt = Duration.milliseconds(500)
    /// The maximum wait in the inbox while there is no connection.
    private static let patience = Duration.seconds(2)

    let settings: PostgresFavoritesStore.Settings
    let thread: DatabaseThread
    let counts = Counts()
    /// The process of the database that serves the writer.
    private let backend = Atomic<Int32>(0)
    private let publisher: FeedPublisher
    private let status: StoreStatus
    private let now: @Sendable () -> Timestamp
    /// The waiting requests; nil once the thread has ended.
    private let inbox: Mutex<RequestInbox?>

    init(
        _ settings: PostgresFavoritesStore.Settings,
        _ publisher: FeedPublisher,
        _ status: StoreStatus,
        _ now: @escaping @Sendable () -> Timestamp
    ) throws(FavoritesDatabaseError) {
        self.settings = settings
        self.publisher = publisher
        self.status = status
        self.now = now
        thread = try DatabaseThread()
        inbox = Mutex(RequestInbox(limits: InboxLimits()))
    }

    /// Adds a request, which gets a key if the caller has none, and returns a function that cancels it. `answer` is called once.
    func add(
        _ kind: FavoritesRequest.Kind,
        _ key: RequestKey?,
        _ deadline: ContinuousClock.Instant?,
        answer: @escaping @Sendable (Result<FavoritesRequest.Answer, StoreError>) -> Void
    ) -> @Sendable () -> Void {
        let caller = WaitingCaller(arrival: .now, deadline: deadline)
        let request = FavoritesRequest(kind, key: key ?? .made(), caller, answer: answer)
        add(request)
        return { request.cancel() }
    }

    private func add(_ request: FavoritesRequest) {
        if let refusal = status.refusal { return request.answer(.failure(.notWritable(refusal))) }
        switch thread.shouldStop ? nil : inbox.withLock({ $0?.added(request) }) {
        case .wakeWriter: thread.wakeup.wake()
        case .wait: break
        case .refuse: request.answer(.failure(.overloaded))
        case nil: request.answer(.failure(.unavailable("the store is closed")))
        }
    }

    var backendID: Int32 { backend.load(ordering: .relaxed) }

    var waitingCount: Int { inbox.withLock { $0?.waitingCount ?? 0 } }

    // MARK: The thread

    struct Progress {
        /// Whether other replicas were not notified of some changes.
        var hasNews = false
        var nextNotification = ContinuousClock.now
        /// The answers that were written since the last deletion.
        var answerCount = 0
        var pruner: AnswerPruner
        var characters = SavedCharacterTexts()
        var rows = GroupRows()
        /// The failed steps in a row.
        var conflictCount = 0
        /// Whether the connection has a transaction that holds lists for the next group.
        var isHolding = false
        /// Whether the last step was a read. Requests that are begun then may need another read, and delay those before them.
        var hasRead = false
    }

    /// Works until the store is closed and no request waits.
    func run(_ link: DatabaseLink) {
        var progress = Progress(pruner: AnswerPruner(maximumAnswers: settings.answers))
        while true {
            let hasWork = publisher.step(\.hasWork) || inbox.withLock { $0?.groupFinished() } == .takeAnother
            if !hasWork, thread.shouldStop, end() { break }
            do throws(DatabaseFault) {
                let connection = try link.connection()
                backend.store(connection.backendID, ordering: .relaxed)
                status.connected(.writer)
                if !progress.isHolding {
                    try notify(connection, &progress)
                    try prune(connection, &progress)
                }
                if hasWork {
                    try work(connection, &progress)
                } else {
                    try link.rest(progress.hasNews ? ContinuousClock.now.duration(to: progress.nextNotification) : nil)
                }
            } catch {
                progress.isHolding = false
                disconnected(link, error, hasWork: hasWork)
            }
        }
    }

    /// Takes no more requests, and returns true; false if one waits.
    private func end() -> Bool {
        inbox.withLock { inbox in
            if let inbox, inbox.waitingCount > 0 { return false }
            inbox = nil
            return true
        }
    }

    private func disconnected(_ link: DatabaseLink, _ fault: DatabaseFault, hasWork: Bool) {
        if link.current != nil { link.failed(fault) }
        status.failed(.writer, fault)
        refuseExpired(fault)
        let isClosed = thread.shouldStop
        publisher.step { engine in
            engine.failed(isClosed ? .refused(fault.writeError()) : .unreachable(fault.publicText), at: .now)
        }
        link.waitForAttempt()
        if !hasWork, link.current == nil { try? link.rest(Self.idleAttempt) }
    }

    /// Refuses the requests that have waited for too long; all if the store is closed.
    private func refuseExpired(_ fault: DatabaseFault) {
        let latest = ContinuousClock.now - Self.patience
        let isClosed = thread.shouldStop
        let expired = inbox.withLock { $0?.takeExpired { isClosed || $0.caller.arrival < latest } ?? [] }
        for request in expired { request.answer(.failure(fault.writeError())) }
    }

    /// Notifies other replicas of changes, in a transaction of its own: PostgreSQL commits those that notify one after the other.
    private func notify(_ connection: PostgresConnection, _ progress: inout Progress) throws(DatabaseFault) {
        guard progress.hasNews, progress.nextNotification <= .now else { return }
        progress.hasNews = false
        progress.nextNotification = .now + Self.notificationInterval
        try connection.run(Self.notification)
    }

    /// Deletes old answers, in proportion to those that were written since.
    private func prune(_ connection: PostgresConnection, _ progress: inout Progress) throws(DatabaseFault) {
        guard progress.answerCount >= AnswerPruner.interval else { return }
        let count = progress.answerCount
        progress.answerCount = 0
        do {
            try progress.pruner.prune(after: count, connection)
        } catch {
            guard error.consequence != .reconnect else { throw error }
            status.report("the deletion of old answers", error)
        }
    }

    // MARK: Steps

    /// Carries out a step of the engine, and throws a fault that ends the connection.
    func work(_ connection: PostgresConnection, _ progress: inout Progress) throws(DatabaseFault) {
        let time = now()
        let step = publisher.step { engine in
            // Also while others wait, so that a list which is changed all the time does not delay the rest.
            if !engine.hasWork || !progress.hasRead {
                engine.begin(inbox.withLock { $0?.takeGroup(besides: engine.begunCount) ?? [] }, at: .now)
            }
            return engine.next(at: time)
        }
        if case .read = step { progress.hasRead = true } else { progress.hasRead = false }
        do throws(DatabaseFault) {
            switch step {
            case .idle: try release(connection, &progress)
            case .read(let wanted):
                try release(connection, &progress)
                try read(wanted, connection, &progress)
            case .commit(let group):
                if !group.isHeld { try release(connection, &progress) }
                try commit(group, at: time, connection, &progress)
            }
            progress.conflictCount = 0
        } catch {
            try failed(error, step, &progress)
            try release(connection, &progress)
        }
    }

    /// Reads what the engine has to know. The changes of a list whose rows are damaged are refused.
    private func read(
        _ wanted: WantedLists,
        _ connection: PostgresConnection,
        _ progress: inout Progress
    ) throws(DatabaseFault) {
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
            calls.append(.init(.countOwned, wanted.owners.sorted(), settings.maximumListsPerOwner + 1))
        }
        // Others have probably changed these.
        let places = names.indices.filter { wanted.lists[$0].after != nil }
        if !places.isEmpty { calls.append(changes(of: places)) }
        progress.isHolding = wanted.isContended
        let results = try connection.runTogether(calls)
        let stored = try LoadedLists(results[first], of: names)
        var logged = places.isEmpty ? [] : try LoggedChange.all(in: results[calls.count - 1], of: stored.history)
        var reading = ListReading(in: stored.history)
        reading.facts = (listCount: publisher.listCount, base: stored.base)
        var late: [Int] = []
        for (place, name) in names.enumerated() {
            switch stored.lists[place] {
            case .success(let list):
                guard stored.history == publisher.history else { throw .otherHistory }
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
        publisher.read(reading, logged)
    }

    private func commit(
        _ group: ChangeGroup,
        at time: Timestamp,
        _ connection: PostgresConnection,
        _ progress: inout Progress
    ) throws(DatabaseFault) {
        var commit = try GroupCommit(group, at: time, settings, &progress.rows, &progress.characters)
        let start = ContinuousClock.now
        let outcome = try commit.run(on: connection, isHolding: progress.isHolding, &progress.rows)
        progress.isHolding = false
        let duration = start.duration(to: .now)
        counts.durations.add(nanoseconds: Int64(clamping: duration.attoseconds / 1_000_000_000))
        counts.sizes.add(group.requests.count)
        publisher.committed(outcome, of: group, in: commit.transaction, on: connection.cluster)
        // If a reader found damage meanwhile, the next change reads the list.
        let damaged = status.damagedLists
        for list in group.lists where damaged.contains(list.name) { publisher.forget(list.name) }
        progress.answerCount += group.requests.count
        if group.lists.contains(where: { !$0.edits.isEmpty }) { progress.hasNews = true }
        let isConflict = outcome.lists.contains { if case .conflict = $0 { true } else { false } }
        if isConflict { counts.conflicts.add(1, ordering: .relaxed) }
    }

    /// Ends a transaction that holds lists, if no group needs them.
    private func release(_ connection: PostgresConnection, _ progress: inout Progress) throws(DatabaseFault) {
        guard progress.isHolding else { return }
        progress.isHolding = false
        try connection.execute("ROLLBACK")
    }

    /// Tells the engine that a step failed. A fault that ends the connection is thrown again.
    private func failed(
        _ fault: DatabaseFault,
        _ step: FavoritesEngine.Step,
        _ progress: inout Progress
    ) throws(DatabaseFault) {
        var isCommit = false
        if case .commit = step { isCommit = true }
        switch fault.consequence {
        case .reconnect:
            if isCommit, fault.kind != .otherHistory { doubt(fault) }
            throw fault
        case .fail where isCommit && fault.kind == .malformed:
            // The results cannot be read: the group may be committed, and the kept answers show it.
            status.report("a group of changes", fault)
            doubt(fault)
            pause(&progress)
        case .retry:
            counts.conflicts.add(1, ordering: .relaxed)
            publisher.step { $0.failed(.unreachable(fault.publicText), at: .now) }
            pause(&progress)
        case .refuse, .endWriting:
            status.report("a group of changes", fault)
            publisher.step { $0.failed(.refused(fault.writeError()), at: .now) }
        case .fail:
            status.report("a group of changes", fault)
            publisher.step { $0.failed(.rejected(fault.writeError()), at: .now) }
        }
    }

    private func doubt(_ fault: DatabaseFault) {
        counts.resent.add(1, ordering: .relaxed)
        publisher.step { $0.failed(.inDoubt(fault.publicText), at: .now) }
    }

    private func pause(_ progress: inout Progress) {
        progress.conflictCount += 1
        let random = Double.random(in: 0..<1)
        _ = thread.wakeup.wait(
            timeout: Self.conflictBackoff.delay(afterFailures: progress.conflictCount, random: random)
        )
    }
}

extension RequestKey {
    /// A key of a principal that no caller can have, because names have no line breaks.
    static func made() -> RequestKey { RequestKey(.generated(), of: "\n") }
}
