public import MarvelDomain
internal import WireMessages

public struct ListedFavorites: Sendable, Hashable {
    public var list: FavoritesList
    /// Attribution text to show with the data.
    public var attribution = ""
    /// The list's place at its revision; nil if the server sends no places.
    public var place: FavoritesPlace?
    /// The time since the server lost its database, during which changes may be missing; nil if at most a second.
    public var age: Duration?
}

extension ListedFavorites {
    init(_ response: ListFavoritesResponse) {
        let list = FavoritesList(
            favorites: response.favorites,
            revision: response.revision,
            capacity: Int(response.capacity)
        )
        self.init(
            list: list,
            attribution: response.attribution,
            place: FavoritesPlace(received: response.place),
            age: response.age
        )
    }
}

extension ToggleResult {
    init(_ response: ToggleFavoriteResponse) {
        self.init(
            isFavorite: response.isFavorite,
            revision: response.revision,
            evicted: response.evicted,
            place: FavoritesPlace(received: response.place)
        )
    }
}

extension FavoritesPlace {
    init?(received text: String) {
        guard !text.isEmpty else { return nil }
        self.init(text)
    }
}
