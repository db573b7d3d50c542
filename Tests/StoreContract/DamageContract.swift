package import MarvelDomain

/// Damage to the rows of one list, as a disk or another program does it.
package enum ListDamage: Sendable, CaseIterable {
    /// The contents of the oldest favorite differ from what was written.
    case alteredFavorite
    /// The oldest favorite is missing.
    case missingFavorite
    /// The list's row has another revision.
    case alteredRow
    /// Change 2 in the list's log differs from what was written.
    case alteredChange
}

/// The behaviour of every `FavoritesStore` when rows are damaged: the list is refused by its name, and others are served.
package enum DamageContract {
    /// Damages a list of the store.
    package typealias Inflict = @Sendable (ListDamage, ListName) async throws -> Void

    /// Runs the case.
    ///
    /// - Parameters:
    ///   - damage: The damage.
    ///   - store: An empty store whose lists hold three favorites.
    ///   - inflict: Damages a list.
    /// - Throws: `ContractViolation` if the store does something else, or what the store threw.
    package static func run(
        _ damage: ListDamage,
        on store: any FavoritesStore,
        _ inflict: Inflict
    ) async throws {
        let (damaged, whole) = (try ListName(valid: "damaged"), try ListName(valid: "whole"))
        for id: Int64 in 1...3 { try await store.answer(id, on: damaged) }
        for id: Int64 in 4...5 { try await store.answer(id, on: whole) }
        let before = try await store.favorites(whole)
        try await inflict(damage, damaged)

        if damage == .alteredChange {
            try await expectGap(damaged, in: store)
        } else {
            try await expectRefusal(damaged, in: store)
        }
        try expect(try await store.favorites(whole), before, "the other list")
        try expect(try await store.answer(6, on: whole).revision, 3, "a save on the other list")
        let lists = try await store.lists(prefix: "", after: nil, limit: 10)
        try expect(lists.filter { $0.name == whole }.map(\.ids), [[4, 5, 6]], "the other list among all")
        try expect(try await store.delete(whole).revision, 4, "the deletion of the other list")
    }

    private static func expectRefusal(_ list: ListName, in store: any FavoritesStore) async throws {
        let refused = StoreError.damaged(list)
        try await expect(refused, "a read") { try await store.favorites(list) }
        try await expect(refused, "a save that evicts the oldest") { try await store.answer(7, on: list) }
        try await expect(refused, "a removal of the oldest") { try await store.answer(1, on: list, .removed) }
        try await expect(refused, "a deletion") { try await store.delete(list) }
        try await expect(refused, "a read after that") { try await store.favorites(list) }
    }

    private static func expectGap(_ list: ListName, in store: any FavoritesStore) async throws {
        try expect(try await store.ids(list), [1, 2, 3])
        try expect(try await store.changes(of: list, after: 0, limit: 10), .compacted(oldest: 2), "across the gap")
        try expect(try await store.changes(of: list, after: 1, limit: 1), .compacted(oldest: 2), "the damaged change")
        try expect(try await store.allChanges(of: list, after: 2).map(\.saved?.character.id), [3], "after the gap")
        try expect(try await store.answer(7, on: list).evicted.map(\.character.id), [1])
        try expect(try await store.allChanges(of: list, after: 2).map(\.revision), [3, 4], "a new change")
    }
}
