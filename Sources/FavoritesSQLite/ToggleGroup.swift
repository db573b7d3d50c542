internal import GRDB
internal import MarvelDomain

/// Toggles, or updates of characters, that share one transaction, which the caller begins and commits: each sees what those before it did.
///
/// What is on a list is known from memory, which only the writer changes; the disk is asked for what memory does not
/// hold, the answers to requests and the snapshots of favorites.
struct ToggleGroup {
    private let limits: StoreLimits
    private let now: Timestamp
    private let committed: (ListName) -> ListState?
    private var listCount: Int
    private var answerCount = 0

    /// Where the lists are that this group changed.
    private(set) var lists: [ListName: ListState] = [:]
    /// In the order in which they were made.
    private(set) var changes: [(list: ListName, change: FavoritesChange)] = []

    /// - Parameters:
    ///   - limits: What the store may hold.
    ///   - now: When the group is made.
    ///   - listCount: How many lists there are.
    ///   - committed: Where a list was before this group; nil if there is none of that name.
    init(limits: StoreLimits, now: Timestamp, listCount: Int, committed: @escaping (ListName) -> ListState?) {
        self.limits = limits
        self.now = now
        self.listCount = listCount
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
            switch try AnswersTable.find(toggle, requestID, in: db) {
            case .answer(let answer): return .success(.done(answer))
            case .otherContents: return .failure(.requestIDReused)
            case .none: break
            }
        }
        let list = lists[toggle.list] ?? committed(toggle.list) ?? ListState()

        switch toggle.decision(ids: list.ids, capacity: limits.capacity) {
        case .nothing(let isFavorite):
            let result = ToggleResult(isFavorite: isFavorite, revision: list.revision)
            return try answered(toggle, result, evicted: [], in: db)
        case .remove:
            let removed = try FavoritesTable.stored(toggle.characterID, on: toggle.list, in: db)
            return try make(ListChange(removed: removed), for: toggle, list, in: db)
        case .save(let evictedCount):
            // The snapshot of another character is none.
            guard let character, character.id == toggle.characterID else { return .success(.characterNeeded) }
            guard list.revision > 0 || listCount < limits.maximumLists else {
                return .failure(.listLimitReached(maximum: limits.maximumLists))
            }
            let change = ListChange(
                saved: try StoredFavorite(Favorite(character: character, savedAt: now)),
                evicted: try list.ids.prefix(evictedCount).map { id in
                    try FavoritesTable.stored(id, on: toggle.list, in: db)
                }
            )
            return try make(change, for: toggle, list, in: db)
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
        guard let before = lists[name] ?? committed(name) else { return }
        var change = ListChange()
        for id in before.ids where ids.contains(id) {
            guard let character = current(id), character.id == id else { continue }
            var favorite = try FavoritesTable.stored(id, on: name, in: db).favorite
            guard favorite.character != character else { continue }
            favorite.character = character
            change.updated.append(try StoredFavorite(favorite))
        }
        guard !change.updated.isEmpty else { return }
        var list = before
        changes.append((name, try change.write(to: name, &list, in: db)))
        lists[name] = list
    }

    /// Writes what is written once for the whole group. To be called last.
    func finish(in db: Database) throws {
        for (list, state) in lists {
            let before = committed(list)
            try ListsTable.finish(state, of: list, after: before, keeping: limits.changesPerList, in: db)
        }
        guard answerCount > 0 else { return }
        try AnswersTable.prune(limit: 2 * answerCount, keeping: limits.answers, at: now, in: db)
    }

    private mutating func make(
        _ change: ListChange,
        for toggle: Toggle,
        _ before: ListState,
        in db: Database
    ) throws -> Result<ToggleOutcome, StoreError> {
        var list = before
        let made = try change.write(to: toggle.list, &list, in: db)
        if before.revision == 0 { listCount += 1 }
        lists[toggle.list] = list
        changes.append((toggle.list, made))
        let result = ToggleResult(
            isFavorite: made.saved != nil,
            revision: made.revision,
            evicted: made.evicted
        )
        return try answered(toggle, result, evicted: change.evicted, in: db)
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
            try AnswersTable.insert(result, evicted: text, to: toggle, requestID, at: now, in: db)
            answerCount += 1
        }
        return .success(.done(result))
    }
}
