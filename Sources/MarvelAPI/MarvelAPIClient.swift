/// Asks a gateway for characters, in the contract of the retired Marvel API.
///
/// A value that holds no state: it signs, asks, and reads. Retries, caching and sharing one answer among many callers
/// belong to whoever calls.
package struct MarvelAPIClient: Sendable {
    package static let limits = 1...100

    private let gateway: GatewayURL
    private let keys: MarvelKeys
    private let transport: any HTTPTransport
    private let limits: HTTPLimits
    private let timestamp: @Sendable () -> String

    /// - Parameters:
    ///   - gateway: Where to ask.
    ///   - keys: What to sign with.
    ///   - transport: How to ask.
    ///   - limits: What one answer may cost.
    ///   - timestamp: The `ts` of a request. Any text will do; the time of day in seconds is usual.
    package init(
        gateway: GatewayURL,
        keys: MarvelKeys,
        transport: any HTTPTransport,
        limits: HTTPLimits = HTTPLimits(),
        timestamp: @escaping @Sendable () -> String
    ) {
        self.gateway = gateway
        self.keys = keys
        self.transport = transport
        self.limits = limits
        self.timestamp = timestamp
    }

    /// Characters whose name begins with `nameStartsWith`, in the gateway's order of names.
    ///
    /// - Parameters:
    ///   - nameStartsWith: Not empty; letter case is ignored by the gateway.
    ///   - offset: How many to skip, 0 or more. Beyond the end is an empty page.
    ///   - limit: How many at most, 1 to 100.
    /// - Returns: A whole page.
    /// - Throws: `MarvelAPIError`; `.rejected` without asking if an argument is outside its range.
    package func characters(
        nameStartsWith: String,
        offset: Int,
        limit: Int
    ) async throws(MarvelAPIError) -> CharacterResults {
        guard MarvelAPIClient.limits.contains(limit) else { throw .rejected("limit is \(limit), it must be 1 to 100") }
        guard offset >= 0 else { throw .rejected("offset is \(offset), it must be 0 or more") }
        let response = try await get(
            "/characters",
            query: [
                ("nameStartsWith", nameStartsWith), ("orderBy", "name"), ("limit", "\(limit)"), ("offset", "\(offset)"),
            ]
        )
        return try await reading { reader throws(MarvelAPIError) in
            try reader.page(response, offset: offset, limit: limit)
        }
    }

    /// The one character with that id.
    ///
    /// - Parameter id: The character's number, above 0.
    /// - Returns: A page with exactly that character.
    /// - Throws: `MarvelAPIError`; `.notFound` if there is none.
    package func character(id: Int64) async throws(MarvelAPIError) -> CharacterResults {
        guard id > 0 else { throw .notFound }
        let response = try await get("/characters/\(id)", query: [])
        return try await reading { reader throws(MarvelAPIError) in try reader.character(response, id: id) }
    }

    /// A page takes a millisecond to read, and may come from somebody who means harm: whoever asked for it, an event loop
    /// perhaps, has others to serve.
    private func reading(
        _ read: @Sendable (ReplyReader) throws(MarvelAPIError) -> CharacterResults
    ) async throws(MarvelAPIError) -> CharacterResults {
        try await withTaskExecutorPreference(globalConcurrentExecutor) { () throws(MarvelAPIError) in
            try read(ReplyReader(keys: keys))
        }
    }

    private func get(_ path: String, query: [(String, String)]) async throws(MarvelAPIError) -> HTTPResponse {
        let url = SignedURL(gateway: gateway, path: path, query: query, timestamp: timestamp(), keys: keys)
        let request = HTTPRequest(url: url.text, headers: ["Accept": "application/json"], limits: limits)
        do throws(HTTPTransportError) {
            return try await transport.get(request)
        } catch {
            throw MarvelAPIError(error)
        }
    }
}
