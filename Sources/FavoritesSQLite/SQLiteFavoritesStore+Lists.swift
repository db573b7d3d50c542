internal import GRDB
package import MarvelDomain
internal import Synchronization

/// Lists as a whole.
extension SQLiteFavoritesStore {
    /// Deletes a list with all that is on it, in one change that its watchers get. Another list may be made in its place,
    /// and one of the same name goes on counting where this one ended.
    ///
    /// - Returns: The list's revision, and whether there was such a list: if not, nothing changed.
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
