package import MarvelDomain

/// `marvel.v1.ListFavoritesRequest`.
package struct ListFavoritesRequest: Sendable, Hashable {
    /// Empty: the default list.
    package var list: String

    package init(list: String = "") {
        self.list = list
    }
}

/// `marvel.v1.ListFavoritesResponse`.
package struct ListFavoritesResponse: Sendable, Hashable {
    /// Oldest first.
    package var favorites: [Favorite]
    package var revision: Int64
    package var capacity: Int32
    package var attribution: String

    package init(favorites: [Favorite], revision: Int64, capacity: Int32, attribution: String = "") {
        self.favorites = favorites
        self.revision = revision
        self.capacity = capacity
        self.attribution = attribution
    }
}
