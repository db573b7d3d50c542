package import MarvelDomain

/// A client for characters from a gateway, in the contract of the retired Marvel API.
///
/// The client has no state: it signs, sends, and reads. Retries, caching, and sharing one response among many callers
/// are the caller's task.
package struct MarvelAPIClient: Sendable {
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
        limits: HTTPResponseLimits = .standard,
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
    ///   - etag: The validator of the cached response, as received; nil if there is none.
    /// - Returns: A complete page, or nil if the cached response is still valid.
    /// - Throws: `SourceError`; `.rejected` without a request if an argument is outside its range.
    package func characters(
        nameStartsWith: String,
        offset: Int,
        limit: Int,
        ifNoneMatch etag: String?
    ) async throws(SourceError) -> CharacterResults? {
        guard (1...100).contains(limit) else { throw .rejected("limit is \(limit), it must be 1 to 100") }
        guard offset >= 0 else { throw .rejected("offset is \(offset), it must be 0 or more") }
        let query = [
            ("nameStartsWith", nameStartsWith), ("orderBy", "name"), ("limit", "\(limit)"), ("offset", "\(offset)"),
        ]
        return try await get("/characters", query, etag) { reader, response throws(SourceError) in
            try reader.page(response, offset: offset, limit: limit)
        }
    }

    /// Fetches the character with that id.
    ///
    /// - Parameters:
    ///   - id: The character's number, above 0.
    ///   - etag: The validator of the cached response, as received; nil if there is none.
    /// - Returns: A page with exactly that character, or nil if the cached response is still valid.
    /// - Throws: `SourceError`; `.notFound` if there is none.
    package func character(id: Int64, ifNoneMatch etag: String?) async throws(SourceError) -> CharacterResults? {
        guard id > 0 else { throw .notFound }
        return try await get("/characters/\(id)", [], etag) { reader, response throws(SourceError) in
            try reader.character(response, id: id)
        }
    }

    /// Sends one request, and reads the response. Nil for a 304, which is a valid response only to a request with an
    /// `etag`.
    ///
    /// The response is read on the global executor. Reading a page takes a millisecond, and the page may be hostile: the
    /// caller, perhaps an event loop, must not be blocked by it.
    private func get(
        _ path: String,
        _ query: [(String, String)],
        _ etag: String?,
        _ read: @Sendable (ReplyReader, HTTPResponse) throws(SourceError) -> CharacterResults
    ) async throws(SourceError) -> CharacterResults? {
        let url = SignedURL(gateway: gateway, path: path, query: query, timestamp: timestamp(), keys: keys)
        var request = HTTPRequest(url: url.text, headers: ["Accept": "application/json"], limits: limits)
        if let etag { request.headers.fields.append(.init(name: "If-None-Match", value: etag)) }
        let response: HTTPResponse
        do throws(HTTPFetchError) {
            response = try await transport.get(request)
        } catch {
            throw SourceError(error)
        }
        guard etag == nil || response.status != 304 else { return nil }
        return try await withTaskExecutorPreference(globalConcurrentExecutor) { () throws(SourceError) in
            try read(ReplyReader(keys: keys), response)
        }
    }
}
