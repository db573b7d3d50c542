internal import GRDB
internal import MarvelDomain

extension ListEdit<StoredFavorite> {
    /// Writes the rows of the edit, and its entry in the log. The caller writes the list's own row, once for all changes
    /// of a transaction. Only the row of a new list is written here, because other rows refer to it.
    ///
    /// - Parameters:
    ///   - list: The list that changes.
    ///   - state: The state of the list; it is updated to the state after the edit.
    ///   - isNew: Whether the list's name has no row yet.
    ///   - db: A connection in a transaction.
    /// - Returns: The change as readers get it.
    /// - Throws: Errors of SQLite.
    func write(
        to list: ListName,
        _ state: inout ListState,
        isNew: Bool = false,
        in db: Database
    ) throws -> FavoritesChange {
        let text = ChangeJSON.text(self)
        let (revision, overflow) = state.revision.addingReportingOverflow(1)
        guard !overflow else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a list is at the last revision that there is")
        }
        let next = ListState(
            revision: revision,
            digest: ChangeDigest.next(after: state.digest, revision: revision, text: text),
            logBytes: state.logBytes + Int64(text.utf8.count),
            ids: applied(to: state.ids)
        )
        if isNew { try ListsTable.set(next, of: list, in: db) }
        for id in leavingIDs { try FavoritesTable.delete(id, from: list, in: db) }
        if let saved { try FavoritesTable.insert(saved, on: list, revision: revision, in: db) }
        for favorite in updated { try FavoritesTable.update(favorite, on: list, in: db) }
        try ChangesTable.insert(text, of: list, next, in: db)
        state = next
        return change(at: revision)
    }
}
