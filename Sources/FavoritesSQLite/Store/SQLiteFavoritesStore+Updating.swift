internal import GRDB
package import MarvelDomain
internal import Synchronization

/// The update of edited characters on the lists that hold them.
extension SQLiteFavoritesStore {
    /// The maximum number of lists in one transaction, which bounds the wait of toggles.
    private static let listsPerCommit = 200

    package func update(_ characters: [MarvelCharacter]) async throws(StoreError) -> Int {
        let characters = Dictionary(characters.map { ($0.id, $0) }) { first, _ in first }
        // Most edited characters are on no list.
        guard state.withLock({ state in characters.keys.contains(where: state.held.contains) }) else { return 0 }
        var changedCount = 0
        var last: ListName?
        repeat {
            let lists = try await read { [last] db in
                try FavoritesTable.lists(holding: characters.keys, after: last, limit: Self.listsPerCommit, in: db)
            }
            if !lists.isEmpty { changedCount += try await update(lists, to: characters) }
            last = lists.count < Self.listsPerCommit ? nil : lists.last
        } while last != nil
        return changedCount
    }

    private func update(
        _ lists: [ListName],
        to characters: [Int64: MarvelCharacter]
    ) async throws(StoreError) -> Int {
        let result: Result<Int, StoreError> = await withCheckedContinuation { continuation in
            database.asyncWriteWithoutTransaction { [self] db in
                let result = Result { () throws(StoreError) in
                    try commit(in: db) { group in
                        for list in lists {
                            do {
                                try group.update(list, to: characters)
                            } catch let damage as DamagedList {
                                note(damage)
                            }
                        }
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
