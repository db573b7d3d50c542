public import MarvelDomain
internal import NIOCore
public import RPCCore
internal import RPCTransport
internal import WireMessages

/// A client of marvel-rpc: searches Marvel characters page by page and keeps lists of favorites.
///
/// One client serves a whole program. It opens its connection with the first call and shares it among all of them.
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
/// Every function throws `RPCError`, and nothing else: its `code` says what kind of failure it is, its `reason` which
/// one, its `origin` whether the server said so. A cancelled task cancels its call, on the server too.
///
/// A call that fails because a server is gone, or says that it should come back later, is sent again within its
/// timeout: at most five times in all, with growing waits, to whichever of the servers answers. That is safe: reads
/// change nothing, and a toggle carries an id under which the server keeps its answer.
public final class MarvelClient: Sendable {
    /// What a call that answers once may take, unless the caller says otherwise: 10 s.
    public static let defaultTimeout = Duration.seconds(10)

    /// After how much silence a server is asked whether it is still there, unless the caller says otherwise: 120 s.
    public static let defaultKeepaliveInterval = Duration.seconds(120)

    private let channel: any RPCChannel
    private let retries: Bool
    private let sleep: @Sendable (Duration) async throws -> Void

    /// Makes a client; nothing is sent before the first call.
    ///
    /// - Parameters:
    ///   - servers: Where the service is. Addresses are tried in order, beginning with the one that worked last.
    ///   - retries: Whether calls that fail in a way that may pass are sent again.
    ///   - readsAhead: Whether a stream's next messages come before they are asked for. Without it a page of a search is
    ///     fetched when the loop comes back for it: right for a screen whose reader may never scroll that far.
    ///   - keepaliveInterval: While calls are open, a server that was silent for so long is asked for a sign of life. It
    ///     counts as gone after half as long without one, but at least after 5 and at most after 20 s.
    public convenience init(
        servers: [ServerAddress] = [.default],
        retries: Bool = true,
        readsAhead: Bool = true,
        keepaliveInterval: Duration = defaultKeepaliveInterval
    ) {
        var options = RPCClientOptions()
        options.keepaliveInterval = keepaliveInterval
        options.keepaliveTimeout = min(max(keepaliveInterval / 2, .seconds(5)), .seconds(20))
        if !retries { options.retries = nil }
        if !readsAhead { options.streamWindow = 1 }
        self.init(channel: RPCClient(addresses: servers, options: options), retries: retries)
    }

    /// - Parameters:
    ///   - channel: What carries the calls.
    ///   - retries: Whether what breaks off goes on.
    ///   - sleep: Waits before it does, and throws when the task is cancelled.
    package init(
        channel: any RPCChannel,
        retries: Bool = true,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.channel = channel
        self.retries = retries
        self.sleep = sleep
    }

    /// Tries servers again with the next call that did not answer, and were to be left alone for a while: a person says that
    /// one is back.
    public func connectNow() {
        channel.connectNow()
    }

    /// Closes the connection. Calls under way end with UNAVAILABLE; new ones are refused.
    public func shutdown() async {
        await channel.shutdown()
    }

    // MARK: Characters

    /// Finds characters by name.
    ///
    /// Nothing is sent before the first page is asked for; each iteration is a search of its own. Leaving the loop
    /// cancels the search. One that was left goes on with `pageToken` set to the last page's `nextPageToken`.
    ///
    /// - Parameters:
    ///   - query: 2 to 100 letters once it is trimmed; the server refuses others with INVALID_ARGUMENT.
    ///   - match: How the query is compared with names. Case and accents are ignored, and punctuation too but with
    ///     `.prefix`.
    ///   - pageSize: Characters in a page, 1 to 100; 0 leaves it to the server, which takes 10.
    ///   - pageToken: Where to go on, from an earlier page of the same query and match; empty is the start.
    ///   - skip: Results to pass over before the first page.
    ///   - maxPages: How many pages to send at most; 0 is all of them.
    ///   - list: The list that decides which characters are favorites.
    ///   - place: A place of that list: favorites are not told as they were before it.
    ///   - timeout: How long the whole search may take; nil is no limit.
    /// - Returns: The pages in name order; with `.fuzzy` the nearest names come first, with `.wordPrefix` and `.substring`
    ///   the names that are just the query.
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

    /// One character by its id.
    ///
    /// - Parameters:
    ///   - id: The character's number, above 0.
    ///   - list: The list that decides whether it is a favorite.
    ///   - timeout: How long the call may take.
    /// - Returns: The character, and whether it is on the list.
    /// - Throws: NOT_FOUND (CHARACTER_NOT_FOUND) if the catalog does not know the id.
    public func character(
        id: Int64,
        list: ListName = .default,
        timeout: Duration? = defaultTimeout
    ) async throws(RPCError) -> CharacterDetails {
        let request = GetCharacterRequest(id: id, list: list.text)
        return try CharacterDetails(await call(MarvelServiceMethods.getCharacter, request, timeout))
    }

    /// Names that complete what a person is typing.
    ///
    /// - Parameters:
    ///   - query: What was typed so far: 1 to 100 letters once it is trimmed.
    ///   - limit: How many names at most, 1 to 50; 0 leaves it to the server, which sends 10.
    ///   - timeout: How long the call may take.
    /// - Returns: Names, best first: those that begin with the query, then those of which a word does, then, if there
    ///   are hardly any, those that are like it.
    /// - Throws: INVALID_ARGUMENT (QUERY_TOO_SHORT, QUERY_TOO_LONG, LIMIT_INVALID) if the query or the limit breaks a rule.
    public func suggestNames(
        _ query: String,
        limit: Int = 0,
        timeout: Duration? = defaultTimeout
    ) async throws(RPCError) -> NameSuggestions {
        let request = SuggestNamesRequest(query: query, limit: Int32(clamping: limit))
        return NameSuggestions(try await call(MarvelServiceMethods.suggestNames, request, timeout))
    }

