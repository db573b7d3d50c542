public import MarvelDomain
public import RPCCore
internal import WireMessages

extension MarvelClient {
    /// Saves a character to a list, or removes it. The change is on the server's disk when this returns.
    ///
    /// A full list evicts its oldest favorite, which `evicted` names. The call carries a request id: a retry with the
    /// same id gets the first response, and nothing changes twice.
    ///
    /// - Parameters:
    ///   - id: The character's number.
    ///   - desired: The state to set; `.toggle` reverses the current state.
    ///   - list: The list to change.
    ///   - requestID: The request id to send; nil for a new one. Pass one to retry the call yourself.
    ///   - timeout: The timeout of the call. After DEADLINE_EXCEEDED, the change may have been made nevertheless.
    /// - Returns: Whether the character is on the list, the list's revision, and the evicted favorites.
    /// - Throws: NOT_FOUND if no catalog has the character, INVALID_ARGUMENT (REQUEST_ID_REUSED) if the request id was
    ///   used before with other contents; then nothing is changed.
    public func toggleFavorite(
        _ id: Int64,
        desired: DesiredFavorite = .toggle,
        list: ListName = .default,
        requestID: RequestID? = nil,
        timeout: Duration? = defaultTimeout
    ) async throws(RPCError) -> ToggleResult {
        let request = ToggleFavoriteRequest(
            list: list.text,
            characterID: id,
            requestID: (requestID ?? .random()).text,
            desired: DesiredValue(desired)
        )
        let result = try ToggleResult(await call(MarvelServiceMethods.toggleFavorite, request, timeout))
        places?.saw(result.place, at: result.revision, of: list)
        return result
    }

    /// Returns the current state of a list. While the server cannot reach its shared database, it returns the last
    /// known state with its `age`.
    ///
    /// - Parameters:
    ///   - list: The list to read. A list that was never changed is empty.
    ///   - place: A place of the list, from an earlier response or event: the result is not older. Without one, it is
    ///     not older than earlier responses of this client, from any server.
    ///   - timeout: The timeout of the call.
    /// - Returns: The favorites, oldest first, with the list's revision, capacity, place and age.
    /// - Throws: UNAVAILABLE if no server responds, or if the server cannot read its store; FAILED_PRECONDITION
    ///   (HISTORY_CHANGED) if the server's store was restored and lacks the changes of the place.
    public func favorites(
        list: ListName = .default,
        atLeast place: FavoritesPlace? = nil,
        timeout: Duration? = defaultTimeout
    ) async throws(RPCError) -> ListedFavorites {
        guard place == nil, let places, let known = places.place(of: list) else {
            return try await favorites(list, place, timeout)
        }
        do throws(RPCError) {
            return try await favorites(list, known, timeout)
        } catch {
            guard error.reason == .historyChanged else { throw error }
            // The store was restored. The caller gave no place, so the current list is right.
            places.forget(known, of: list)
            return try await favorites(list, nil, timeout)
        }
    }

    private func favorites(
        _ list: ListName,
        _ place: FavoritesPlace?,
        _ timeout: Duration?
    ) async throws(RPCError) -> ListedFavorites {
        let request = ListFavoritesRequest(list: list.text, atLeast: place?.text ?? "")
        let listed = try ListedFavorites(await call(MarvelServiceMethods.listFavorites, request, timeout))
        places?.saw(listed.place, at: listed.list.revision, of: list)
        return listed
    }

    /// Deletes a list with all its favorites. The deletion is on the server's disk when this returns, and watchers get
    /// it as one change.
    ///
    /// The call carries a request id. A retry with the same id gets the first response. It does not delete a later list
    /// of that name.
    ///
    /// - Parameters:
    ///   - list: The list to delete. Deleting a list that does not exist changes nothing and succeeds.
    ///   - requestID: The request id to send; nil for a new one. Pass one to retry the call yourself.
    ///   - timeout: The timeout of the call. After DEADLINE_EXCEEDED, the list may have been deleted nevertheless.
    /// - Returns: The revision of the deletion, and whether the list existed.
    /// - Throws: INVALID_ARGUMENT (REQUEST_ID_REUSED) if the request id was used before with other contents; then
    ///   nothing is changed.
    public func deleteList(
        _ list: ListName,
        requestID: RequestID? = nil,
        timeout: Duration? = defaultTimeout
    ) async throws(RPCError) -> ListDeletion {
        let request = DeleteListRequest(list: list.text, requestID: (requestID ?? .random()).text)
        let deletion = ListDeletion(try await call(MarvelServiceMethods.deleteList, request, timeout))
        places?.saw(deletion.place, at: deletion.revision, of: list)
        return deletion
    }

    /// Returns a page of the lists of the server, in the order of their names.
    ///
    /// ```swift
    /// var page = ListsPage(lists: [])
    /// repeat {
    ///     page = try await client.lists(prefix: "team-", pageToken: page.nextPageToken)
    ///     for list in page.lists { print(list.name, list.favoriteCount) }
    /// } while !page.nextPageToken.isEmpty
    /// ```
    ///
    /// - Parameters:
    ///   - prefix: The text that the names begin with: at most 64 of `A-Z a-z 0-9 . _ -`; empty for all lists.
    ///   - pageSize: The number of lists in a page, 1 to 1,000; 0 for the server's default of 100.
    ///   - pageToken: The token of the earlier page of the same prefix; empty for the first page.
    ///   - timeout: The timeout of the call.
    /// - Returns: The page. Lists that are created or deleted between two pages may be missing or be on one.
    /// - Throws: INVALID_ARGUMENT (PREFIX_INVALID, PAGE_SIZE_INVALID, PAGE_TOKEN_INVALID) if an argument breaks a rule.
    public func lists(
        prefix: String = "",
        pageSize: Int = 0,
        pageToken: String = "",
        timeout: Duration? = defaultTimeout
    ) async throws(RPCError) -> ListsPage {
        let request = ListListsRequest(prefix: prefix, pageSize: Int32(clamping: pageSize), pageToken: pageToken)
        return try ListsPage(await call(MarvelServiceMethods.listLists, request, timeout))
    }
}

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
