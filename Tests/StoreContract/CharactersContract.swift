package import MarvelDomain

/// The contract of every store about the characters on its lists.
package enum CharactersContract {
    /// Runs all cases on an empty store with a capacity of at least 4.
    ///
    /// - Throws: `ContractViolation`, or what the store threw.
    package static func run(on store: any FavoritesStore & FavoriteCharacters) async throws {
        func found(excluding ids: Set<Int64> = [], limit: Int = 10) async throws -> [MarvelCharacter] {
            try await store.favoriteCharacters(excluding: ids, limit: limit).sorted { $0.id < $1.id }
        }
        try expect(try await store.favorites(among: [1, 2]), [], "an empty store")
        try expect(try await store.favorites(among: []), [], "no characters")
        let other = try ListName(valid: "other")
        for id: Int64 in 1...4 { try await store.answer(id) }
        try await store.answer(4, on: other)
        let revision = try await store.favorites(.default).revision
        try expect(try await found().map(\.id), [1, 2, 3, 4], "each character once")
        try expect(try await found().first, character(1), "the character as it was saved")
        try expect(try await found(excluding: [3, 99]).map(\.id), [1, 2, 4], "without some")
        try expect(try await found(excluding: [1, 2, 3, 4]).map(\.id), [], "without all")
        try expect(try await found(limit: 2).count, 2, "no more than wanted")
        try await store.answer(1, .removed)
        try await store.answer(4, .removed)
        try expect(try await store.favorites(among: [1, 2, 4, 99]), [2, 4], "another list holds 4")
        try expect(try await found().map(\.id), [2, 3, 4], "those on lists")
        try await _ = store.delete(other)
        try expect(try await store.favorites(among: [2, 4]), [2], "a deleted list")
        try expect(try await store.favorites(.default).revision, revision + 2, "no change of a list")
    }
}
