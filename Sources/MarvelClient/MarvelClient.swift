internal import HTTPTransport
public import MarvelDomain
internal import NIOCore
public import RPCCore
internal import RPCTransport
internal import WireMessages

/// A client of marvel-rpc: searches Marvel characters page by page and keeps lists of favorites.
///
/// One client serves a whole program. It opens its connection with the first call, and all calls share the connection.
///
/// ```swift
/// import MarvelClient
///
/// let client = MarvelClient()
///
/// for try await page in client.searchCharacters("spider", maxPages: 3) {
///     for character in page.characters {
///         print(page.isFavorite(character) ? "★" : " ", character.name)
///     }
///     print(page.attribution)
/// }
///
/// let result = try await client.toggleFavorite(1_009_610, desired: .saved)
/// print("revision \(result.revision), \(result.evicted.count) evicted")
/// await client.shutdown()
/// ```
///
/// Every function throws `RPCError`, and nothing else. Its `code` is the kind of failure, its `reason` the exact
/// failure, and its `origin` says whether the server sent the error. Cancelling a task cancels its call, on the server
/// too.
///
/// Transient failures are retried within the call's timeout: a server is down, or asks to retry later. There are at
/// most five attempts in all, with growing delays, at any server that responds. Retries are safe: reads change nothing,
/// and a toggle carries a request id under which the server keeps its response.
public final class MarvelClient: Sendable {
    /// The default timeout of a call with one response: 10 s.
    public static let defaultTimeout = Duration.seconds(10)

    /// The default time without data after which a server is checked with a keepalive: 120 s.
    public static let defaultKeepaliveInterval = Duration.seconds(120)

    private let channel: any RPCChannel
    private let retries: Bool
    private let sleep: @Sendable (Duration) async throws -> Void

    /// Makes a client. Nothing is sent before the first call.
    ///
    /// - Parameters:
    ///   - servers: The servers. They are tried in order, beginning with the one that worked last.
    ///   - retries: Whether transient failures are retried.
    ///   - readsAhead: Whether a stream's next messages are fetched before they are read. Without it, a page of a
    ///     search is fetched when the loop asks for it, which suits a screen whose reader may never scroll that far.
    ///   - keepaliveInterval: The time without data, while calls are open, after which a keepalive is sent to the
    ///     server; over gRPC at least five minutes. A server that does not respond to it counts as down after half that time, but at least after 5 s and
    ///     at most after 20 s.
    public convenience init(
        servers: [ServerEndpoint] = [ServerEndpoint(.default)],
        retries: Bool = true,
        readsAhead: Bool = true,
        keepaliveInterval: Duration = defaultKeepaliveInterval
    ) {
        var options = RPCClientOptions()
        options.keepaliveInterval = keepaliveInterval
        options.keepaliveTimeout = min(max(keepaliveInterval / 2, .seconds(5)), .seconds(20))
        if !retries { options.retries = nil }
        if !readsAhead { options.streamWindow = 1 }
        self.init(channel: RPCClient(servers: servers, wire: { ClientWire($0) }, options: options), retries: retries)
    }

    /// Makes a client of servers that speak the framed wire. Nothing is sent before the first call.
    public convenience init(
        servers: [ServerAddress],
        retries: Bool = true,
        readsAhead: Bool = true,
        keepaliveInterval: Duration = defaultKeepaliveInterval
    ) {
        self.init(
            servers: servers.map { ServerEndpoint($0) },
            retries: retries,
            readsAhead: readsAhead,
            keepaliveInterval: keepaliveInterval
        )
    }

    /// - Parameters:
    ///   - channel: The channel that carries the calls.
    ///   - retries: Whether interrupted streams resume.
    ///   - sleep: Waits before a stream resumes, and throws when the task is cancelled.
    package init(
        channel: any RPCChannel,
        retries: Bool = true,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.channel = channel
        self.retries = retries
        self.sleep = sleep
    }

    /// Ends the backoff of servers that did not respond, so that the next call tries them: the user says that a server
    /// is back.
    public func connectNow() {
        channel.connectNow()
    }

    /// Closes the connection. Active calls end with UNAVAILABLE; new calls are refused.
    public func shutdown() async {
        await channel.shutdown()
    }

    // MARK: Characters

