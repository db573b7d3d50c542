package import MarvelDomain
internal import SQLiteFiles
internal import Synchronization

/// The names of lists.
extension SQLiteFavoritesStore {
    package func lists(
        prefix: String,
        after: ListName?,
        limit: Int
    ) async throws(StoreError) -> [ListSummary] {
        let (lists, damaged) = try await read { db in
            try ListsTable.summaries(prefix: prefix, after: after, limit: limit, in: db)
        }
        for damage in damaged { note(damage) }
        return lists
    }
}
