internal import GRDB
package import MarvelDomain
internal import Synchronization

/// The deletion of whole lists.
extension SQLiteFavoritesStore {
    /// Deletes a list with all its favorites, in one change that its watchers get. The list then no longer counts
    /// towards the maximum. A new list of the same name continues with the next revision.
    ///
    /// - Returns: The list's revision, and whether the list existed: if not, nothing changed.
    /// - Throws: `StoreError.notWritable`; then nothing changed.
    package func delete(_ list: ListName) async throws(StoreError) -> (revision: Int64, existed: Bool) {
        let result: Result<(Int64, Bool), StoreError> = await withCheckedContinuation { continuation in
            database.asyncWriteWithoutTransaction { [self] db in
                let result = Result { () throws(StoreError) in
                    try commit(in: db, counting: 1) { group throws in
                        if let change = try group.delete(list, in: db) { return (change.revision, true) }
                        return (try ListsTable.revision(of: list, in: db), false)
                    }
                }
                checkpointIfDue(in: db)
                continuation.resume(returning: result)
            }
        }
        return try result.get()
    }
}
