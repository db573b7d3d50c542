public import MarvelDomain
public import RPCCore
internal import WireMessages

extension MarvelClient {
    /// Finds characters by name.
    ///
    /// Each iteration sends a search when its first page is read. Leaving the loop cancels it. To resume there later,
    /// pass the last page's `nextPageToken` as `pageToken`.
    ///
    /// - Parameters:
    ///   - query: The text to find, 2 to 100 letters after trimming; the server refuses others with INVALID_ARGUMENT.
    ///   - match: The comparison of the query with names. It ignores case and accents, and also punctuation except with
    ///     `.prefix`.
    ///   - pageSize: The number of characters in a page, 1 to 100; 0 for the server's default of 10.
    ///   - pageToken: The page token of an earlier page of the same query and match; empty for the first page.
    ///   - skip: The number of results to skip before the first page.
    ///   - maxPages: The maximum number of pages; 0 for all.
    ///   - list: The list that decides which characters are favorites.
    ///   - place: A place of that list: favorites are not older than this place.
    ///   - readMask: The fields of `marvel.v1.Character` to receive, for example `["id", "name"]`, which is a third of the
    ///     bytes; the others are empty or 0. Empty for all.
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
        readMask: [String] = [],
        timeout: Duration? = nil
    ) -> SearchPages {
        let request = SearchCharactersRequest(
            query: query,
            match: MatchValue(match),
            pageSize: Int32(clamping: pageSize),
            pageToken: pageToken,
            skip: Int32(clamping: skip),
            maxPages: Int32(clamping: maxPages),
            list: list.textForMarks,
            favoritesAtLeast: place?.text ?? "",
            readMask: readMask.isEmpty ? nil : FieldMask(readMask)
        )
        return SearchPages(request: request, timeout: timeout, client: self)
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
        let request = GetCharacterRequest(id: id, list: list.textForMarks)
        return try CharacterDetails(await call(MarvelServiceMethods.getCharacter, request, timeout))
    }

    /// Returns names that complete the text that a person is typing.
    ///
    /// - Parameters:
    ///   - query: The text typed so far: 1 to 100 letters after trimming.
    ///   - limit: The maximum number of names, 1 to 50; 0 for the server's default of 10.
    ///   - timeout: The timeout of the call.
    /// - Returns: Names that begin with the query, then names with a word that begins with it. Those with the most
    ///   comics come first. If these are few, similar names follow, whose match is `.fuzzy`.
    /// - Throws: INVALID_ARGUMENT (QUERY_TOO_SHORT, QUERY_TOO_LONG, LIMIT_INVALID) if the query or the limit breaks a
    ///   rule.
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
    /// If the source of pictures does not respond, the server returns its stored picture of a favorite. That may have
    /// another variant, and its `freshness` is stale.
    ///
    /// - Parameters:
    ///   - id: The character's number, above 0.
    ///   - variant: The size of the picture.
    ///   - timeout: The timeout of the call.
    /// - Returns: The picture, and its actual variant.
    /// - Throws: NOT_FOUND (CHARACTER_NOT_FOUND, or THUMBNAIL_NOT_FOUND if the character has no picture).
    public func thumbnail(
        of id: Int64,
        variant: ImageVariant = .full,
        timeout: Duration? = defaultTimeout
    ) async throws(RPCError) -> CharacterPicture {
        let request = GetThumbnailRequest(id: id, variant: variant.rawValue)
        return CharacterPicture(try await call(MarvelServiceMethods.getThumbnail, request, timeout))
    }
}

extension ListName {
    /// The name in requests whose answers mark favorites. The default list stays unnamed, so a caller who may not read
    /// it gets answers without marks.
    fileprivate var textForMarks: String { self == .default ? "" : text }
}

/// Edits of the catalog, for operators and curators. A server accepts them only if its operator allows it.
extension MarvelClient {
    /// Adds a character to the catalog. When this returns, the character is on the server's disk, and searches find it.
    ///
    /// The call carries a request id: a retry with the same id makes no second character.
    ///
    /// - Parameters:
    ///   - changes: The fields of the character; at least a name.
    ///   - id: The character's number; nil lets the server choose.
    ///   - requestID: The request id to send; nil for a new one.
    ///   - timeout: The timeout of the call.
    /// - Returns: The new character.
    /// - Throws: INVALID_ARGUMENT (CHARACTER_INVALID) with all violations, ALREADY_EXISTS, PERMISSION_DENIED
    ///   (EDITS_NOT_ALLOWED), FAILED_PRECONDITION (EDITS_UNSUPPORTED).
    public func createCharacter(
        _ changes: CharacterChanges,
        id: Int64? = nil,
        requestID: RequestID? = nil,
        timeout: Duration? = defaultTimeout
    ) async throws(RPCError) -> CharacterEditResult {
        let request = CreateCharacterRequest(
            character: changes.character(id: id ?? 0),
            picture: changes.upload,
            requestID: (requestID ?? .random()).text
        )
        let response = try await call(MarvelServiceMethods.createCharacter, request, timeout)
        return try CharacterEditResult(response.character, response.editRevision, response.attribution)
    }

    /// Changes a character for everyone: in searches, and in each list that contains it. Fields that were never edited
    /// still come from the catalog's source.
    ///
    /// - Parameters:
    ///   - id: The character's number.
    ///   - changes: The fields to set.
    ///   - editRevision: The revision of the last edit that the caller has seen, 0 for none, to prevent overwriting later
    ///     edits; nil overwrites.
    ///   - requestID: The request id to send; nil for a new one.
    ///   - timeout: The timeout of the call.
    /// - Returns: The character after the change.
    /// - Throws: NOT_FOUND, ABORTED (EDIT_CONFLICT), and the errors of `createCharacter`.
    public func updateCharacter(
        _ id: Int64,
        _ changes: CharacterChanges,
        editRevision: Int64? = nil,
        requestID: RequestID? = nil,
        timeout: Duration? = defaultTimeout
    ) async throws(RPCError) -> CharacterEditResult {
        let request = UpdateCharacterRequest(
            character: changes.character(id: id),
            updateMask: changes.mask,
            picture: changes.upload,
            editRevision: editRevision.map { $0 == 0 ? -1 : $0 } ?? 0,
            requestID: (requestID ?? .random()).text
        )
        let response = try await call(MarvelServiceMethods.updateCharacter, request, timeout)
        return try CharacterEditResult(response.character, response.editRevision, response.attribution)
    }
}

extension MarvelClient {
    /// Describes the server and its catalog. The server answers from memory, even if its gateway cannot be reached.
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
}
