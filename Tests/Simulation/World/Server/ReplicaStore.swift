internal import Events
internal import MarvelDomain
internal import RPCCore

/// The store of one server, which keeps its lists in a database that other servers share.
///
/// Toggles that wait while a group of them is under way form the next group. Before a group is answered, the feed gets all
/// changes up to it; the changes of other servers arrive later. Now and then the outcome of a commit is lost, so that the
/// group is sent again; changes come twice; or the feed skips changes, and says so. When the database goes on in another
/// history, a server notices with its next poll or question.
///
/// `@unchecked Sendable`: a simulation has one thread.
final class ReplicaStore: FavoritesStore, @unchecked Sendable {
    /// A toggle that waits for its group.
    ///
    /// `@unchecked Sendable`: a simulation has one thread.
    private final class Waiting: @unchecked Sendable {
        let toggle: Toggle
        let character: MarvelCharacter?
        let deadline: ContinuousClock.Instant?
        let answer: @Sendable (Result<ToggleOutcome, StoreError>) -> Void
        var isCancelled = false

        init(
            _ toggle: Toggle,
            _ character: MarvelCharacter?,
            _ deadline: ContinuousClock.Instant?,
            _ answer: @escaping @Sendable (Result<ToggleOutcome, StoreError>) -> Void
        ) {
            self.toggle = toggle
            self.character = character
            self.deadline = deadline
            self.answer = answer
        }
    }

