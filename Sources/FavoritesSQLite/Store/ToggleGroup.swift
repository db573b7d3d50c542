internal import MarvelDomain
internal import SQLiteFiles

/// Toggles, deletions of lists, or edits of characters that share one transaction, which the caller begins and
/// commits. Each sees the effect of those before it.
struct ToggleGroup {
    let tables: StoreTables
    let limits: StoreLimits
    private let now: Timestamp
    private let damagedLists: Set<ListName>
    var history: StoreHistory
    /// The number of lists that exist.
    private(set) var listCount: Int
    /// The number of names of deleted lists.
    var deletedCount: Int
    private var answerCount = 0

    /// The lists that were read so far.
    var lists: [ListName: OpenList] = [:]
    /// The bytes of all logs.
    var logs: LogBudget
    /// The growth of the sum of the revisions of all names and of the last edit.
    var revisionCount: Int64 = 0
    /// The changes in the order in which they were made.
    private(set) var changes: [ListChange] = []

    /// - Parameters:
    ///   - state: The state of the store before the transaction.
    ///   - tables: The tables, on the connection of the transaction.
    ///   - limits: The limits of the store.
    ///   - now: The time of the group.
    init(of state: StoreState, tables: StoreTables, limits: StoreLimits, now: Timestamp) {
        self.tables = tables
        self.limits = limits
        self.now = now
        damagedLists = state.damagedLists
        history = state.history
        listCount = state.listCount
        deletedCount = state.deletedCount
        logs = state.logs
    }

    /// Applies one toggle. A refused toggle writes nothing, so it needs no savepoint.
    ///
    /// - Throws: A `DatabaseError` if the transaction has to be rolled back. Another error if a list or record that this toggle
    ///   needs cannot be read: records are read before anything is written, so the other toggles can continue.
    mutating func apply(
        _ toggle: Toggle,
        character: MarvelCharacter?
    ) throws -> Result<ToggleOutcome, StoreError> {
        if let request = toggle.request, let kept = try tables.answers.find(request) {
            return kept.answer(to: toggle).map(ToggleOutcome.done)
        }
        let list = try list(toggle.list)
        let decision = try limits.rules.decide(
            toggle,
            on: .init(ids: list.state.ids, exists: list.exists, listCount: listCount),
            saving: character,
            at: now,
            held: { try list.favorite($0, in: tables) },
            owned: { try tables.lists.count(ownedBy: $0, atMost: limits.maximumListsPerOwner) }
        )
        switch decision {
        case .nothing(let isFavorite):
            return try answered(toggle, by: list, ToggleResult(isFavorite: isFavorite, revision: list.state.revision))
        case .characterNeeded: return .success(.characterNeeded)
        case .refused(let error): return .failure(error)
        case .edit(let edit):
            let revision = try write(edit, to: list, of: toggle.owner)
            return try answered(
                toggle,
                by: list,
                ToggleResult(isFavorite: edit.saved != nil, revision: revision, evicted: edit.evicted)
            )
        }
    }

    /// Deletes a list with all its favorites, in one change. Its name keeps its revision.
    ///
    /// - Parameters:
    ///   - name: The list.
    ///   - request: The key under which the answer is kept; nil if there is none.
    /// - Returns: The deletion, also of a list that does not exist; or the answer that is kept under the id.
    /// - Throws: The same as for a toggle.
    mutating func delete(_ name: ListName, _ request: RequestKey?) throws -> Result<ListDeletion, StoreError> {
        if let request, let kept = try tables.answers.find(request) { return kept.answer(toDeletionOf: name) }
        let list = try list(name)
        var deletion = ListDeletion(revision: list.state.revision, existed: list.exists)
        if deletion.existed {
            let edit = try ListRules.delete(list.state.ids) { try list.favorite($0, in: tables) }
            deletion.revision = try write(edit, to: list)
        }
        deletion.place = FavoritesPlace(list: name, history: history.id, revision: deletion.revision)
        if let request { try keep(.deletion(name, deletion), request) }
        return .success(deletion)
    }

    /// Writes everything that is written once for the whole group. It must be called last.
    mutating func finish() throws {
        try finishLists()
        guard answerCount > 0 else { return }
        try tables.answers.prune(limit: 2 * answerCount, keeping: limits.answers, at: now)
    }

    /// Writes an edit of a list as its next change.
    ///
    /// - Parameters:
    ///   - edit: The edit.
    ///   - list: The list.
    ///   - owner: The owner of the list if the edit makes it.
    /// - Returns: The revision of the change.
    /// - Throws: Errors of SQLite.
    mutating func write(_ edit: ListEdit, to list: OpenList, of owner: ListOwner = .nobody) throws -> Int64 {
        let (before, existed) = (list.state.revision, list.exists)
        let wasDeleted = !existed && (list.hadRow || list.isChanged)
        // A list of a new name begins with the base, which counts too.
        if !list.hadRow, !list.isChanged { revisionCount &+= before }
        changes.append(ListChange(list.name, try list.write(edit, in: tables)))
        revisionCount &+= list.state.revision - before
        listCount += (list.exists ? 1 : 0) - (existed ? 1 : 0)
        deletedCount += (list.exists ? 0 : 1) - (wasDeleted ? 1 : 0)
        try noteOwner(owner, of: list, existed: existed)
        return list.state.revision
    }

    /// Writes the owner of a list that was made, and removes that of a deleted one. It is written at once, because the next
    /// toggle of the group may ask how many lists the owner has.
    private func noteOwner(_ owner: ListOwner, of list: OpenList, existed: Bool) throws {
        if existed, !list.exists {
            try tables.lists.setOwner(nil, of: list.name)
        } else if !existed, list.exists, let name = owner.name {
            try tables.lists.setOwner(name, of: list.name)
        }
    }

    /// Returns a list, as the changes of this group so far have left it.
    mutating func list(_ name: ListName) throws -> OpenList {
        if let list = lists[name] { return list }
        let list = try OpenList(name, base: history.base, refusing: damagedLists, in: tables)
        lists[name] = list
        return list
    }

    /// Gives the result of a toggle its place, and stores it under the request id, if there is one.
    private mutating func answered(
        _ toggle: Toggle,
        by list: OpenList,
        _ result: ToggleResult
    ) throws -> Result<ToggleOutcome, StoreError> {
        var result = result
        result.place = FavoritesPlace(list: list.name, history: history.id, revision: result.revision)
        if let request = toggle.request {
            let evicted = result.evicted.isEmpty ? nil : list.text(result.evicted)
            try keep(.toggle(toggle, result), evicted: evicted, request)
        }
        return .success(.done(result))
    }

    mutating func keep(_ answered: AnsweredRequest, evicted: [UInt8]? = nil, _ request: RequestKey) throws {
        try tables.answers.insert(answered, evicted: evicted, request, history: history.id, at: now)
        answerCount += 1
    }
}
