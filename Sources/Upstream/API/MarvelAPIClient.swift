package import MarvelDomain

/// A client for characters from a gateway, in the contract of the retired Marvel API.
///
/// It has no state: it signs, sends and parses. Retries and caching are the caller's task.
package struct MarvelAPIClient: Sendable {
    private let gateway: GatewayURL
    private let keys: MarvelKeys
    private let transport: any HTTPFetcher
    private let timestamp: @Sendable () -> String

    /// `timestamp` returns the `ts` of a request: any text is valid, and the time of day in seconds is usual.
    package init(
        gateway: GatewayURL,
        keys: MarvelKeys,
        transport: any HTTPFetcher,
        timestamp: @escaping @Sendable () -> String
    ) {
        self.gateway = gateway
        self.keys = keys
        self.transport = transport
        self.timestamp = timestamp
    }

    /// Sends a question, and parses the response; nil if the cached response with this entity tag is still valid.
    ///
    /// - Throws: `SourceError`; `.notFound` for an unknown character.
    package func results(
        of question: GatewayQuestion,
        ifNoneMatch etag: String?
    ) async throws(SourceError) -> CharacterResults? {
        let url = SignedURL(
            gateway: gateway,
            path: question.path,
            query: question.query,
            timestamp: timestamp(),
            keys: keys
        )
        var request = HTTPRequest(url: url.text, headers: ["Accept": "application/json"])
        if let etag { request.headers.fields.append(.init(name: "If-None-Match", value: etag)) }
        let response = try await transport.get(request)
        guard etag == nil || response.status != 304 else { return nil }
        // Parsing a page takes a millisecond, and a hostile page more: do not block the caller, perhaps an event loop.
        return try await withTaskExecutorPreference(globalConcurrentExecutor) { () throws(SourceError) in
            let reader = ReplyReader(keys: keys)
            return switch question {
            case .page(_, let offset, let limit): try reader.page(response, offset: offset, limit: limit)
            case .character(let id): try reader.character(response, id: id)
            }
        }
    }
}
