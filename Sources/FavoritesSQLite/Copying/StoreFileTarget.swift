package import MarvelDomain
internal import SQLiteFiles

package struct StoreFileTarget {
    private let tables: StoreTables

    /// Writes a store beside its path, and renames it when it is complete and verified. `isCopy` means that it is a
    /// backup: a server that opens it begins a new history. `overwriting` permits replacing a file. `body` writes the
    /// records.
    ///
    /// - Throws: `FavoritesStoreOpenError`, or the error of `body`; then there is no store, and a file at `path` is
    ///   unchanged.
    package static func write(
        to path: String,
        _ facts: StoredFacts,
        isCopy: Bool,
        overwriting: Bool = false,
        _ body: (StoreFileTarget) throws -> Void
    ) throws -> StoreReport {
        try StoreBackup.refuse(target: path, isCopy: isCopy, overwriting: overwriting)
        // No server starts a store of that name meanwhile, and none was there before.
        let lock = isCopy ? nil : try StoreLock(store: path, address: nil)
        defer { lock?.abandon() }
        if !isCopy { _ = try StorePresence.check(at: path) }
        let partial = try PartialFile.copy(to: path)
        defer { partial.remove() }
        var settings = Database.Settings()
        // The rows of changes and favorites come before that of their list. The verification compares them.
        settings.hasForeignKeys = false
        settings.isDefended = false
        let db = try Database(partial.path, settings)
        // An unfinished file is removed, so no journal is needed. It is synced before it gets its name.
        try db.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
        try db.defend()
        try StoreSchema.migrate(db)
        // The edits come with the store, so no file beside it is taken over.
        let sql = "UPDATE history SET history = ?, base = ?, is_copy = ?, has_taken_edits = 1"
        try db.run(sql, facts.history.value, facts.base, isCopy)
        try db.committed {
            try body(StoreFileTarget(tables: StoreTables(db)))
        }
        try db.close()
        var report = try StoreBackup.verify(partial.path, failure: "the copy failed its check and was deleted")
        report.capacity = facts.capacity
        if !isCopy { StoreWitness.make(of: path) }
        try partial.placeCopy(overwriting: overwriting)
        return report
    }

    package func write(_ record: StoreRecord) throws { try tables.write(record) }
}

extension StoreTables {
    /// Writes a record of another store. No other row has its key.
    func write(_ record: StoreRecord) throws {
        switch record {
        case .list(let list): try write(list)
        case .answer(let answer):
            try answers.insert(
                AnswerColumns(answer.answered),
                evicted: answer.evicted,
                answer.request,
                history: answer.history,
                at: answer.createdAt
            )
        case .edit(let edit):
            let (edited, picture) = try EditedCharacter.read(edit)
            try EditsTable.put(edited, picture.map { .set($0) }, in: db)
        }
    }

    private func write(_ list: StoreRecord.List) throws {
        let name = list.name
        var state = ListState()
        for change in list.changes {
            state.digest = ChangeDigest.next(after: state.digest, revision: change.revision, text: change.text)
            state.revision = change.revision
            state.logBytes += Int64(change.text.count)
            try changes.insert(change.text, of: name, state)
        }
        for favorite in list.favorites {
            let stored = try StoredFavorite(text: favorite.text)
            guard stored.favorite.character.id == favorite.id else {
                throw DatabaseError.damaged("a favorite belongs to another character")
            }
            try favorites.insert(stored, on: name, revision: favorite.savedRevision)
        }
        state.revision = list.revision
        state.ids = list.favorites.map(\.id)
        try lists.set(state, of: name, exists: list.deletion == nil)
        try lists.setOwner(list.owner.name, of: name)
        if let deletion = list.deletion {
            try db.run("UPDATE lists SET deletion = ? WHERE name = ?", deletion, name.text)
        }
    }
}
