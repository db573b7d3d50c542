internal import GRDB
package import MarvelDomain
internal import Synchronization

/// The update of edited characters on the lists that hold them.
extension SQLiteFavoritesStore {
    /// The maximum number of lists in one transaction, which bounds the wait of toggles.
    private static let listsPerCommit = 200

    package func bringUpToDate(
        _ ids: Set<Int64>,
        to current: @escaping @Sendable (Int64) -> MarvelCharacter?
    ) async throws(StoreError) -> Int {
        var changedCount = 0
        var rest = lists(holding: ids)[...]
        while !rest.isEmpty {
            let lists = Array(rest.prefix(Self.listsPerCommit))
            rest = rest.dropFirst(lists.count)
            changedCount += try await bringUpToDate(ids, on: lists, to: current)
        }
        return changedCount
    }

    /// Returns the lists that hold a character. It searches all lists: an index by character would slow down every
    /// toggle.
    private func lists(holding ids: Set<Int64>) -> [ListName] {
        guard !ids.isEmpty else { return [] }
        return state.withLock(\.lists).compactMap { list, state in
            state.ids.contains(where: ids.contains) ? list : nil
        }
    }

    private func bringUpToDate(
        _ ids: Set<Int64>,
        on lists: [ListName],
        to current: @escaping @Sendable (Int64) -> MarvelCharacter?
    ) async throws(StoreError) -> Int {
        let result: Result<Int, StoreError> = await withCheckedContinuation { continuation in
            database.asyncWriteWithoutTransaction { [self] db in
                let result = Result { () throws(StoreError) in
                    try commit(in: db, counting: lists.count) { group in
                        for list in lists { try group.update(ids, on: list, to: current, in: db) }
                        return group.changes.count
                    }
                }
                checkpointIfDue(in: db)
                continuation.resume(returning: result)
            }
        }
        return try result.get()
    }
}
