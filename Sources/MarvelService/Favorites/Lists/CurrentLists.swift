internal import MarvelDomain
internal import RPCCore
internal import Synchronization

/// The current lists of a store, in memory. Before it answers, it applies every event that the store has sent. A store
/// sends the event of a change before it answers the caller, so every later reader sees the change.
///
/// A list that is not in memory is read from the store, once for all concurrent readers.
///
/// Locks: an event is applied in the mailbox's turn, one at a time. In it the table's lock and then the lock of the
/// watched list are taken, never both at once. The lock of `count` is the last of all: a store that sends an event waits
/// for no other. No object is released under the table's lock: the release of a watched list takes it.
final class CurrentLists: Sendable {
    /// 64 MiB of encoded lists.
    static let defaultMaximumBytes = 64 << 20
    /// The maximum age of other servers' changes.
    private static let promisedAge = Duration.seconds(1)
    /// Each event has the changes of a transaction.
    private static let backlog = 1_024
    private static let maximumLoads = 16_384
    private static let backoff = Backoff(minimum: .milliseconds(100), initial: .milliseconds(100), maximum: .seconds(5))
    private static let pageSize = 1_000

    /// The work starts after it has returned, or on another thread.
    typealias Background = @Sendable (@escaping @Sendable () async -> Void) -> Void

    private let store: any FavoritesStore
    private let attribution: @Sendable () -> String
    private let onChange: (@Sendable (FavoritesChange?) -> Void)?
    private let background: Background
    private let runtime: ProcessRuntime
    /// Whether all lists are read again, because events were lost.
    private let isReloading = Atomic(false)
    private let mailbox = Mailbox(backlog: CurrentLists.backlog)
    private let table: Mutex<ListTable>
    /// Changes of `table`. Written under the table's lock, so a reader of a change there also finds the new number.
    private let changeCounter = Atomic<UInt64>(0)
    private let count = Mutex(0)
    let loads: SharedCalls<ListName, EncodedFavorites, StoreError>

    /// `store`'s feed is followed from now on. `onChange` gets each applied change, and nil if changes are missing.
    init(
        _ store: any FavoritesStore,
        attribution: @escaping @Sendable () -> String,
        maximumBytes: Int = CurrentLists.defaultMaximumBytes,
        onChange: (@Sendable (FavoritesChange?) -> Void)? = nil,
        runtime: ProcessRuntime,
        background: Background? = nil
    ) {
        self.store = store
        self.attribution = attribution
        self.onChange = onChange
        self.runtime = runtime
        self.background = background ?? { work in runtime.start(work) }
        loads = SharedCalls(
            maximumCount: CurrentLists.maximumLoads,
            overloaded: .overloaded,
            cancelled: .cancelled,
            runtime
        )
        table = Mutex(ListTable(in: store.history, maximumBytes: maximumBytes))
        store.feed.subscribe(mailbox) { [weak self] in self?.eventsArrived() }
    }

    var history: HistoryID {
        catchUp()
        return table.withLock(\.history)
    }

    // MARK: The feed

    /// Takes no lock if there is no event.
    func catchUp() {
        mailbox.takeAll { event in
            switch event {
            case .changed(let changes): apply(changes)
            case .lost: eventsWereLost()
            case .renewed(let history): renew(history)
            }
        }
    }

    /// Catches up soon only for watchers: a task for each commit took a fourteenth of a toggle's time. A new watcher
    /// misses nothing: it is registered under the table's lock, and catches up before it waits.
    private func eventsArrived() {
        guard watchedCount > 0 else { return }
        background { [weak self] in self?.catchUp() }
    }

    private func apply(_ changes: [ListChange]) {
        let watched = change { table -> [(WatchedList, ListChange)] in
            for news in changes { table.changed(news) }
            guard table.watchedCount > 0 else { return [] }
            return changes.compactMap { news in table.watched(news.list).map { ($0, news) } }
        }
        for (list, news) in watched { list.changed(news) }
        if let onChange { for news in changes { onChange(news.change) } }
    }

    private func eventsWereLost() {
        change { $0.lost() }
        onChange?(nil)
        readAgain()
    }

    private func renew(_ history: HistoryID) {
        let ended = change { table in
            defer { noteCount(table) }
            return table.renewed(history)
        }
        for list in ended { list.end() }
        onChange?(nil)
        readAgain()
    }

