internal import GRDB
internal import MarvelDomain

/// Toggles, updates of characters or deletions of lists that share one transaction, which the caller begins and
/// commits. Each sees the effect of those before it.
///
/// The contents of lists are known from memory, which only the writer changes. The disk is read only for data that is
/// not in memory: the answers to requests and the snapshots of favorites.
struct ToggleGroup {
    let limits: StoreLimits
    private let now: Timestamp
    var history: StoreHistory
    private let committed: (ListName) -> ListState?
    private var listCount: Int
    private var answerCount = 0

    /// The states of the lists that this group changed, also of those that it deleted.
    var lists: [ListName: ListState] = [:]
    /// The changed lists that it deleted.
    var deleted: Set<ListName> = []
    /// The states of `lists` before this group.
    private(set) var initialStates: [ListName: InitialListState] = [:]
    /// The bytes of all logs.
    var logs: LogBudget
    /// The sum of the revisions that the group adds to those of all names.
    private(set) var revisionCount: Int64 = 0
    /// The changes in the order in which they were made.
    private(set) var changes: [(list: ListName, change: FavoritesChange)] = []

    /// - Parameters:
    ///   - limits: The limits of the store.
    ///   - now: The time of the group.
    ///   - history: The history that the changes belong to.
    ///   - listCount: The number of lists.
    ///   - logs: The bytes of all logs.
    ///   - committed: Returns the state of a list before this group; nil if there is none of that name.
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

    /// Applies one toggle. A refused toggle writes nothing, so it needs no savepoint.
    ///
    /// - Throws: A `DatabaseError` if the transaction has to be rolled back. Another error if a record that this toggle
    ///   needs cannot be read: records are read before anything is written, so the other toggles can continue.
    mutating func apply(
        _ toggle: Toggle,
        character: MarvelCharacter?,
        in db: Database
    ) throws -> Result<ToggleOutcome, StoreError> {
        if let requestID = toggle.requestID {
            switch try RequestAnswersTable.find(requestID, in: db) {
            case .some(let kept): return kept.answer(to: toggle).map(ToggleOutcome.done)
            case .none: break
            }
        }
        let initial = try initialState(of: toggle.list, in: db)
        let list = lists[toggle.list] ?? initial.state

        let decision = try limits.rules.decide(
            toggle,
            on: .init(ids: list.ids, exists: exists(toggle.list, initial), listCount: listCount),
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
        case .edit(let edit): return try make(edit, for: toggle, initial, in: db)
        }
    }

    /// Replaces the snapshots on one list that differ from `characters`, in one change of the list.
    ///
    /// - Throws: The same as for a toggle.
    mutating func update(_ name: ListName, to characters: [Int64: MarvelCharacter], in db: Database) throws {
        let initial = try initialState(of: name, in: db)
        let before = lists[name] ?? initial.state
        let edit = try ListRules.update(before.ids, to: characters) { id in
            try FavoritesTable.stored(id, on: name, in: db)
        }
        if let edit { _ = try write(edit, to: name, initial, in: db) }
    }

    /// Deletes a list with all its favorites, in one change. Its name keeps its revision.
    ///
    /// - Parameters:
    ///   - name: The list.
    ///   - requestID: The id under which the answer is kept; nil if there is none.
    ///   - db: The writer's connection.
    /// - Returns: The deletion, also of a list that does not exist; or the answer that is kept under the id.
    /// - Throws: The same as for a toggle.
    mutating func delete(
        _ name: ListName,
        _ requestID: RequestID?,
        in db: Database
    ) throws -> Result<ListDeletion, StoreError> {
        if let requestID, let kept = try RequestAnswersTable.find(requestID, in: db) {
            return kept.answer(toDeletionOf: name)
        }
        let initial = try initialState(of: name, in: db)
        let list = lists[name] ?? initial.state
        var deletion = ListDeletion(revision: list.revision, existed: exists(name, initial))
        if deletion.existed {
            let edit = try ListRules.delete(list.ids) { try FavoritesTable.stored($0, on: name, in: db) }
            deletion.revision = try write(edit, to: name, initial, in: db).revision
        }
        deletion.place = FavoritesPlace(list: name, history: history.id, revision: deletion.revision)
        if let requestID { try keep(.deletion(name, deletion), requestID, in: db) }
        return .success(deletion)
    }

    /// Writes everything that is written once for the whole group. It must be called last.
    mutating func finish(in db: Database) throws {
        try finishLists(in: db)
        guard answerCount > 0 else { return }
        try RequestAnswersTable.prune(limit: 2 * answerCount, keeping: limits.answers, at: now, in: db)
    }

    private mutating func make(
        _ edit: ListEdit<StoredFavorite>,
        for toggle: Toggle,
        _ initial: InitialListState,
        in db: Database
    ) throws -> Result<ToggleOutcome, StoreError> {
        let made = try write(edit, to: toggle.list, initial, in: db)
        var result = result(of: toggle, isFavorite: made.saved != nil, revision: made.revision)
        result.evicted = made.evicted
        return try answered(toggle, result, evicted: edit.evicted, in: db)
    }

    mutating func write(
        _ edit: ListEdit<StoredFavorite>,
        to name: ListName,
        _ initial: InitialListState,
        in db: Database
    ) throws -> FavoritesChange {
        let isFirst = lists[name] == nil
        let existed = exists(name, initial)
        var list = lists[name] ?? initial.state
        let before = list.revision
        let made = try edit.write(to: name, &list, isNew: isFirst && !initial.hasRow, in: db)
        if isFirst {
            initialStates[name] = initial
            if !initial.hasRow { revisionCount &+= before }
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

    func exists(_ name: ListName, _ initial: InitialListState) -> Bool {
        lists[name] == nil ? initial.exists : !deleted.contains(name)
    }

    /// Returns the state of a list before this group, from memory if the list exists.
    func initialState(of name: ListName, in db: Database) throws -> InitialListState {
        if let known = initialStates[name] { return known }
        if let state = committed(name) { return InitialListState(state: state, exists: true, hasRow: true) }
        if let state = try ListsTable.state(of: name, in: db) {
            return InitialListState(state: state, exists: false, hasRow: true)
        }
        return InitialListState(state: ListState(revision: history.base), exists: false, hasRow: false)
    }

    private func result(of toggle: Toggle, isFavorite: Bool, revision: Int64) -> ToggleResult {
        let place = FavoritesPlace(list: toggle.list, history: history.id, revision: revision)
        return ToggleResult(isFavorite: isFavorite, revision: revision, place: place)
    }

    /// Stores the answer under the request id, if there is one.
    private mutating func answered(
        _ toggle: Toggle,
        _ result: ToggleResult,
        evicted: [StoredFavorite],
        in db: Database
    ) throws -> Result<ToggleOutcome, StoreError> {
        if let requestID = toggle.requestID {
            try keep(.toggle(toggle, result), evicted: evicted.isEmpty ? nil : evicted.text, requestID, in: db)
        }
        return .success(.done(result))
    }

    private mutating func keep(
        _ answered: AnsweredRequest,
        evicted: String? = nil,
        _ requestID: RequestID,
        in db: Database
    ) throws {
        try RequestAnswersTable.insert(
            answered,
            evicted: evicted,
            requestID,
            history: history.id,
            at: now,
            in: db
        )
        answerCount += 1
    }
}

/// The state of a list before a group of toggles.
struct InitialListState {
    var state: ListState
    /// Whether the list exists.
    var exists: Bool
    /// Whether its name has a row. The name of a deleted list has one too.
    var hasRow: Bool
}