    /// Finds characters by name.
    ///
    /// Nothing is sent before the first page is read; each iteration sends a search. Leaving the loop cancels the
    /// search. A later search resumes there if `pageToken` is the last page's `nextPageToken`.
    ///
    /// - Parameters:
    ///   - query: The text to find, 2 to 100 letters after trimming; the server refuses others with INVALID_ARGUMENT.
    ///   - match: The comparison of the query with names. Case and accents are ignored. Punctuation is ignored too,
    ///     except with `.prefix`.
    ///   - pageSize: The number of characters in a page, 1 to 100; 0 for the server's default of 10.
    ///   - pageToken: The page token of an earlier page of the same query and match; empty for the first page.
    ///   - skip: The number of results to skip before the first page.
    ///   - maxPages: The maximum number of pages; 0 for all.
    ///   - list: The list that decides which characters are favorites.
    ///   - place: A place of that list: favorites are not older than this place.
    ///   - timeout: The timeout of the whole search; nil for none.
    /// - Returns: The pages in name order. With `.fuzzy` the most similar names come first, with `.wordPrefix` and
    ///   `.substring` the names that equal the query.
    public func searchCharacters(
        _ query: String,
        match: Match = .prefix,
        pageSize: Int = 0,
        pageToken: String = "",
        skip: Int = 0,
        maxPages: Int = 0,
        list: ListName = .default,
        favoritesAtLeast place: FavoritesPlace? = nil,
        timeout: Duration? = nil
    ) -> SearchPages {
        let request = SearchCharactersRequest(
            query: query,
            match: MatchValue(match),
            pageSize: Int32(clamping: pageSize),
            pageToken: pageToken,
            skip: Int32(clamping: skip),
            maxPages: Int32(clamping: maxPages),
            list: list.text,
            favoritesAtLeast: place?.text ?? ""
        )
        return SearchPages(request, timeout: timeout, on: channel, resumes: retries)
    }

    /// Returns one character by its id.
    ///
    /// - Parameters:
    ///   - id: The character's number, above 0.
    ///   - list: The list that decides whether it is a favorite.
    ///   - timeout: The timeout of the call.
    /// - Returns: The character, and whether it is on the list.
    /// - Throws: NOT_FOUND (CHARACTER_NOT_FOUND) if the catalog has no character with the id.
    public func character(
        id: Int64,
        list: ListName = .default,
        timeout: Duration? = defaultTimeout
    ) async throws(RPCError) -> CharacterDetails {
        let request = GetCharacterRequest(id: id, list: list.text)
        return try CharacterDetails(await call(MarvelServiceMethods.getCharacter, request, timeout))
    }

    /// Returns names that complete the text that a person is typing.
    ///
    /// - Parameters:
    ///   - query: The text typed so far: 1 to 100 letters after trimming.
    ///   - limit: The maximum number of names, 1 to 50; 0 for the server's default of 10.
    ///   - timeout: The timeout of the call.
    /// - Returns: Names, best first: names that begin with the query, then names with a word that begins with it, then,
    ///   if there are few of these, similar names, whose match is `.fuzzy`.
    /// - Throws: INVALID_ARGUMENT (QUERY_TOO_SHORT, QUERY_TOO_LONG, LIMIT_INVALID) if the query or the limit breaks a rule.
    public func suggestNames(
        _ query: String,
        limit: Int = 0,
        timeout: Duration? = defaultTimeout
    ) async throws(RPCError) -> NameSuggestions {
        let request = SuggestNamesRequest(query: query, limit: Int32(clamping: limit))
        return NameSuggestions(try await call(MarvelServiceMethods.suggestNames, request, timeout))
    }

    /// Returns the picture of a character.
    ///
    /// If the source of pictures does not respond, the server returns its stored picture of a favorite. The stored
    /// picture may have another variant than requested, and its `freshness` says that it is stale.
    ///
    /// - Parameters:
    ///   - id: The character's number, above 0.
    ///   - variant: The size of the picture.
    ///   - timeout: The timeout of the call.
    /// - Returns: The picture, and its actual variant.
    /// - Throws: NOT_FOUND (CHARACTER_NOT_FOUND, or THUMBNAIL_NOT_FOUND if the character has none).
    public func thumbnail(
        of id: Int64,
        variant: ImageVariant = .full,
        timeout: Duration? = defaultTimeout
    ) async throws(RPCError) -> CharacterPicture {
        let request = GetThumbnailRequest(id: id, variant: variant.rawValue)
        return CharacterPicture(try await call(MarvelServiceMethods.getThumbnail, request, timeout))
    }

    // MARK: Favorites