    private func readAgain() {
        guard !isReloading.exchange(true, ordering: .acquiringAndReleasing) else { return }
        background { [weak self, runtime] in
            var failures = 0
            while let isLoaded = await self?.reload(), !isLoaded {
                failures += 1
                // Only this server asks, so the delay needs no jitter.
                await runtime.sleep(CurrentLists.backoff.delay(afterFailures: failures, random: 1))
            }
        }
    }

    /// This must succeed at last: otherwise watchers would never learn of a lost change.
    private func reload() async -> Bool {
        do throws(StoreError) {
            try await load()
        } catch {
            return false
        }
        isReloading.store(false, ordering: .releasing)
        // More may have been lost before that.
        return table.withLock(\.isComplete) || isReloading.exchange(true, ordering: .acquiringAndReleasing)
    }

    private func change<Result>(_ body: (inout ListTable) -> Result) -> Result {
        update { table in
            changeCounter.add(1, ordering: .releasing)
            return body(&table)
        }
    }

    /// Releases what the table forgets after its lock.
    private func update<Result>(_ body: (inout ListTable) -> Result) -> Result {
        let (result, forgotten) = table.withLock { table in
            let result = body(&table)
            return (result, table.takeForgotten())
        }
        withExtendedLifetime(forgotten) {}
        return result
    }

    // MARK: Watched lists

    var watchedCount: Int { count.withLock(\.self) }

    /// Call it under the table's lock.
    private func noteCount(_ table: borrowing ListTable) {
        let watchedCount = table.watchedCount
        count.withLock { $0 = watchedCount }
    }

    /// Watched for as long as the caller keeps the list, without changes that were answered before the call.
    func watch(_ list: ListName) -> WatchedList {
        catchUp()
        return table.withLock { table in
            defer { noteCount(table) }
            return table.watch(list) { history in
                WatchedList(list, in: history, attribution: attribution) { [weak self] in self?.released(list) }
            }
        }
    }

    private func released(_ list: ListName) {
        // The last reference may be released here, which would call this function again: not under the lock.
        let other = table.withLock { table in
            defer { noteCount(table) }
            return table.unwatched(list)
        }
        _ = other
    }

    /// Watchers that are behind the revision get a snapshot, because changes up to it are missing.
    private func reached(_ revision: Int64, _ list: ListName) {
        let watched = table.withLock { $0.watched(list) }
        watched?.changed(ListChange(list, revision: revision))
    }

    // MARK: Ids

    /// Oldest first; nil if they are not in memory.
    func ids(of list: ListName) -> [Int64]? {
        catchUp()
        return table.withLock { $0.ids(of: list) }
    }

    /// If the store cannot be read, returns the last known ids, because a search must not fail for them.
    func loadedIDs(of list: ListName) async -> [Int64] {
        do throws(StoreError) {
            return try await favorites(list).ids
        } catch {
            return table.withLock { $0.lastKnownIDs(of: list) }
        }
    }

    /// `changeCount` is that of their lookup. Without a list the ids are empty.
    struct KnownIDs {
        let list: ListName?
        fileprivate var found: (ids: [Int64], changeCount: UInt64)?

        init(of list: ListName?) { self.list = list }
    }

    /// Oldest first; nil if they are not in memory. Looks them up only after a change of some list.
    func ids(_ known: inout KnownIDs) -> [Int64]? {
        let changeCount = changeCount
        if let found = known.found, found.changeCount == changeCount { return found.ids }
        guard let list = known.list else { return [] }
        guard let ids = ids(of: list) else { return nil }
        known.found = (ids, changeCount)
        return ids
    }

    var changeCount: UInt64 {
        catchUp()
        return changeCounter.load(ordering: .acquiring)
    }

    // MARK: Contents

    /// The time for which other servers' changes may be missing; nil within the promised time. Read it before the
    /// contents.
    var age: Duration? {
        let age = store.feedAge
        return age > Self.promisedAge ? age : nil
    }

    /// Nil if they are not in memory.
    func knownFavorites(_ list: ListName) -> EncodedFavorites? {
        catchUp()
        guard let (known, later) = table.withLock({ $0.contents(of: list) }) else { return nil }
        let attribution = attribution()
        guard !later.isEmpty || known.attribution != attribution else { return known }
        guard var contents = known.list else { return nil }
        for change in later { contents.apply(change) }
        let encoded = EncodedFavorites(contents, of: list, in: known.history, attribution: attribution)
        update { $0.loaded(encoded, of: list) }
        return encoded
    }

