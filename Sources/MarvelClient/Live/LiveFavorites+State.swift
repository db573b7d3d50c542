public import MarvelDomain
public import RPCCore

extension LiveFavorites {
    /// The state of a list, as far as the client knows it.
    public struct State: Sendable, Hashable {
        /// The favorites, oldest first, with the list's revision and capacity. Nil until the server has sent the list.
        /// While the connection is lost, it is the last known list.
        public var list: FavoritesList?
        /// The line that must be shown with the data.
        public var attribution = ""
        /// The place of the known list, for a watch that resumes after it, and for reads that must not be older. Nil
        /// until the server has sent one.
        public var place: FavoritesPlace?
        /// The state of the connection, which says whether the list is current.
        public var connection = Connection.connecting

        /// Makes the state before the first event.
        public init() {}
    }

    /// A state of the connection to the server.
    public enum Connection: Sendable, Hashable {
        /// No event has come yet.
        case connecting
        /// The list follows every change.
        case live
        /// The server is down, or sends its callers to other servers. The next attempt is made at `nextTry`; if that is
        /// past, an attempt is active.
        case lost(RPCError, nextTry: ContinuousClock.Instant)
        /// A permanent error: no more events come.
        case ended(RPCError)
    }
}

/// The reduction of events to a state, without a clock, a task, or a connection.
extension LiveFavorites.State {
    /// Applies an event.
    ///
    /// - Parameters:
    ///   - event: Each event of the watch, in order.
    ///   - now: The moment of its arrival.
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

    /// Ends the watch. The known list is kept, but is not updated any more.
    mutating func ended(by error: RPCError) {
        connection = .ended(error)
    }
}
