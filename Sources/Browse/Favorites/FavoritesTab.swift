internal import MarvelClient
package import MarvelDomain
internal import RPCCore

package struct FavoritesTab: Sendable, Equatable {
    /// The last received list; nil before the first one.
    package private(set) var list: FavoritesList?
    package private(set) var ids: Set<Int64> = []
    package private(set) var attribution = ""
    package private(set) var connection = FavoritesState.Connection.connecting
    /// The seconds until the next connection attempt; 0 during the attempt; nil unless the connection is lost.
    package private(set) var secondsToNextTry: Int?
    package internal(set) var cursor = CardCursor()

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
        secondsToNextTry = Int(nextTry.secondsRoundedUp)
        return [.startTimer(.countdown)]
    }

    /// Keeps the selected character selected; if it was removed, the position stays selected.
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

    mutating func reconnect() -> [BrowseEffect] {
        connection = .connecting
        return stopCountdown() + [.followFavorites]
    }

    private mutating func stopCountdown() -> [BrowseEffect] {
        defer { secondsToNextTry = nil }
        return secondsToNextTry == nil ? [] : [.stopTimer(.countdown)]
    }
}

package struct FavoritesState: Sendable, Equatable {
    package enum Connection: Sendable, Equatable {
        case connecting
        case live
        /// The connection was lost. The next attempt begins after this duration.
        case lost(FailureNotice, nextTry: Duration)
        case ended(FailureNotice)
    }

    package var list: FavoritesList?
    package var attribution: String
    package var connection: Connection

    package init(list: FavoritesList? = nil, attribution: String = "", connection: Connection = .connecting) {
        self.list = list
        self.attribution = attribution
        self.connection = connection
    }

    init(_ state: LiveFavorites.State, _ notice: (RPCError) -> FailureNotice) {
        let connection: Connection =
            switch state.connection {
            case .connecting: .connecting
            case .live: .live
            case .lost(let error, let nextTry): .lost(notice(error), nextTry: max(nextTry - .now, .zero))
            case .ended(let error): .ended(notice(error))
            }
        self.init(list: state.list, attribution: state.attribution, connection: connection)
    }
}
