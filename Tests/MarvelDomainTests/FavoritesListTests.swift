import MarvelDomain
import Testing

@Suite struct FavoritesListTests {
    private static func favorite(_ id: Int64) -> Favorite {
        Favorite(character: MarvelCharacter(id: id, name: ""), savedAt: Timestamp(seconds: id))
    }

    @Test(arguments: [
        (FavoritesChange(revision: 8, saved: favorite(4)), [favorite(1), favorite(2), favorite(3), favorite(4)]),
        (FavoritesChange(revision: 8, removed: favorite(2)), [favorite(1), favorite(3)]),
        (FavoritesChange(revision: 8, saved: favorite(4), evicted: [favorite(1)]), [2, 3, 4].map { favorite($0) }),
        (FavoritesChange(revision: 8, evicted: [favorite(1), favorite(2)]), [favorite(3)]),
        (FavoritesChange(revision: 8, cleared: [1, 2, 3].map { favorite($0) }, isDeletion: true), []),
        (FavoritesChange(revision: 8), [favorite(1), favorite(2), favorite(3)]),
    ])
    func aChangeIsAppliedAsAWhole(_ change: FavoritesChange, _ expected: [Favorite]) {
        var list = FavoritesList(favorites: [1, 2, 3].map { Self.favorite($0) }, revision: 7, capacity: 5)
        list.apply(change)
        #expect(list == FavoritesList(favorites: expected, revision: 8, capacity: 5))
    }
}
