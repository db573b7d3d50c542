internal import SQLiteFiles

/// The tables as the writer changes them: its connection, with the statements that every toggle runs.
///
/// `@unchecked Sendable` because the store's object, and what it passes this to, use it on the writer's queue only, as
/// the connection itself.
final class StoreTables: @unchecked Sendable {
    let db: Database
    let lists: ListsTable
    let favorites: FavoritesTable
    let changes: ChangesTable
    let answers: RequestAnswersTable
    let snapshots = RecentSnapshots()

    /// - Parameter db: The writer's connection to a store of the newest schema.
    /// - Throws: `DatabaseError`.
    init(_ db: Database) throws {
        self.db = db
        lists = try ListsTable(db)
        favorites = try FavoritesTable(db)
        changes = try ChangesTable(db)
        answers = try RequestAnswersTable(db)
    }

    /// Releases the statements, which has to come before the connection is closed.
    func finalize() {
        for statement in lists.statements + favorites.statements + changes.statements + answers.statements {
            statement.finalize()
        }
    }
}
