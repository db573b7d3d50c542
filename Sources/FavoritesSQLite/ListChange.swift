internal import GRDB
internal import MarvelDomain

/// One change of a list, before it is written.
struct ListChange {
    var saved: StoredFavorite?
    var removed: StoredFavorite?
    /// The evicted favorites, oldest first.
    var evicted: [StoredFavorite] = []
    /// The updated favorites, in their new form.
    var updated: [StoredFavorite] = []
    /// All favorites of a list that is deleted, oldest first.
    var cleared: [StoredFavorite] = []
    var isDeletion = false

    /// Writes the rows of the change, and its entry in the log. The caller writes the list's own row, once for all
    /// changes of a transaction. Only the row of a new list is written here, because other rows refer to it.
    ///
    /// - Parameters:
    ///   - list: The list that changes.
    ///   - state: The state of the list; it is updated to the state after the change.
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
        let text = text
        let (revision, overflow) = state.revision.addingReportingOverflow(1)
        guard !overflow else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a list is at the last revision that there is")
        }
        let leaving = Set(
            (evicted.favorites + cleared.favorites + [removed?.favorite].compactMap(\.self)).map(\.character.id)
        )
        let next = ListState(
            revision: revision,
            digest: ChangeDigest.next(after: state.digest, revision: revision, text: text),
            logBytes: state.logBytes + Int64(text.utf8.count),
            ids: state.ids.filter { !leaving.contains($0) } + [saved?.favorite.character.id].compactMap(\.self)
        )
        if isNew { try ListsTable.set(next, of: list, in: db) }
        for id in leaving { try FavoritesTable.delete(id, from: list, in: db) }
        if let saved { try FavoritesTable.insert(saved, on: list, revision: revision, in: db) }
        for favorite in updated { try FavoritesTable.update(favorite, on: list, in: db) }
        try ChangesTable.insert(text, of: list, next, in: db)
        state = next
        return FavoritesChange(
            revision: revision,
            saved: saved?.favorite,
            removed: removed?.favorite,
            evicted: evicted.favorites,
            updated: updated.favorites,
            cleared: cleared.favorites,
            isDeletion: isDeletion
        )
    }

    /// The change as JSON, which `ChangeSnapshot` reads.
    private var text: String {
        var members: [String] = []
        if !cleared.isEmpty { members.append("\"cleared\":" + cleared.text) }
        if isDeletion { members.append("\"deleted\":true") }
        if !evicted.isEmpty { members.append("\"evicted\":" + evicted.text) }
        if let removed { members.append("\"removed\":" + removed.text) }
        if let saved { members.append("\"saved\":" + saved.text) }
        if !updated.isEmpty { members.append("\"updated\":" + updated.text) }
        return "{" + members.joined(separator: ",") + "}"
    }
}