    /// The picture of a character.
    ///
    /// While its source does not answer, the picture of a favorite comes from what the server has kept of it: in another
    /// variant than was asked for perhaps, and `freshness` says that it is stale.
    ///
    /// - Parameters:
    ///   - id: The character's number, above 0.
    ///   - variant: In which size.
    ///   - timeout: How long the call may take.
    /// - Returns: The picture, and which it really is.
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
    /// A list that is full loses its oldest favorite; `evicted` names it. The call carries a request id, so that it
    /// can be sent again: whoever repeats it with the same id gets the first answer, and nothing changes twice.
    ///
    /// - Parameters:
    ///   - id: The character's number.
    ///   - desired: What shall be true afterwards; `.toggle` turns it around.
    ///   - list: The list to change.
    ///   - requestID: The id to send; a new one is made if it is nil. Give one to repeat the call yourself.
    ///   - timeout: How long the call may take. After DEADLINE_EXCEEDED the change may have been made all the same.
    /// - Returns: Whether the character is on the list now, the list's revision, and what was evicted.
    /// - Throws: NOT_FOUND if no catalog knows the character, INVALID_ARGUMENT (REQUEST_ID_REUSED) if the request id
    ///   came before with other contents; then nothing changed.
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

    /// A list as it is now.
    ///
    /// - Parameters:
    ///   - list: The list to read. One that nobody has changed yet is empty.
    ///   - place: A place of the list, from an earlier answer or event: the answer is not older.
    ///   - timeout: How long the call may take.
    /// - Returns: The favorites, oldest first, with the list's revision, capacity and place.
    /// - Throws: UNAVAILABLE if no server answers, or if it cannot read its store; FAILED_PRECONDITION (HISTORY_CHANGED) if
    ///   the place is of changes that the server's store does not have, since it was restored.
    public func favorites(
        list: ListName = .default,
        atLeast place: FavoritesPlace? = nil,
        timeout: Duration? = defaultTimeout
    ) async throws(RPCError) -> ListedFavorites {
        let request = ListFavoritesRequest(list: list.text, atLeast: place?.text ?? "")
        return try ListedFavorites(await call(MarvelServiceMethods.listFavorites, request, timeout))
    }

    /// What happens to a list, as it happens.
    ///
    /// Nothing is sent before the first event is asked for; each iteration is a watch of its own. Leaving the loop ends
    /// it. What another client toggles arrives in order and without gaps, also across a restart of the server.
    ///
    /// - Parameters:
    ///   - list: The list to watch. One that nobody has changed yet is empty, at revision 0.
    ///   - revision: The last revision that the caller has: what happened after it follows. 0 begins with a snapshot,
    ///     and so does a revision whose changes are no longer kept.
    ///   - timeout: How long the watch may take; nil is no limit.
    /// - Returns: The events; they end when their task is cancelled, or with an error that does not pass by itself.
    public func watchFavorites(
        list: ListName = .default,
        from revision: Int64 = 0,
        timeout: Duration? = nil
    ) -> FavoritesWatch {
        let request = WatchFavoritesRequest(list: list.text, fromRevision: revision)
        return watch(request, timeout, recovery: retries ? .goOn : .none)
    }

    /// Watches the changes of a list after a place.
    ///
    /// Safer than a revision: if the server's store was restored meanwhile, or the changes after the place are no longer
    /// kept, the watch begins with a snapshot whose `reset` says so.
    ///
    /// - Parameters:
    ///   - list: The list to watch.
    ///   - place: The place of the last event, or the last answer, that the caller has.
    ///   - timeout: How long the watch may take; nil is no limit.
    /// - Returns: The events, as from a revision; INVALID_ARGUMENT (PLACE_INVALID) if the place is not one of the list.
    public func watchFavorites(
        list: ListName = .default,
        after place: FavoritesPlace,
        timeout: Duration? = nil
    ) -> FavoritesWatch {
        let request = WatchFavoritesRequest(list: list.text, place: place.text)
        return watch(request, timeout, recovery: retries ? .goOn : .none)
    }

    /// A list that keeps itself up to date, for a screen that shows it.
    ///
    /// The watch begins at once, whether a server is there or not, and is taken up again after every break. It ends when
    /// nobody holds or reads the list any more.
    ///
    /// - Parameter list: The list to watch. One that nobody has changed yet is empty, at revision 0.
    /// - Returns: The list, which is not known yet.
    public func liveFavorites(list: ListName = .default) -> LiveFavorites {
        let request = WatchFavoritesRequest(list: list.text, fromRevision: 0)
        return LiveFavorites(watch(request, nil, recovery: retries ? .startOver : .none))
    }

    // MARK: Health

    /// Whether the server, or one of its services, takes calls.
    ///
    /// - Parameters:
    ///   - service: A service's full name, `marvel.v1.MarvelService`; empty is the server as a whole.
    ///   - timeout: How long the call may take.
    /// - Returns: What the server says of itself.
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

    /// Sends a request and decodes its answer.
    func call<Request, Response>(
        _ method: MethodDescriptor<Request, Response>,
        _ request: Request,
        _ timeout: Duration?
    ) async throws(RPCError) -> Response {
        // Reads change nothing, and a toggle or an edit carries its request id.
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
