internal import GRDB
internal import MarvelDomain

/// Toggles, updates of characters or deletions of lists that share one transaction, which the caller begins and commits:
/// each sees what those before it did.
///
/// What is on a list is known from memory, which only the writer changes; the disk is asked for what memory does not
/// hold, the answers to requests and the snapshots of favorites.
struct ToggleGroup {
    let limits: StoreLimits
    private let now: Timestamp
    var history: StoreHistory
    private let committed: (ListName) -> ListState?
    private var listCount: Int
    private var answerCount = 0

    /// The states of the lists that this group changed, those that it deleted too.
    var lists: [ListName: ListState] = [:]
    /// Those of them that it deleted.
    var deleted: Set<ListName> = []
    /// The states of `lists` before.
    private(set) var beginnings: [ListName: Beginning] = [:]
    /// The bytes of all logs.
    var logs: LogBudget
    /// The sum of the revisions that the group adds to those of all names.
    private(set) var revisionCount: Int64 = 0
    /// In the order in which they were made.
    private(set) var changes: [(list: ListName, change: FavoritesChange)] = []

    /// - Parameters:
    ///   - limits: What the store may hold.
    ///   - now: When the group is made.
    ///   - history: The history that the changes belong to.
    ///   - listCount: How many lists there are.
    ///   - logs: The bytes of all logs.
    ///   - committed: Where a list was before this group; nil if there is none of that name.
    init(
        limits: StoreLimits,
        now: Timestamp,
        history: StoreHistory,
        listCount: Int,
        logs: LogBudget,
        committed: @escaping (ListName) -> ListState?
    ) {
        self.limits = limits
        self.now = now
        self.history = history
        self.listCount = listCount
        self.logs = logs
        self.committed = committed
    }

    /// Does one toggle. A refusal leaves no trace, and needs no savepoint.
    ///
    /// - Throws: A `DatabaseError`, and then the transaction is to be rolled back; or another error, if a record that
    ///   this toggle needs cannot be read: records are read before anything is written, so the others may go on.
    mutating func apply(
        _ toggle: Toggle,
        character: MarvelCharacter?,
        in db: Database
    ) throws -> Result<ToggleOutcome, StoreError> {
        if let requestID = toggle.requestID {
            switch try AnswersTable.find(requestID, in: db) {
            case .some(let kept): return toggle.repeated(kept.toggle, answer: kept.answer).map(ToggleOutcome.done)
            case .none: break
            }
        }
        let beginning = try beginning(of: toggle.list, in: db)
        let list = lists[toggle.list] ?? beginning.state

        let decision = try limits.rules.decide(
            toggle,
            on: .init(ids: list.ids, exists: exists(toggle.list, beginning), listCount: listCount),
            saving: character,
            at: now
        ) { id in
            try FavoritesTable.stored(id, on: toggle.list, in: db)
        }
        switch decision {
        case .nothing(let isFavorite):
            let result = result(of: toggle, isFavorite: isFavorite, revision: list.revision)
            return try answered(toggle, result, evicted: [], in: db)
        case .characterNeeded: return .success(.characterNeeded)
        case .listLimitReached(let maximum): return .failure(.listLimitReached(maximum: maximum))
        case .edit(let edit): return try make(edit, for: toggle, beginning, in: db)
        }
    }

    /// Replaces the snapshots on one list that are not what `current` says, in one change of it.
    ///
    /// - Throws: As for a toggle.
    mutating func update(
        _ ids: Set<Int64>,
        on name: ListName,
        to current: (Int64) -> MarvelCharacter?,
        in db: Database
    ) throws {
        let beginning = try beginning(of: name, in: db)
        let before = lists[name] ?? beginning.state
        let edit = try ListRules.update(before.ids, where: ids, to: current) { id in
            try FavoritesTable.stored(id, on: name, in: db)
        }
        if let edit { _ = try write(edit, to: name, beginning, in: db) }
    }

