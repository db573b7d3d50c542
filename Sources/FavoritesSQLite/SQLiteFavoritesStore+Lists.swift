internal import GRDB
package import MarvelDomain
internal import Synchronization

/// The names of lists, and the deletion of whole lists.
extension SQLiteFavoritesStore {
    package func lists(
        prefix: String,
        after: ListName?,
        limit: Int
    ) async throws(StoreError) -> [ListSummary] {
        try await read { db in try ListsTable.summaries(prefix: prefix, after: after, limit: limit, in: db) }
    }

    package func delete(_ list: ListName) async throws(StoreError) -> ListDeletion {
        let result: Result<ListDeletion, StoreError> = await withCheckedContinuation { continuation in
            database.asyncWriteWithoutTransaction { [self] db in
                let result = Result { () throws(StoreError) in
                    try commit(in: db, counting: 1) { group throws in
                        if let change = try group.delete(list, in: db) {
                            return ListDeletion(revision: change.revision, existed: true)
                        }
                        return ListDeletion(revision: try ListsTable.revision(of: list, in: db), existed: false)
                    }
                }
                checkpointIfDue(in: db)
                continuation.resume(returning: result)
            }
        }
        return try result.get()
    }
}
