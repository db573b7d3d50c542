public import MarvelDomain
public import RPCCore

extension LiveFavorites {
    public struct State: Sendable, Hashable {
        /// The favorites, oldest first, with the list's revision and capacity. Nil until the server has sent the list.
        /// While the connection is lost, it is the last known list.
        public var list: FavoritesList?
        /// Attribution text to show with the data.
        public var attribution = ""
        /// The place of the known list, for a later watch and for reads that must not be older. Nil until the server
        /// has sent one.
        public var place: FavoritesPlace?
        public var connection = Connection.connecting

        public init() {}
    }

    public enum Connection: Sendable, Hashable {
        /// Before the first event.
        case connecting
        /// The list follows every change.
        case live
        /// The server is down or draining. The next attempt starts at `nextTry`; if that is past, an attempt is active.
        case lost(RPCError, nextTry: ContinuousClock.Instant)
        /// A permanent error: no more events come.
        case ended(RPCError)
    }
}

/// The reduction of events to a state, without a clock, a task, or a connection.
extension LiveFavorites.State {
    mutating func received(_ event: FavoritesEvent, at now: ContinuousClock.Instant) {
        switch event {
        case .snapshot(let listed, _):
            list = listed.list
            attribution = listed.attribution
            place = listed.place
            connection = .live
        case .changed(let change, let newPlace):
            list?.apply(change)
            place = newPlace
            connection = .live
        case .progress(_, let newPlace):
            place = newPlace ?? place
            connection = .live
        case .interrupted(let error, let retryDelay):
            connection = .lost(error, nextTry: now + retryDelay)
        }
    }

    /// Ends the watch. The known list is kept, but no longer updated.
    mutating func ended(by error: RPCError) {
        connection = .ended(error)
    }
}
