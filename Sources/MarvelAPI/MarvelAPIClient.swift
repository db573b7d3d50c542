package import MarvelDomain

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
        try await characters(nameStartsWith: nameStartsWith, offset: offset, limit: limit, unlessTagged: nil)
            .orRefused()
    }

    /// As `characters(nameStartsWith:offset:limit:)`, if that has another answer by now.
    ///
    /// - Parameters:
    ///   - nameStartsWith: Not empty; letter case is ignored by the gateway.
    ///   - offset: How many to skip, 0 or more. Beyond the end is an empty page.
    ///   - limit: How many at most, 1 to 100.
    ///   - etag: Of the answer that is at hand, as it came; nil if there is none.
    /// - Returns: A whole page, or nil if the one at hand still is the answer.
    /// - Throws: As there.
    package func characters(
        nameStartsWith: String,
        offset: Int,
        limit: Int,
        unlessTagged etag: String?
    ) async throws(MarvelAPIError) -> CharacterResults? {
        try await page([("nameStartsWith", nameStartsWith)], offset: offset, limit: limit, unlessTagged: etag)
    }

    /// All characters, or those that the gateway changed since a moment, in its order of names.
    ///
    /// - Parameters:
    ///   - modifiedSince: Nil: all.
    ///   - offset: How many to skip, 0 or more. Beyond the end is an empty page.
    ///   - limit: How many at most, 1 to 100.
    /// - Returns: A whole page.
    /// - Throws: `MarvelAPIError`; `.rejected` without asking if an argument is outside its range.
    package func characters(
        modifiedSince: Timestamp? = nil,
        offset: Int,
        limit: Int
    ) async throws(MarvelAPIError) -> CharacterResults {
        let filter = modifiedSince.map { [("modifiedSince", MarvelDate.text($0))] } ?? []
        return try await page(filter, offset: offset, limit: limit, unlessTagged: nil).orRefused()
    }

    /// The one character with that id.
    ///
    /// - Parameter id: The character's number, above 0.
    /// - Returns: A page with exactly that character.
    /// - Throws: `MarvelAPIError`; `.notFound` if there is none.
    package func character(id: Int64) async throws(MarvelAPIError) -> CharacterResults {
        try await character(id: id, unlessTagged: nil).orRefused()
    }

    /// As `character(id:)`, if that has another answer by now.
    ///
    /// - Parameters:
    ///   - id: The character's number, above 0.
    ///   - etag: Of the answer that is at hand, as it came; nil if there is none.
    /// - Returns: A page with exactly that character, or nil if the one at hand still is the answer.
    /// - Throws: As there.
    package func character(
        id: Int64,
        unlessTagged etag: String?
    ) async throws(MarvelAPIError) -> CharacterResults? {
        guard id > 0 else { throw .notFound }
        guard let response = try await get("/characters/\(id)", query: [], unlessTagged: etag) else { return nil }
        return try await reading { reader throws(MarvelAPIError) in try reader.character(response, id: id) }
    }

    private func page(
        _ filter: [(String, String)],
        offset: Int,
        limit: Int,
        unlessTagged etag: String?
    ) async throws(MarvelAPIError) -> CharacterResults? {
        guard MarvelAPIClient.limits.contains(limit) else { throw .rejected("limit is \(limit), it must be 1 to 100") }
        guard offset >= 0 else { throw .rejected("offset is \(offset), it must be 0 or more") }
        let response = try await get(
            "/characters",
            query: filter + [("orderBy", "name"), ("limit", "\(limit)"), ("offset", "\(offset)")],
            unlessTagged: etag
        )
        guard let response else { return nil }
        return try await reading { reader throws(MarvelAPIError) in
            try reader.page(response, offset: offset, limit: limit)
        }
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

    /// Nil: 304, which is an answer only to who has asked for it.
    private func get(
        _ path: String,
        query: [(String, String)],
        unlessTagged etag: String?
    ) async throws(MarvelAPIError) -> HTTPResponse? {
        let url = SignedURL(gateway: gateway, path: path, query: query, timestamp: timestamp(), keys: keys)
        var request = HTTPRequest(url: url.text, headers: ["Accept": "application/json"], limits: limits)
        if let etag { request.headers.fields.append(.init(name: "If-None-Match", value: etag)) }
        do throws(HTTPTransportError) {
            let response = try await transport.get(request)
            return response.status == 304 && etag != nil ? nil : response
        } catch {
            throw MarvelAPIError(error)
        }
    }
}

extension CharacterResults? {
    /// Who did not say what is at hand gets an answer or an error.
    fileprivate func orRefused() throws(MarvelAPIError) -> CharacterResults {
        guard let self else { throw .unavailable(status: 304, retryAfter: nil) }
        return self
    }
}
