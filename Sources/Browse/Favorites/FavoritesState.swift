package import MarvelDomain

/// The list of favorites as it is followed.
package struct FavoritesState: Sendable, Equatable {
    package enum Connection: Sendable, Equatable {
        /// Nothing has come yet.
        case connecting
        /// Every change is here at once.
        case live
        /// The server is gone, and is tried again after so long; it is being tried once that is over.
        case lost(Trouble, nextTry: Duration)
        /// Nothing more comes by itself.
        case ended(Trouble)
    }

    /// Nil until the server has sent it once.
    package var list: FavoritesList?
    package var attribution: String
    package var connection: Connection

    package init(list: FavoritesList? = nil, attribution: String = "", connection: Connection = .connecting) {
        self.list = list
        self.attribution = attribution
        self.connection = connection
    }
}