    /// Deletes a list, and all that is on it, in one change. Its name goes on counting.
    ///
    /// - Returns: The change; nil if there is no such list.
    /// - Throws: As for a toggle.
    mutating func delete(_ name: ListName, in db: Database) throws -> FavoritesChange? {
        let beginning = try beginning(of: name, in: db)
        guard exists(name, beginning) else { return nil }
        let list = lists[name] ?? beginning.state
        let edit = try ListRules.delete(list.ids) { try FavoritesTable.stored($0, on: name, in: db) }
        return try write(edit, to: name, beginning, in: db)
    }

    /// Writes what is written once for the whole group. To be called last.
    mutating func finish(in db: Database) throws {
        try finishLists(in: db)
        guard answerCount > 0 else { return }
        try AnswersTable.prune(limit: 2 * answerCount, keeping: limits.answers, at: now, in: db)
    }

    private mutating func make(
        _ edit: ListEdit<StoredFavorite>,
        for toggle: Toggle,
        _ beginning: Beginning,
        in db: Database
    ) throws -> Result<ToggleOutcome, StoreError> {
        let made = try write(edit, to: toggle.list, beginning, in: db)
        var result = result(of: toggle, isFavorite: made.saved != nil, revision: made.revision)
        result.evicted = made.evicted
        return try answered(toggle, result, evicted: edit.evicted, in: db)
    }

    private mutating func write(
        _ edit: ListEdit<StoredFavorite>,
        to name: ListName,
        _ beginning: Beginning,
        in db: Database
    ) throws -> FavoritesChange {
        let isFirst = lists[name] == nil
        let existed = exists(name, beginning)
        var list = lists[name] ?? beginning.state
        let before = list.revision
        let made = try edit.write(to: name, &list, isNew: isFirst && !beginning.hasRow, in: db)
        if isFirst {
            beginnings[name] = beginning
            if !beginning.hasRow { revisionCount &+= before }
        }
        if edit.isDeletion {
            listCount -= 1
            deleted.insert(name)
        } else if !existed {
            listCount += 1
            deleted.remove(name)
        }
        revisionCount &+= list.revision - before
        lists[name] = list
        changes.append((name, made))
        return made
    }

    func exists(_ name: ListName, _ beginning: Beginning) -> Bool {
        lists[name] == nil ? beginning.exists : !deleted.contains(name)
    }

    /// The state of a list before this group, from memory if it exists.
    func beginning(of name: ListName, in db: Database) throws -> Beginning {
        if let known = beginnings[name] { return known }
        if let state = committed(name) { return Beginning(state: state, exists: true, hasRow: true) }
        if let state = try ListsTable.state(of: name, in: db) {
            return Beginning(state: state, exists: false, hasRow: true)
        }
        return Beginning(state: ListState(revision: history.base), exists: false, hasRow: false)
    }

    private func result(of toggle: Toggle, isFavorite: Bool, revision: Int64) -> ToggleResult {
        let place = FavoritesPlace(list: toggle.list, history: history.id, revision: revision)
        return ToggleResult(isFavorite: isFavorite, revision: revision, place: place)
    }

    /// Keeps the answer under the request id, if there is one.
    private mutating func answered(
        _ toggle: Toggle,
        _ result: ToggleResult,
        evicted: [StoredFavorite],
        in db: Database
    ) throws -> Result<ToggleOutcome, StoreError> {
        if let requestID = toggle.requestID {
            let text = evicted.isEmpty ? nil : evicted.text
            try AnswersTable.insert(
                result,
                evicted: text,
                to: toggle,
                requestID,
                history: history.id,
                at: now,
                in: db
            )
            answerCount += 1
        }
        return .success(.done(result))
    }
}

/// A list as a group of toggles finds it.
struct Beginning {
    var state: ListState
    /// Whether there is such a list.
    var exists: Bool
    /// Whether its name has a row, which that of a deleted list has too.
    var hasRow: Bool
}
