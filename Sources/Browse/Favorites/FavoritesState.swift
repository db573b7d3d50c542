package import MarvelDomain

/// The live list of favorites and the state of its connection.
package struct FavoritesState: Sendable, Equatable {
    package enum Connection: Sendable, Equatable {
        /// The first connection attempt is in progress.
        case connecting
        /// The connection is open and delivers every change.
        case live
        /// The connection was lost. The next attempt begins after this duration, and is in progress when it is over.
        case lost(FailureNotice, nextTry: Duration)
        /// The connection was ended, and no further attempt is made automatically.
        case ended(FailureNotice)
    }

    /// The list; nil until the server has sent it once.
    package var list: FavoritesList?
    package var attribution: String
    package var connection: Connection

    package init(list: FavoritesList? = nil, attribution: String = "", connection: Connection = .connecting) {
        self.list = list
        self.attribution = attribution
        self.connection = connection
    }
}
