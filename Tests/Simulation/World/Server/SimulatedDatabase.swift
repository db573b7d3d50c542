internal import FavoritesEngine
internal import MarvelDomain

/// A database that all servers of a simulation share: a back end of `FavoritesEngine`, with the log of all changes in the
/// order of their commits.
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
        /// The moment from which the next history continues; nil if there is none.
        var end: Moment?

        /// All changes of a list, oldest first.
        func changes(of list: ListName) -> [FavoritesChange] { log.compactMap { $0.list == list ? $0.change : nil } }

        /// The last revision of a list that the next history knows; nil if all are known.
        func keptRevision(of list: ListName) -> Int64? {
            end.map { revision(of: list, after: $0.logCount) }
        }

        /// The revision of a list after some of the changes.
        private func revision(of list: ListName, after count: Int) -> Int64 {
            log[..<count].last { $0.list == list }?.revision ?? bases[list]?.revision ?? 0
        }
    }

    /// A moment to which a standby may take the database back.
    struct Moment {
        fileprivate let contents: Contents
        let logCount: Int

        /// Returns whether a request had been answered.
        func hasAnswered(_ request: RequestKey) -> Bool { contents.answers[request] != nil }
    }

    fileprivate struct Contents {
        var lists: [ListName: StoredList] = [:]
        var answers: [RequestKey: AnsweredRequest] = [:]
        /// The revision with which lists of unknown names begin.
        var base: Int64 = 0
    }

    fileprivate struct StoredList {
        var list: FavoritesList
        var exists: Bool
        var owner: String?

        func held(_ id: Int64) -> Favorite? { list.favorites.first { $0.character.id == id } }
    }

    /// The maximum number of commits that a standby lacks.
    private static let maximumLoss = 6

    private let capacity: Int
    private let scheduler: SeededScheduler
    private let fault: PlantedFault?
    private let lists: [ListName]
    private var contents = Contents()
    private var replicas: [ReplicaStore] = []
    private(set) var history = HistoryID(616)
    private(set) var eras: [Era] = []
    /// The last commits, oldest first.
    private var moments: [Moment] = []
    /// Whether servers reach it.
    var isReachable = true

    init(of lists: [ListName], on scheduler: SeededScheduler, capacity: Int, fault: PlantedFault?) {
        self.lists = lists
        self.scheduler = scheduler
        self.capacity = capacity
        self.fault = fault
        beginEra()
    }

    /// The revision with which lists of unknown names begin.
    var base: Int64 { contents.base }

    /// All changes of all lists in this history, in the order of their commits.
    var log: [ListChange] { eras[eras.count - 1].log }

    private func beginEra() {
        eras.append(
            Era(history: history, bases: Dictionary(uniqueKeysWithValues: lists.map { ($0, contents(of: $0)) }))
        )
        moments = [Moment(contents: contents, logCount: 0)]
    }

    /// Has the standby take over, without some of the last commits.
    func failOver() {
        let moment = moments[scheduler.number(below: moments.count)]
        scheduler.tell("a standby takes over without \(log.count - moment.logCount) changes")
        eras[eras.count - 1].end = moment
        let highest = max(contents.base, contents.lists.values.map(\.list.revision).max() ?? 0)
        let base = (highest >> 32 + 1) << 32
        contents = moment.contents
        contents.base = base
        contents.lists = contents.lists.filter(\.value.exists)
        for name in contents.lists.keys { contents.lists[name]?.list.revision = base }
        history = HistoryID(616 + Int64(eras.count))
        beginEra()
        for replica in replicas { replica.changesWereMade() }
    }

    // MARK: Servers

    func attach(_ replica: ReplicaStore) { replicas.append(replica) }

    func detach(_ replica: ReplicaStore) { replicas.removeAll { $0 === replica } }

    func engine() -> FavoritesEngine {
        var settings = FavoritesEngine.Settings()
        settings.rules.capacity = capacity
        settings.isShared = true
        // In some runs it forgets all lists but one or two.
        if scheduler.happens(30) { settings.maximumCacheBytes = 500 }
        let count = contents.lists.values.count(where: \.exists)
        return FavoritesEngine(settings, history: history, base: contents.base, listCount: count)
    }

    // MARK: Transactions

    private func known(_ name: ListName) -> KnownList {
        guard let stored = contents.lists[name] else { return .unknown(base: contents.base) }
        let ids = stored.list.favorites.map(\.character.id)
        return KnownList(revision: stored.list.revision, ids: ids, exists: stored.exists, owner: stored.owner)
    }

    func read(_ wanted: WantedLists) -> ListReading {
        var reading = ListReading(in: history)
        for (name, revision) in wanted.lists {
            reading.lists.append((name, .success(known(name))))
            guard let revision else { continue }
            reading.changes += log.filter { $0.list == name && $0.revision > revision }
        }
        for owner in wanted.owners {
            reading.ownedCounts[owner] = contents.lists.values.count { $0.exists && $0.owner == owner }
        }
        reading.facts = (contents.lists.values.count(where: \.exists), contents.base)
        return reading
    }

    /// Makes the changes of a group whose lists are as they were when it was decided.
    func commit(_ group: ChangeGroup) -> GroupOutcome {
        let count = log.count
        let outcome = apply(group)
        moments.append(Moment(contents: contents, logCount: log.count))
        moments = moments.suffix(Self.maximumLoss)
        if log.count > count {
            scheduler.tell("committed: \(log[count...].map { "\($0.list.text) \($0.revision)" })")
            for replica in replicas { replica.changesWereMade() }
        }
        return outcome
    }

    /// Returns what a commit would give now.
    func predicted(_ group: ChangeGroup) -> GroupOutcome {
        let (before, log) = (contents, log)
        defer {
            contents = before
            eras[eras.count - 1].log = log
        }
        return apply(group)
    }

    private func apply(_ group: ChangeGroup) -> GroupOutcome {
        let repeated = group.requests.enumerated().compactMap { place, request in
            request.key.flatMap { answer(to: $0) }.map { (place, Result<AnsweredRequest, StoreError>.success($0)) }
        }
        let skipped = Set(repeated.compactMap { place, _ in group.requests[place].list })
        var outcome = GroupOutcome(lists: [], repeated: Dictionary(uniqueKeysWithValues: repeated), base: contents.base)
        for (place, list) in group.lists.enumerated() {
            if fault == .skippedRevision, scheduler.happens(2) { contents.lists[list.name]?.list.revision += 1 }
            if skipped.contains(place) {
                outcome.lists.append(.skipped)
            } else if known(list.name) == list.before || fault == .blindWrite && !list.before.isUnknown {
                outcome.lists.append(.applied(write(list)))
            } else {
                outcome.lists.append(.conflict)
            }
        }
        for (place, request) in group.requests.enumerated() where outcome.repeated[place] == nil {
            guard let key = request.key else { continue }
            let changes: [ListChange]
            switch request.list.map({ outcome.lists[$0] }) {
            case .applied(let made): changes = made
            case nil: changes = []
            case .skipped, .conflict, .refused: continue
            }
            contents.answers[key] = request.answered(in: group.history, by: changes)
        }
        return outcome
    }

    private func answer(to key: RequestKey) -> AnsweredRequest? {
        if fault == .forgottenRequest, scheduler.happens(20) { contents.answers[key] = nil }
        return contents.answers[key]
    }

    private func write(_ list: ChangeGroup.List) -> [ListChange] {
        let empty = FavoritesList(favorites: [], revision: list.before.revision, capacity: capacity)
        var stored = contents.lists[list.name] ?? StoredList(list: empty, exists: false)
        stored.list.revision = list.before.revision
        var changes: [ListChange] = []
        for edit in list.edits {
            let change = FavoritesChange(
                revision: stored.list.revision + 1,
                saved: edit.saved,
                removed: edit.removed.flatMap(stored.held),
                evicted: edit.evicted.compactMap(stored.held),
                cleared: edit.cleared.compactMap(stored.held),
                isDeletion: edit.isDeletion
            )
            stored.list.apply(change)
            changes.append(ListChange(list.name, change))
        }
        if !changes.isEmpty {
            (stored.exists, stored.owner) = (list.after.exists, list.after.owner)
            contents.lists[list.name] = stored
        }
        eras[eras.count - 1].log += changes
        return changes
    }

    /// Breaks a promise: forgets the answers to the requests of a group.
    func forgetAnswers(to group: ChangeGroup) {
        for request in group.requests {
            if let key = request.key { contents.answers[key] = nil }
        }
    }

    // MARK: Reading

    func contents(of list: ListName) -> FavoritesList {
        contents.lists[list]?.list ?? FavoritesList(favorites: [], revision: contents.base, capacity: capacity)
    }

    func changes(of list: ListName, after revision: Int64, limit: Int) -> ChangeHistory {
        let current = contents(of: list).revision
        guard revision <= current else { return .ahead(current: current) }
        let changes = eras[eras.count - 1].changes(of: list)
        let oldest = (changes.first?.revision ?? current + 1) - 1
        guard revision >= oldest else { return .compacted(oldest: oldest) }
        return .changes(Array(changes.filter { $0.revision > revision }.prefix(limit)))
    }

    func lists(prefix: String, after: ListName?, limit: Int) -> [ListSummary] {
        let names = contents.lists.filter(\.value.exists).keys.filter { name in
            name.text.hasPrefix(prefix) && after.map { $0.text < name.text } ?? true
        }
        return names.sorted { $0.text < $1.text }.prefix(limit).map { name in
            ListSummary(name: name, revision: known(name).revision, ids: known(name).ids)
        }
    }
}