    /// Saves a character to a list, or removes it. The change is on the server's disk when this returns.
    ///
    /// If the list is full, its oldest favorite is evicted and named in `evicted`. The call carries a request id, so
    /// that it can be retried: a retry with the same id gets the first response, and nothing changes twice.
    ///
    /// - Parameters:
    ///   - id: The character's number.
    ///   - desired: The state to set; `.toggle` reverses the current state.
    ///   - list: The list to change.
    ///   - requestID: The request id to send; nil for a new one. Pass one to retry the call yourself.
    ///   - timeout: The timeout of the call. After DEADLINE_EXCEEDED, the change may have been made nevertheless.
    /// - Returns: Whether the character is on the list now, the list's revision, and what was evicted.
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
        return try ToggleResult(await call(MarvelServiceMethods.toggleFavorite, request, timeout))
    }

    /// Returns the current state of a list.
    ///
    /// - Parameters:
    ///   - list: The list to read. A list that was never changed is empty.
    ///   - place: A place of the list, from an earlier response or event: the result is not older.
    ///   - timeout: The timeout of the call.
    /// - Returns: The favorites, oldest first, with the list's revision, capacity and place.
    /// - Throws: UNAVAILABLE if no server responds, or if the server cannot read its store; FAILED_PRECONDITION
    ///   (HISTORY_CHANGED) if the server's store was restored and lacks the changes of the place.
    public func favorites(
        list: ListName = .default,
        atLeast place: FavoritesPlace? = nil,
        timeout: Duration? = defaultTimeout
    ) async throws(RPCError) -> ListedFavorites {
        let request = ListFavoritesRequest(list: list.text, atLeast: place?.text ?? "")
        return try ListedFavorites(await call(MarvelServiceMethods.listFavorites, request, timeout))
    }

    /// Deletes a list with all its favorites. The deletion is on the server's disk when this returns, and watchers of the
    /// list get it as one change.
    ///
    /// The call carries a request id, so that it can be retried: a retry with the same id gets the first response, and
    /// does not delete a list that was made of the name since.
    ///
    /// - Parameters:
    ///   - list: The list to delete. To delete a list that does not exist changes nothing and is no error.
    ///   - requestID: The request id to send; nil for a new one. Pass one to retry the call yourself.
    ///   - timeout: The timeout of the call. After DEADLINE_EXCEEDED, the list may have been deleted nevertheless.
    /// - Returns: The revision of the deletion, and whether there was such a list.
    /// - Throws: INVALID_ARGUMENT (REQUEST_ID_REUSED) if the request id was used before with other contents; then nothing
    ///   is changed.
    public func deleteList(
        _ list: ListName,
        requestID: RequestID? = nil,
        timeout: Duration? = defaultTimeout
    ) async throws(RPCError) -> ListDeletion {
        let request = DeleteListRequest(list: list.text, requestID: (requestID ?? .random()).text)
        return ListDeletion(try await call(MarvelServiceMethods.deleteList, request, timeout))
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

    /// Watches the changes of a list as they happen.
    ///
    /// Nothing is sent before the first event is read; each iteration starts a watch. Leaving the loop ends the watch.
    /// Changes by other clients arrive in order and without gaps, also across a restart of the server.
    ///
    /// - Parameters:
    ///   - list: The list to watch. A list that was never changed is empty, at revision 0.
    ///   - revision: The last revision that the caller has; the later changes follow. With 0, or with a revision whose
    ///     changes are no longer kept, the watch begins with a snapshot.
    ///   - timeout: The timeout of the whole watch; nil for none.
    /// - Returns: The events. They end when the reading task is cancelled, or with an error that is not transient.
    public func watchFavorites(
        list: ListName = .default,
        from revision: Int64 = 0,
        timeout: Duration? = nil
    ) -> FavoritesWatch {
        let request = WatchFavoritesRequest(list: list.text, fromRevision: revision)
        return watch(request, timeout, recovery: retries ? .resume : .none)
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
        return watch(request, timeout, recovery: retries ? .resume : .none)
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
        return LiveFavorites(watch(request, nil, recovery: retries ? .restart : .none))
    }

    // MARK: The server

    /// Returns a description of the server and its catalog. The server answers from memory, also while the gateway that
    /// is its catalog cannot be reached.
    ///
    /// - Parameter timeout: The timeout of the call.
    /// - Returns: The description.
    /// - Throws: UNIMPLEMENTED (METHOD_UNKNOWN) if the server is older than this method.
    public func catalogInfo(timeout: Duration? = defaultTimeout) async throws(RPCError) -> CatalogInfo {
        CatalogInfo(try await call(MarvelServiceMethods.getCatalogInfo, GetCatalogInfoRequest(), timeout))
    }

    /// Checks whether the server, or one of its services, accepts calls.
    ///
    /// - Parameters:
    ///   - service: A service's full name, `marvel.v1.MarvelService`; empty for the whole server.
    ///   - timeout: The timeout of the call.
    /// - Returns: The status that the server reports.
    /// - Throws: NOT_FOUND if the server has no service of that name.
    public func health(
        service: String = "",
        timeout: Duration? = defaultTimeout
    ) async throws(RPCError) -> HealthStatus {
        try HealthStatus(await call(HealthMethods.check, HealthCheckRequest(service: service), timeout))
    }

    // MARK: Calls

    private func watch(
        _ request: WatchFavoritesRequest,
        _ timeout: Duration?,
        recovery: FavoritesWatch.Recovery
    ) -> FavoritesWatch {
        FavoritesWatch(request, timeout: timeout, on: channel, recovery: recovery, sleep: sleep)
    }

    /// Sends a request and decodes its response.
    func call<Request, Response>(
        _ method: MethodDescriptor<Request, Response>,
        _ request: Request,
        _ timeout: Duration?
    ) async throws(RPCError) -> Response {
        // Every call can be retried: reads change nothing, and a toggle, a deletion or an edit carries its request id.
        let bytes = try await channel.unary(
            method.path,
            request.encoded(),
            timeout: timeout,
            metadata: Metadata(),
            isRepeatable: true
        )
        return try Response(response: bytes)
    }
}
