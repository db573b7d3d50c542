public import MarvelDomain
public import RPCCore

extension LiveFavorites {
    /// What is known of a list at one moment.
    public struct State: Sendable, Hashable {
        /// The favorites, oldest first, with the list's revision and capacity. Nil until the server has sent it once;
        /// while the connection is lost, as it was last.
        public var list: FavoritesList?
        /// The line that must be shown with the data.
        public var attribution = ""
        /// The place of what is known, for a watch that goes on after it, and for reads that must not be older. Nil until
        /// the server has sent one.
        public var place: FavoritesPlace?
        /// Whether the list is what the server has.
        public var connection = Connection.connecting

        public init() {}
    }

    /// How it stands with the server.
    public enum Connection: Sendable, Hashable {
        /// Nothing has come yet.
        case connecting
        /// The list follows every change.
        case live
        /// The server is gone, or wants its callers elsewhere. It is tried again at `nextTry`; when that has passed, it
        /// is being tried.
        case lost(RPCError, nextTry: ContinuousClock.Instant)
        /// An error that does not pass by itself: nothing more comes.
        case ended(RPCError)
    }
}

/// Events in, state out: without a clock, a task, or a connection.
extension LiveFavorites.State {
    /// The watch has an event.
    ///
    /// - Parameters:
    ///   - event: Each that the watch has, in order.
    ///   - now: When it came.
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

    /// The watch has ended. What is known of the list stays, and grows old.
    mutating func ended(by error: RPCError) {
        connection = .ended(error)
    }
}
