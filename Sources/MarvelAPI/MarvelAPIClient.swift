package import MarvelDomain

/// A client for characters from a gateway, in the contract of the retired Marvel API.
///
/// The client has no state: it signs, sends, and reads. Retries, caching, and sharing one response among many callers
/// are the caller's task.
package struct MarvelAPIClient: Sendable {
    package static let limits = 1...100

    private let gateway: GatewayURL
    private let keys: MarvelKeys
    private let transport: any HTTPFetcher
    private let limits: HTTPResponseLimits
    private let timestamp: @Sendable () -> String

    /// - Parameters:
    ///   - gateway: The gateway to call.
    ///   - keys: The keys to sign with.
    ///   - transport: The HTTP client to send with.
    ///   - limits: The limits of one response.
    ///   - timestamp: The `ts` of a request. Any text will do; the time of day in seconds is usual.
    package init(
        gateway: GatewayURL,
        keys: MarvelKeys,
        transport: any HTTPFetcher,
        limits: HTTPResponseLimits = HTTPResponseLimits(),
        timestamp: @escaping @Sendable () -> String
    ) {
        self.gateway = gateway
        self.keys = keys
        self.transport = transport
        self.limits = limits
        self.timestamp = timestamp
    }

    /// Fetches characters whose name begins with `nameStartsWith`, in the gateway's order of names.
    ///
    /// - Parameters:
    ///   - nameStartsWith: Not empty; letter case is ignored by the gateway.
    ///   - offset: The number of characters to skip, 0 or more. Beyond the end, the page is empty.
    ///   - limit: The maximum number of characters, 1 to 100.
    /// - Returns: A complete page.
    /// - Throws: `MarvelAPIError`; `.rejected` without a request if an argument is outside its range.
    package func characters(
        nameStartsWith: String,
        offset: Int,
        limit: Int
    ) async throws(MarvelAPIError) -> CharacterResults {
        try await characters(nameStartsWith: nameStartsWith, offset: offset, limit: limit, ifNoneMatch: nil)
            .orThrow()
    }

    /// Fetches the same as `characters(nameStartsWith:offset:limit:)` if the response has changed since.
    ///
    /// - Parameters:
    ///   - nameStartsWith: Not empty; letter case is ignored by the gateway.
    ///   - offset: The number of characters to skip, 0 or more. Beyond the end, the page is empty.
    ///   - limit: The maximum number of characters, 1 to 100.
    ///   - etag: The validator of the cached response, as received; nil if there is none.
    /// - Returns: A complete page, or nil if the cached response is still valid.
    /// - Throws: The same errors as `characters(nameStartsWith:offset:limit:)`.
    package func characters(
        nameStartsWith: String,
        offset: Int,
        limit: Int,
        ifNoneMatch etag: String?
    ) async throws(MarvelAPIError) -> CharacterResults? {
        try await page([("nameStartsWith", nameStartsWith)], offset: offset, limit: limit, ifNoneMatch: etag)
    }

    /// Fetches all characters, or the characters that the gateway changed since a moment, in the gateway's order of
    /// names.
    ///
    /// - Parameters:
    ///   - modifiedSince: The moment; nil for all characters.
    ///   - offset: The number of characters to skip, 0 or more. Beyond the end, the page is empty.
    ///   - limit: The maximum number of characters, 1 to 100.
    /// - Returns: A complete page.
    /// - Throws: `MarvelAPIError`; `.rejected` without a request if an argument is outside its range.
    package func characters(
        modifiedSince: Timestamp? = nil,
        offset: Int,
        limit: Int
    ) async throws(MarvelAPIError) -> CharacterResults {
        let filter = modifiedSince.map { [("modifiedSince", MarvelDate.text($0))] } ?? []
        return try await page(filter, offset: offset, limit: limit, ifNoneMatch: nil).orThrow()
    }

    /// Fetches the character with that id.
    ///
    /// - Parameter id: The character's number, above 0.
    /// - Returns: A page with exactly that character.
    /// - Throws: `MarvelAPIError`; `.notFound` if there is none.
    package func character(id: Int64) async throws(MarvelAPIError) -> CharacterResults {
        try await character(id: id, ifNoneMatch: nil).orThrow()
    }

    /// Fetches the same as `character(id:)` if the response has changed since.
    ///
    /// - Parameters:
    ///   - id: The character's number, above 0.
    ///   - etag: The validator of the cached response, as received; nil if there is none.
    /// - Returns: A page with exactly that character, or nil if the cached response is still valid.
    /// - Throws: The same errors as `character(id:)`.
    package func character(
        id: Int64,
        ifNoneMatch etag: String?
    ) async throws(MarvelAPIError) -> CharacterResults? {
        guard id > 0 else { throw .notFound }
        guard let response = try await get("/characters/\(id)", query: [], ifNoneMatch: etag) else { return nil }
        return try await reading { reader throws(MarvelAPIError) in try reader.character(response, id: id) }
    }

    private func page(
        _ filter: [(String, String)],
        offset: Int,
        limit: Int,
        ifNoneMatch etag: String?
    ) async throws(MarvelAPIError) -> CharacterResults? {
        guard MarvelAPIClient.limits.contains(limit) else { throw .rejected("limit is \(limit), it must be 1 to 100") }
        guard offset >= 0 else { throw .rejected("offset is \(offset), it must be 0 or more") }
        let response = try await get(
            "/characters",
            query: filter + [("orderBy", "name"), ("limit", "\(limit)"), ("offset", "\(offset)")],
            ifNoneMatch: etag
        )
        guard let response else { return nil }
        return try await reading { reader throws(MarvelAPIError) in
            try reader.page(response, offset: offset, limit: limit)
        }
    }

    /// Reads a response on the global executor. Reading a page takes a millisecond, and the page may be hostile: the
    /// caller, perhaps an event loop, must not be blocked by it.
    private func reading(
        _ read: @Sendable (ReplyReader) throws(MarvelAPIError) -> CharacterResults
    ) async throws(MarvelAPIError) -> CharacterResults {
        try await withTaskExecutorPreference(globalConcurrentExecutor) { () throws(MarvelAPIError) in
            try read(ReplyReader(keys: keys))
        }
    }

    /// Sends one request. Nil for a 304, which is a valid response only to a request with an `etag`.
    private func get(
        _ path: String,
        query: [(String, String)],
        ifNoneMatch etag: String?
    ) async throws(MarvelAPIError) -> HTTPResponse? {
        let url = SignedURL(gateway: gateway, path: path, query: query, timestamp: timestamp(), keys: keys)
        var request = HTTPRequest(url: url.text, headers: ["Accept": "application/json"], limits: limits)
        if let etag { request.headers.fields.append(.init(name: "If-None-Match", value: etag)) }
        do throws(HTTPFetchError) {
            let response = try await transport.get(request)
            return response.status == 304 && etag != nil ? nil : response
        } catch {
            throw .transport(error)
        }
    }
}

extension CharacterResults? {
    /// Throws if there is no page: a 304 without an `etag` in the request is an error of the gateway.
    fileprivate func orThrow() throws(MarvelAPIError) -> CharacterResults {
        guard let self else { throw .unavailable(status: 304, retryAfter: nil) }
        return self
    }
}
