package import MarvelDomain

/// The message `marvel.v1.ListFavoritesRequest`.
package struct ListFavoritesRequest: Sendable, Hashable {
    /// The name of the list; empty means the default list.
    package var list: String
    /// A place that the answer must not be older than; empty means none.
    package var atLeast: String

    package init(list: String = "", atLeast: String = "") {
        self.list = list
        self.atLeast = atLeast
    }
}

/// The message `marvel.v1.ListFavoritesResponse`.
package struct ListFavoritesResponse: Sendable, Hashable {
    /// The favorites, oldest first.
    package var favorites: [Favorite]
    package var revision: Int64
    package var capacity: Int32
    package var attribution: String
    /// The place of the list at this revision; empty if the server sends none.
    package var place: String

    package init(
        favorites: [Favorite],
        revision: Int64,
        capacity: Int32,
        attribution: String = "",
        place: String = ""
    ) {
        self.favorites = favorites
        self.revision = revision
        self.capacity = capacity
        self.attribution = attribution
        self.place = place
    }
}
