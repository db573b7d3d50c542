internal import SQLiteFiles

/// The tables as the writer changes them: its connection, with the statements that every toggle runs.
///
/// `@unchecked Sendable` because the store, and its callees, use it only on the writer's queue, like the connection
/// itself.
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
}
