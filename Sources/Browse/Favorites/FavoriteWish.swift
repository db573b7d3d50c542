internal import MarvelDomain

/// What a person wants of a character: to be a favorite, or none.
struct FavoriteWish: Sendable, Equatable {
    var character: MarvelCharacter
    var isFavorite: Bool
}
