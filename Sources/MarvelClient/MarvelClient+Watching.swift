public import MarvelDomain
internal import WireMessages

extension MarvelClient {
    /// Watches the changes of a list as they happen.
    ///
    /// Each iteration starts a watch when its first event is read. Leaving the loop ends the watch. Changes by other
    /// clients arrive in order and without gaps, also across a restart of the server.
    ///
    /// - Parameters:
    ///   - list: The list to watch. A list that was never changed is empty, at revision 0.
    ///   - revision: The last revision that the caller has; the later changes follow. With 0 the watch begins with a
    ///     snapshot. It also does so, with the reason in `reset`, if the changes are no longer kept, or the list has
    ///     not reached the revision.
    ///   - timeout: The timeout of the whole watch; nil for none.
    /// - Returns: The events. They end when the reading task is cancelled, or with an error that is not transient.
    public func watchFavorites(
        list: ListName = .default,
        from revision: Int64 = 0,
        timeout: Duration? = nil
    ) -> FavoritesWatch {
        let request = WatchFavoritesRequest(list: list.text, fromRevision: revision)
        return FavoritesWatch(request: request, timeout: timeout, recovery: retries ? .resume : .none, client: self)
    }

    /// Watches the changes of a list after a place.
    ///
    /// A place is safer than a revision. If the store was restored, or the changes are no longer kept, the watch begins
    /// with a snapshot. Its `reset` gives the reason.
    ///
    /// - Parameters:
    ///   - list: The list to watch.
    ///   - place: The place of the last event or response that the caller has.
    ///   - timeout: The timeout of the whole watch; nil for none.
    /// - Returns: The events, as from a revision; INVALID_ARGUMENT (PLACE_INVALID) if the place does not belong to the
    ///   list.
    public func watchFavorites(
        list: ListName = .default,
        after place: FavoritesPlace,
        timeout: Duration? = nil
    ) -> FavoritesWatch {
        let request = WatchFavoritesRequest(list: list.text, place: place.text)
        return FavoritesWatch(request: request, timeout: timeout, recovery: retries ? .resume : .none, client: self)
    }

    /// Returns a list that updates itself, for a screen that shows it.
    ///
    /// The watch begins immediately, even if no server responds, and restarts after every interruption. It ends with
    /// the last reference to the list and its last reader.
    ///
    /// - Parameter list: The list to watch. A list that was never changed is empty, at revision 0.
    /// - Returns: The list, whose contents are not known yet.
    public func liveFavorites(list: ListName = .default) -> LiveFavorites {
        let request = WatchFavoritesRequest(list: list.text, fromRevision: 0)
        let recovery: FavoritesWatch.Recovery = retries ? .restart : .none
        return LiveFavorites(FavoritesWatch(request: request, timeout: nil, recovery: recovery, client: self))
    }
}