    /// Includes every change that was answered before the call, and has at least `revision`, unless the list has not
    /// reached it.
    func favorites(_ list: ListName, atLeast revision: Int64 = 0) async throws(StoreError) -> EncodedFavorites {
        catchUp()
        let needed = max(revision, table.withLock { $0.revision(of: list) })
        if let known = knownFavorites(list), known.revision >= needed { return known }
        // The first read may be another caller's that began before this call. The second one began later.
        let loaded = try await load(list)
        return loaded.revision >= needed && loaded.history == history ? loaded : try await load(list)
    }

    func load(_ list: ListName) async throws(StoreError) -> EncodedFavorites {
        try await loads.value(for: list) { [self] _ async throws(StoreError) in
            let snapshot = try await store.snapshot(of: list)
            let encoded = EncodedFavorites(
                snapshot.list,
                of: list,
                in: snapshot.history,
                attribution: attribution()
            )
            catchUp()
            // It may be ahead of the feed.
            change { $0.loaded(encoded, of: list) }
            return encoded
        }
    }

    // MARK: Places

    struct LeastPlace {
        let history: HistoryID
        let revision: Int64

        fileprivate func isReached(by favorites: EncodedFavorites) -> Bool {
            favorites.history == history && favorites.revision >= revision
        }
    }

    /// Nil if `text` is empty. `field` is for the error. Throws PLACE_INVALID.
    func leastPlace(_ text: String, of list: ListName, field: String) throws(RPCError) -> LeastPlace? {
        guard !text.isEmpty else { return nil }
        guard let position = FavoritesPlace(text).position(on: list) else { throw .placeInvalid(field: field) }
        return LeastPlace(history: position.history, revision: position.revision)
    }

    func knownFavorites(_ list: ListName, atLeast place: LeastPlace?) -> EncodedFavorites? {
        guard let favorites = knownFavorites(list) else { return nil }
        return place?.isReached(by: favorites) ?? true ? favorites : nil
    }

    /// Throws HISTORY_CHANGED if the list can never reach the place, because the caller has seen another history.
    func favorites(_ list: ListName, atLeast place: LeastPlace?) async throws(RPCError) -> EncodedFavorites {
        do throws(StoreError) {
            guard let place else { return try await favorites(list) }
            // The history may have begun while this server had no connection to its database. The store knows.
            if place.history != history { _ = try await load(list) }
            let favorites = try await favorites(list, atLeast: place.revision)
            if place.isReached(by: favorites) { return favorites }
        } catch {
            throw RPCError(error)
        }
        throw .historyChanged()
    }

    /// Throws HISTORY_CHANGED, like `favorites(_:atLeast:)`.
    func wait(for place: LeastPlace, of list: ListName) async throws(RPCError) {
        catchUp()
        let isReached = table.withLock { table in
            place.history == table.history && table.ids(of: list) != nil && table.revision(of: list) >= place.revision
        }
        if !isReached { _ = try await favorites(list, atLeast: place) }
    }

    // MARK: All lists

    /// Call it before serving. Until it has ended, a search reads its list alone.
    func load() async throws(StoreError) {
        // A missed event may have been a new history's. Every event before it is handled first.
        let current = store.history
        if current != history { renew(current) }
        while let reading = table.withLock({ $0.isComplete ? nil : $0.reading }) { try await readAll(reading) }
    }

    private func readAll(_ reading: ListTable.Reading) async throws(StoreError) {
        var unseen = table.withLock(\.watchedNames)
        var last: ListName?
        while true {
            let page = try await store.lists(prefix: "", after: last, limit: CurrentLists.pageSize)
            // The store has sent a new history before.
            catchUp()
            guard change({ $0.read(page, in: reading) }) else { return }
            for list in page where unseen.remove(list.name) != nil { reached(list.revision, list.name) }
            guard page.count == CurrentLists.pageSize, let next = page.last else { break }
            last = next.name
        }
        // In an order that does not depend on the process, so that a run can be repeated.
        for list in unseen.sorted(by: { $0.text < $1.text }) {
            do throws(StoreError) {
                reached(try await favorites(list).revision, list)
            } catch {
                // Watchers of a damaged list get an error when they read it.
                guard error == .damaged(list) else { throw error }
            }
        }
        change { $0.finish(reading) }
    }
}
