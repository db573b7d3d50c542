public import MarvelDomain
internal import WireMessages

/// Watches of lists.
extension MarvelClient {
    /// Watches the changes of a list as they happen.
    ///
    /// Nothing is sent before the first event is read; each iteration starts a watch. Leaving the loop ends the watch.
    /// Changes by other clients arrive in order and without gaps, also across a restart of the server.
    ///
    /// - Parameters:
    ///   - list: The list to watch. A list that was never changed is empty, at revision 0.
    ///   - revision: The last revision that the caller has; the later changes follow. With 0 the watch begins with a
    ///     snapshot. If the changes after the revision are no longer kept, or if the list has not reached it, the watch
    ///     begins with a snapshot whose `reset` gives the reason.
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
    /// A place is safer than a revision: if the server's store was restored since, or the changes after the place are
    /// no longer kept, the watch begins with a snapshot whose `reset` gives the reason.
    ///
    /// - Parameters:
    ///   - list: The list to watch.
    ///   - place: The place of the last event or response that the caller has.
    ///   - timeout: The timeout of the whole watch; nil for none.
    /// - Returns: The events, as from a revision; INVALID_ARGUMENT (PLACE_INVALID) if the place is not one of the list.
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
    /// The watch begins at once, even if no server responds, and restarts after every interruption. It ends when nobody
    /// holds or reads the list any more.
    ///
    /// - Parameter list: The list to watch. A list that was never changed is empty, at revision 0.
    /// - Returns: The list, whose contents are not known yet.
    public func liveFavorites(list: ListName = .default) -> LiveFavorites {
        let request = WatchFavoritesRequest(list: list.text, fromRevision: 0)
        let recovery: FavoritesWatch.Recovery = retries ? .restart : .none
        return LiveFavorites(FavoritesWatch(request: request, timeout: nil, recovery: recovery, client: self))
    }
}
