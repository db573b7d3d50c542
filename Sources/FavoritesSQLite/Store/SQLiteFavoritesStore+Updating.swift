internal import GRDB
package import MarvelDomain
internal import Synchronization

/// The update of edited characters on the lists that hold them.
extension SQLiteFavoritesStore {
    /// The maximum number of lists in one transaction, which bounds the wait of toggles.
    private static let listsPerCommit = 200

    package func update(_ characters: [MarvelCharacter]) async throws(StoreError) -> Int {
        let characters = Dictionary(characters.map { ($0.id, $0) }) { first, _ in first }
        var changedCount = 0
        var rest = lists(holding: characters)[...]
        while !rest.isEmpty {
            let lists = Array(rest.prefix(Self.listsPerCommit))
            rest = rest.dropFirst(lists.count)
            changedCount += try await update(lists, to: characters)
        }
        return changedCount
    }

    /// Returns the lists that hold a character. It searches all lists: an index by character would slow down every
    /// toggle.
    private func lists(holding characters: [Int64: MarvelCharacter]) -> [ListName] {
        guard !characters.isEmpty else { return [] }
        return state.withLock(\.lists).compactMap { list, state in
            state.ids.contains { characters[$0] != nil } ? list : nil
        }
    }

    private func update(
        _ lists: [ListName],
        to characters: [Int64: MarvelCharacter]
    ) async throws(StoreError) -> Int {
        let result: Result<Int, StoreError> = await withCheckedContinuation { continuation in
            database.asyncWriteWithoutTransaction { [self] db in
                let result = Result { () throws(StoreError) in
                    try commit(in: db, counting: lists.count) { group in
                        for list in lists { try group.update(list, to: characters, in: db) }
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
