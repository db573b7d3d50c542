package import MarvelDomain
internal import SQLiteFiles
internal import Synchronization

/// The characters on lists. There are no former pictures: they were moved when the store was opened.
extension SQLiteFavoritesStore: FavoriteCharacters {
    package func favorites(among ids: Set<Int64>) async throws(StoreError) -> Set<Int64> {
        state.withLock { state in ids.filter(state.held.contains) }
    }

    package func favoriteCharacters(
        excluding excluded: Set<Int64>,
        limit: Int
    ) async throws(StoreError) -> [MarvelCharacter] {
        try await read { [self] db in
            var seen = excluded
            let missingCount = state.withLock { $0.held.count(excluding: seen) }
            var characters: [MarvelCharacter] = []
            let rows = try db.rows("SELECT list, character_id, saved_revision, snapshot, checksum FROM favorites")
            while characters.count < min(limit, missingCount), let row = try rows.next() {
                let id: Int64 = try row.read(at: 1)
                // Another list may have the character if this row is damaged.
                guard !seen.contains(id), state.withLock({ $0.held.contains(id) }),
                    let values = try? row.verifiedValues(),
                    let favorite = try? FavoriteJSON.favorite(values[3].decoded())
                else { continue }
                seen.insert(id)
                characters.append(favorite.character)
            }
            return characters
        }
    }
}
