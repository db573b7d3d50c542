package import MarvelDomain

/// A client for characters from a gateway, in the contract of the retired Marvel API.
///
/// The client has no state: it signs, sends, and reads. Retries, caching, and sharing one response among many callers
/// are the caller's task.
package struct MarvelAPIClient: Sendable {
    private let gateway: GatewayURL
    private let keys: MarvelKeys
    private let transport: any HTTPFetcher
    private let timestamp: @Sendable () -> String

    /// - Parameters:
    ///   - gateway: The gateway to call.
    ///   - keys: The keys to sign with.
    ///   - transport: The HTTP client to send with.
    ///   - timestamp: The `ts` of a request. Any text will do; the time of day in seconds is usual.
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

    /// Sends a question, and reads the response.
    ///
    /// - Parameters:
    ///   - question: The question.
    ///   - etag: The validator of the cached response, as received; nil if there is none.
    /// - Returns: A complete page, or the character; nil if the cached response is still valid.
    /// - Throws: `SourceError`; `.notFound` if there is no such character.
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
        // On the global executor: reading a page takes a millisecond, and the page may be hostile. The caller, perhaps an
        // event loop, must not be blocked by it.
        return try await withTaskExecutorPreference(globalConcurrentExecutor) { () throws(SourceError) in
            let reader = ReplyReader(keys: keys)
            return switch question {
            case .page(_, let offset, let limit): try reader.page(response, offset: offset, limit: limit)
            case .character(let id): try reader.character(response, id: id)
            }
        }
    }
}
