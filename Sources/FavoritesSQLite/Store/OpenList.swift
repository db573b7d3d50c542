internal import MarvelDomain
internal import SQLiteFiles

/// A list in a transaction of the writer. It is read once, and then is as the changes of the transaction left it.
final class OpenList {
    let name: ListName
    /// The state before the transaction. A list of an unknown name begins with it.
    let before: ListState
    /// Whether the name had a row before the transaction. The name of a deleted list has one too.
    let hadRow: Bool
    /// The state after the changes so far.
    private(set) var state: ListState
    /// Whether the list exists after the changes so far.
    private(set) var exists: Bool
    /// Whether the transaction has changed the list.
    private(set) var isChanged = false
    /// The favorites that were read or saved so far, by their ids: what a toggle saved, the next one may evict.
    private var favorites: [Int64: StoredFavorite] = [:]
    /// The ids that have a row in the table of favorites.
    private var writtenIDs: [Int64]
    /// The ids on the list that the transaction has saved and not written yet, with the revisions that saved them.
    private var savedRevisions: [Int64: Int64] = [:]

    /// Reads a list.
    ///
    /// - Parameters:
    ///   - name: The list.
    ///   - base: The revision with which a list of an unknown name begins.
    ///   - damagedLists: The lists that were found damaged before: they stay as they are.
    ///   - tables: The tables.
    /// - Throws: `DamagedList`, or errors of SQLite.
    init(_ name: ListName, base: Int64, refusing damagedLists: Set<ListName>, in tables: StoreTables) throws {
        guard !damagedLists.contains(name) else { throw DamagedList(list: name, problem: .known) }
        let stored = try tables.lists.list(name)
        self.name = name
        before = stored?.state ?? ListState(revision: base)
        hadRow = stored != nil
        state = before
        exists = stored?.exists ?? false
        writtenIDs = before.ids
    }

    /// Returns a favorite that is on the list.
    ///
    /// - Throws: `DamagedList` if it is missing, or differs from what was written.
    func favorite(_ id: Int64, in tables: StoreTables) throws -> Favorite {
        if let known = favorites[id] { return known.favorite }
        let stored = try tables.favorites.stored(id, on: name, tables.snapshots)
        favorites[id] = stored
        return stored.favorite
    }

    /// Returns favorites that are or were on the list, as JSON.
    func text(_ favorites: [Favorite]) -> [UInt8] {
        var json = JSONWriter()
        json.array { json in for favorite in favorites { json.json(text(favorite)) } }
        return json.bytes
    }

    private func text(_ favorite: Favorite) -> [UInt8] {
        favorites[favorite.character.id]?.text ?? FavoriteJSON.utf8(favorite)
    }

    /// Makes an edit, and writes its entry in the log. The rows of the favorites and of the list itself are written by
    /// `finish`, once for all changes of the transaction. Only the row of a new list is written here, because other rows
    /// refer to it.
    ///
    /// - Parameters:
    ///   - edit: The edit. All favorites in it were returned by `favorite`, except what it saves.
    ///   - tables: The tables.
    /// - Returns: The change as readers get it.
    /// - Throws: Errors of SQLite.
    func write(_ edit: ListEdit, in tables: StoreTables) throws -> FavoritesChange {
        let (revision, overflow) = state.revision.addingReportingOverflow(1)
        guard !overflow else {
            throw DatabaseError.damaged("a list is at the last revision that there is")
        }
        if let saved = edit.saved { favorites[saved.character.id] = tables.snapshots.stored(saved, on: name) }
        let text = ChangeJSON.text(edit, text)
        edit.apply(to: &state.ids)
        state.digest = ChangeDigest.next(after: state.digest, revision: revision, text: text)
        state.logBytes += Int64(text.count)
        state.revision = revision
        exists = !edit.isDeletion
        if !hadRow, !isChanged { try tables.lists.set(state, of: name, exists: exists) }
        isChanged = true
        noteFavorites(of: edit)
        try tables.changes.insert(text, of: name, state)
        return edit.change(at: revision)
    }

    private func noteFavorites(of edit: ListEdit) {
        edit.forEachLeavingID { savedRevisions[$0] = nil }
        if let saved = edit.saved { savedRevisions[saved.character.id] = state.revision }
    }

    /// Writes the rows of the favorites as the changes so far left them. What a toggle of a group saved and a later one
    /// removed has no row: two statements less for most toggles of a list that many change at the same time.
    ///
    /// - Throws: Errors of SQLite.
    func writeFavorites(in table: FavoritesTable) throws {
        for id in writtenIDs where savedRevisions[id] != nil || !state.ids.contains(id) {
            try table.delete(id, from: name)
        }
        for id in state.ids {
            guard let stored = favorites[id], let revision = savedRevisions[id] else { continue }
            try table.insert(stored, on: name, revision: revision)
        }
        (writtenIDs, savedRevisions) = (state.ids, [:])
    }

    /// Writes the rows of the favorites and of the list after the last of its changes, and deletes from its log the
    /// changes that need not be kept.
    ///
    /// - Returns: The growth of the log, in bytes; negative if it became shorter.
    /// - Throws: Errors of SQLite.
    func finish(keeping count: Int64, in tables: StoreTables) throws -> Int64 {
        try writeFavorites(in: tables.favorites)
        if state.revision > count {
            // Each new change may remove two: so the log shrinks to its limit if it was ever above it. One more than
            // the limit stays, because its digest proves the change after it.
            let limit = 2 * (state.revision - before.revision)
            state.logBytes -= try tables.changes.prune(through: state.revision - count - 1, of: name, limit: limit)
        }
        try tables.lists.set(state, of: name, exists: exists)
        return state.logBytes - before.logBytes
    }

    /// Deletes the changes in the list's log up to a revision.
    ///
    /// - Returns: The bytes of the deleted changes.
    /// - Throws: Errors of SQLite.
    func cutLog(through revision: Int64, in tables: StoreTables) throws -> Int64 {
        let freed = try tables.changes.prune(through: revision, of: name, limit: .max)
        state.logBytes = max(0, state.logBytes - freed)
        // A log without changes has no digest.
        if state.logBytes == 0 { state.digest = 0 }
        try ListsTable.setLog(state, of: name, in: tables.db)
        return freed
    }
}
