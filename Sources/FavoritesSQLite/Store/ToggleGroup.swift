internal import GRDB
internal import MarvelDomain

/// Toggles, updates of characters or deletions of lists that share one transaction, which the caller begins and
/// commits. Each sees the effect of those before it.
///
/// A list is read in the transaction, once for the whole group.
struct ToggleGroup {
    let limits: StoreLimits
    private let now: Timestamp
    var history: StoreHistory
    /// The number of lists that exist.
    private(set) var listCount: Int
    private var answerCount = 0

    /// The lists that were read so far.
    var lists: [ListName: GroupedList] = [:]
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
    init(
        limits: StoreLimits,
        now: Timestamp,
        history: StoreHistory,
        listCount: Int,
        logs: LogBudget
    ) {
        self.limits = limits
        self.now = now
        self.history = history
        self.listCount = listCount
        self.logs = logs
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
        let list = try list(toggle.list, in: db)
        let decision = try limits.rules.decide(
            toggle,
            on: .init(ids: list.state.ids, exists: list.exists, listCount: listCount),
            saving: character,
            at: now
        ) { id in
            try FavoritesTable.stored(id, on: toggle.list, in: db)
        }
        switch decision {
        case .nothing(let isFavorite):
            let result = result(of: toggle, isFavorite: isFavorite, revision: list.state.revision)
            return try answered(toggle, result, evicted: [], in: db)
        case .characterNeeded: return .success(.characterNeeded)
        case .listLimitReached(let maximum): return .failure(.listLimitReached(maximum: maximum))
        case .edit(let edit): return try make(edit, for: toggle, in: db)
        }
    }

    /// Replaces the snapshots on one list that differ from `characters`, in one change of the list.
    ///
    /// - Throws: The same as for a toggle.
    mutating func update(_ name: ListName, to characters: [Int64: MarvelCharacter], in db: Database) throws {
        let edit = try ListRules.update(list(name, in: db).state.ids, to: characters) { id in
            try FavoritesTable.stored(id, on: name, in: db)
        }
        if let edit { _ = try write(edit, to: name, in: db) }
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
        let list = try list(name, in: db)
        var deletion = ListDeletion(revision: list.state.revision, existed: list.exists)
        if deletion.existed {
            let edit = try ListRules.delete(list.state.ids) { try FavoritesTable.stored($0, on: name, in: db) }
            deletion.revision = try write(edit, to: name, in: db).revision
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
        in db: Database
    ) throws -> Result<ToggleOutcome, StoreError> {
        let made = try write(edit, to: toggle.list, in: db)
        var result = result(of: toggle, isFavorite: made.saved != nil, revision: made.revision)
        result.evicted = made.evicted
        return try answered(toggle, result, evicted: edit.evicted, in: db)
    }

    /// Writes an edit of a list as its next change.
    ///
    /// - Returns: The change.
    /// - Throws: Errors of SQLite.
    mutating func write(
        _ edit: ListEdit<StoredFavorite>,
        to name: ListName,
        in db: Database
    ) throws -> FavoritesChange {
        var list = try list(name, in: db)
        let before = list.state.revision
        let isNew = !list.hadRow && !list.isChanged
        let made = try edit.write(to: name, &list.state, isNew: isNew, in: db)
        if isNew { revisionCount &+= before }
        revisionCount &+= list.state.revision - before
        listCount += (edit.isDeletion ? 0 : 1) - (list.exists ? 1 : 0)
        list.exists = !edit.isDeletion
        list.isChanged = true
        lists[name] = list
        changes.append((name, made))
        return made
    }

    /// Returns a list, as the changes of this group so far have left it.
    mutating func list(_ name: ListName, in db: Database) throws -> GroupedList {
        if let list = lists[name] { return list }
        let list: GroupedList
        if let stored = try ListsTable.list(name, in: db) {
            list = GroupedList(before: stored.state, hadRow: true, state: stored.state, exists: stored.exists)
        } else {
            let state = ListState(revision: history.base)
            list = GroupedList(before: state, hadRow: false, state: state, exists: false)
        }
        lists[name] = list
        return list
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

/// A list in a group of toggles.
struct GroupedList {
    /// The state before the group. A list of an unknown name begins with it.
    let before: ListState
    /// Whether the name had a row before the group. The name of a deleted list has one too.
    let hadRow: Bool
    /// The state after the changes so far.
    var state: ListState
    /// Whether the list exists after the changes so far.
    var exists: Bool
    /// Whether the group has changed the list.
    var isChanged = false
}