    private(set) var history: HistoryID
    let feed = Subject<StoreEvent>()
    private let number: Int
    private let database: SimulatedDatabase
    private let scheduler: SeededScheduler
    private let fault: PlantedFault?
    private var waiting: [Waiting] = []
    private var isWriting = false
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
        history = database.history
        sentCount = database.log.count
        firstCount = sentCount
        database.attach(self)
    }

    /// Ends the store as a crash does: nothing that waits is answered, and nothing more is committed.
    func crash() {
        isClosed = true
        waiting = []
        database.detach(self)
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
            sendSome()
        }
        if sentCount < database.log.count || history != database.history { changesWereMade() }
    }

    /// Goes on in the history of the database.
    private func follow() {
        guard history != database.history else { return }
        history = database.history
        (sentCount, firstCount) = (0, 0)
        scheduler.tell("server \(number) goes on in history \(history)")
        if fault != .untoldHistory { feed.send(.renewed(history)) }
    }

    /// Sends what precedes an answer, and what the answer tells of.
    private func sendAll() {
        // Of a history that has ended it may have heard the rest, also what is lost.
        if history != database.history, scheduler.happens(50),
            let ended = database.eras.last(where: { $0.history == history })
        {
            feed.send(.changed(Array(ended.log[sentCount...])))
        }
        follow()
        while sentCount < database.log.count { sendSome() }
    }

    private func sendSome() {
        // Some come again.
        if scheduler.happens(5) { sentCount -= min(sentCount - firstCount, 3) }
        let count = min(database.log.count - sentCount, 1 + scheduler.number(below: 4))
        guard count > 0 else { return }
        let changes = Array(database.log[sentCount..<sentCount + count])
        scheduler.tell("server \(number) hears of \(changes.map { "\($0.list.text) \($0.revision)" })")
        feed.send(.changed(changes))
        sentCount += count
    }

    /// Loses the connection on which changes arrive, and with it the changes that were on their way.
    func loseFeed() {
        guard !isClosed else { return }
        follow()
        sentCount = database.log.count
        feed.send(.lost)
    }

    /// The revision that was sent last; nil in a history that has ended, whose log this feed no longer follows.
    func sentRevision(of list: ListName) -> Int64? {
        history == database.history ? database.revision(of: list, after: sentCount) : nil
    }

    // MARK: Toggles

    func toggle(
        _ toggle: Toggle,
        character: MarvelCharacter?,
        deadline: ContinuousClock.Instant?,
        answer: @escaping @Sendable (Result<ToggleOutcome, StoreError>) -> Void
    ) -> @Sendable () -> Void {
        let call = Waiting(toggle, character, deadline, answer)
        waiting.append(call)
        if !isWriting { beginGroup() }
        return { call.isCancelled = true }
    }

    private func beginGroup() {
        isWriting = true
        scheduler.after(scheduler.time(100...4_000)) { [self] in
            let group = waiting
            waiting = []
            if !isClosed { commit(group) }
        }
    }

    private func commit(_ group: [Waiting]) {
        guard database.isReachable else {
            return answer(group, group.map { _ in .failure(.notWritable("the database is not reachable")) })
        }
        let now = scheduler.runtime.instant()
        var begun: [Waiting] = []
        for call in group {
            if call.isCancelled {
                call.answer(.failure(.cancelled))
            } else if let deadline = call.deadline, deadline <= now {
                call.answer(.failure(.deadlineExceeded))
            } else {
                begun.append(call)
            }
        }
        follow()
        if fault == .answerBeforeCommit, scheduler.happens(30) { return answerBeforeCommit(begun) }
        let outcomes = begun.map { database.toggle($0.toggle, $0.character) }
        guard scheduler.happens(10) else { return answer(begun, outcomes) }
        // The outcome was lost: the same group again.
        scheduler.after(scheduler.time(1_000...50_000)) { [self] in
            guard !isClosed else { return }
            follow()
            answer(begun, begun.map { database.toggle($0.toggle, $0.character) })
        }
    }

    private func answer(_ group: [Waiting], _ outcomes: [Result<ToggleOutcome, StoreError>]) {
        scheduler.after(scheduler.time(10...2_000)) { [self] in
            guard !isClosed else { return }
            sendAll()
            for (call, outcome) in zip(group, outcomes) { call.answer(outcome) }
            isWriting = false
            if !waiting.isEmpty { beginGroup() }
        }
    }

    /// Answers with what a commit will give if nothing comes between, and commits a little later.
    private func answerBeforeCommit(_ group: [Waiting]) {
        scheduler.start { [self] in
            for call in group {
                guard let list = try? await database.snapshot(of: call.toggle.list).list else { continue }
                call.answer(.success(.done(predictedResult(of: call, on: list))))
            }
            scheduler.after(scheduler.time(1_000...20_000)) { [self] in
                guard !isClosed else { return }
                for call in group { _ = database.toggle(call.toggle, call.character) }
                sendAll()
                isWriting = false
                if !waiting.isEmpty { beginGroup() }
            }
        }
    }

    private func predictedResult(of call: Waiting, on list: FavoritesList) -> ToggleResult {
        let isThere = list.favorites.contains { $0.character.id == call.toggle.characterID }
        let isWanted = call.toggle.desired == .toggle ? !isThere : call.toggle.desired == .saved
        let evictedCount = isWanted && !isThere ? max(0, list.favorites.count + 1 - list.capacity) : 0
        let revision = list.revision + (isWanted == isThere ? 0 : 1)
        return ToggleResult(
            isFavorite: isWanted,
            revision: revision,
            evicted: Array(list.favorites.prefix(evictedCount)),
            place: FavoritesPlace(list: call.toggle.list, history: history, revision: revision)
        )
    }

    // MARK: Other calls

    func snapshot(of list: ListName) async throws(StoreError) -> ListSnapshot {
        try await read { () async throws(StoreError) in try await database.snapshot(of: list) }
    }

    func changes(of list: ListName, after revision: Int64, limit: Int) async throws(StoreError) -> ChangeHistory {
        try await read { () async throws(StoreError) in
            try await database.changes(of: list, after: revision, limit: limit)
        }
    }

    func lists(prefix: String, after: ListName?, limit: Int) async throws(StoreError) -> [ListSummary] {
        try await read { () async throws(StoreError) in
            try await database.lists(prefix: prefix, after: after, limit: limit)
        }
    }

    /// Reads at a moment between the question and the answer.
    private func read<Value>(_ body: () async throws(StoreError) -> Value) async throws(StoreError) -> Value {
        await scheduler.sleep(scheduler.time(10...3_000))
        guard database.isReachable, !isClosed else { throw .notReadable("the database is not reachable") }
        follow()
        let value = try await body()
        await scheduler.sleep(scheduler.time(10...3_000))
        return value
    }

    func delete(
        _ list: ListName,
        request: RequestKey?,
        deadline: ContinuousClock.Instant?
    ) async throws(StoreError) -> ListDeletion {
        await scheduler.sleep(scheduler.time(100...4_000))
        guard database.isReachable, !isClosed else { throw .notWritable("the database is not reachable") }
        follow()
        let deletion = try await database.delete(list, request)
        sendAll()
        return deletion
    }
}
