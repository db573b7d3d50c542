package import MarvelDomain

/// The list of favorites, and how it stands with the server.
package struct FavoritesTab: Sendable, Equatable {
    /// As it was last known; nil before that.
    package private(set) var list: FavoritesList?
    package private(set) var ids: Set<Int64> = []
    package private(set) var attribution = ""
    package private(set) var connection = FavoritesState.Connection.connecting
    /// To the next try to reach the server; 0 while it is being tried. Nil unless it is lost.
    package private(set) var secondsToNextTry: Int?
    package internal(set) var cursor = CardCursor()

    /// Oldest first.
    package var favorites: [Favorite] { list?.favorites ?? [] }
    package var isLive: Bool { connection == .live }

    mutating func received(_ state: FavoritesState) -> [BrowseEffect] {
        connection = state.connection
        if let list = state.list {
            followSelected(in: list)
            self.list = list
            ids = Set(list.favorites.map(\.character.id))
            attribution = state.attribution
        }
        guard case .lost(_, let nextTry) = state.connection else { return stopCountdown() }
        secondsToNextTry = nextTry.wholeSecondsRoundedUp
        return [.startTimer(.countdown)]
    }

    /// The selection is of a character, wherever others move it; of a place only where the character is gone.
    private mutating func followSelected(in list: FavoritesList) {
        guard favorites.indices.contains(cursor.selected) else { return }
        let id = favorites[cursor.selected].character.id
        if let place = list.favorites.firstIndex(where: { $0.character.id == id }) { cursor.follow(to: place) }
    }

    mutating func secondPassed() -> [BrowseEffect] {
        guard let seconds = secondsToNextTry, seconds > 0 else { return [] }
        secondsToNextTry = seconds - 1
        return seconds > 1 ? [.startTimer(.countdown)] : []
    }

    /// The person does not want to wait for the next try.
    mutating func reconnect() -> [BrowseEffect] {
        connection = .connecting
        return stopCountdown() + [.followFavorites]
    }

    private mutating func stopCountdown() -> [BrowseEffect] {
        defer { secondsToNextTry = nil }
        return secondsToNextTry == nil ? [] : [.stopTimer(.countdown)]
    }
}

extension Duration {
    /// Not negative.
    fileprivate var wholeSecondsRoundedUp: Int {
        let (seconds, attoseconds) = components
        return Int(max(seconds + (attoseconds > 0 ? 1 : 0), 0))
    }
}
