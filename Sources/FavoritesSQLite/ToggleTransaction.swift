internal import GRDB
internal import MarvelDomain

/// One toggle, from its request id to its answer, inside a transaction that the caller begins and commits.
///
/// Everything is read from the database, so any number of toggles may follow each other in one transaction.
struct ToggleTransaction {
    let limits: StoreLimits
    let now: Timestamp

    /// What the caller does with a toggle once the transaction is on disk.
    struct Effect {
        let result: Result<ToggleOutcome, StoreError>
        /// What the list holds now, oldest first, if the toggle changed it.
        var changedIDs: [Int64]?
    }

    /// - Throws: What SQLite threw; the caller rolls back. A refusal is no error here: it leaves no trace.
    func apply(_ toggle: Toggle, character: MarvelCharacter?, in db: Database) throws -> Effect {
        guard let requestID = toggle.requestID else { return try change(toggle, character, in: db) }

        switch try AnswersTable.find(toggle, requestID, in: db) {
        case .answer(let answer): return Effect(result: .success(.done(answer)))
        case .otherContents: return Effect(result: .failure(.requestIDReused))
        case .none: break
        }
        let effect = try change(toggle, character, in: db)
        if case .success(.done(let answer)) = effect.result {
            try AnswersTable.insert(answer, to: toggle, requestID, at: now, in: db)
            // One comes, so two may leave: the table shrinks to its limit if it was ever above.
            try AnswersTable.prune(limit: 2, keeping: limits.answers, at: now, in: db)
        }
        return effect
    }

    private func change(_ toggle: Toggle, _ character: MarvelCharacter?, in db: Database) throws -> Effect {
        let revision = try ListsTable.revision(of: toggle.list, in: db)
        let ids = try FavoritesTable.ids(on: toggle.list, in: db)

        switch toggle.decision(ids: ids, capacity: limits.capacity) {
        case .nothing(let isFavorite):
            return Effect(result: .success(.done(ToggleResult(isFavorite: isFavorite, revision: revision))))
        case .remove:
            return try remove(toggle, from: ids, revision: revision + 1, in: db)
        case .save(let evictedCount):
            // The snapshot of another character is none.
            guard let character, character.id == toggle.characterID else {
                return Effect(result: .success(.characterNeeded))
            }
            if try revision == 0 && ListsTable.count(in: db) >= limits.maximumLists {
                return Effect(result: .failure(.listLimitReached(maximum: limits.maximumLists)))
            }
            return try save(character, on: toggle.list, evicting: evictedCount, of: ids, revision: revision + 1, in: db)
        }
    }

    private func remove(_ toggle: Toggle, from ids: [Int64], revision: Int64, in db: Database) throws -> Effect {
        try ListsTable.setRevision(revision, of: toggle.list, in: db)
        try FavoritesTable.delete(toggle.characterID, from: toggle.list, in: db)
        return Effect(
            result: .success(.done(ToggleResult(isFavorite: false, revision: revision))),
            changedIDs: ids.filter { $0 != toggle.characterID }
        )
    }

    private func save(
        _ character: MarvelCharacter,
        on list: ListName,
        evicting evictedCount: Int,
        of ids: [Int64],
        revision: Int64,
        in db: Database
    ) throws -> Effect {
        let evicted = try evictedCount == 0 ? [] : FavoritesTable.oldest(evictedCount, on: list, in: db)
        try ListsTable.setRevision(revision, of: list, in: db)
        for id in ids.prefix(evictedCount) {
            try FavoritesTable.delete(id, from: list, in: db)
        }
        let favorite = Favorite(character: character, savedAt: now)
        try FavoritesTable.insert(favorite, on: list, revision: revision, in: db)
        return Effect(
            result: .success(.done(ToggleResult(isFavorite: true, revision: revision, evicted: evicted))),
            changedIDs: ids.dropFirst(evictedCount) + [character.id]
        )
    }
}
