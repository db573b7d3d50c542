internal import MarvelAPI
internal import MarvelDomain

/// A request to a gateway, without the parts that differ from call to call.
package enum GatewayQuestion: Sendable, Hashable {
    case page(prefix: String, offset: Int, limit: Int)
    case character(id: Int64)

    /// The key of the answer in caches. Questions with the same answer have the same key: it has no signature, which
    /// differs with each request, and no letter case, which the gateway ignores.
    package var key: String {
        switch self {
        case .page(let prefix, let offset, let limit):
            "characters?limit=\(limit)&offset=\(offset)&nameStartsWith=\(prefix.lowercased())"
        case .character(let id):
            "characters/\(id)"
        }
    }

    /// Calls the gateway.
    ///
    /// - Parameters:
    ///   - client: The client that makes the call.
    ///   - etag: The entity tag of the cached answer.
    /// - Returns: The answer; nil if the cached answer is still current.
    /// - Throws: The error of the call.
    func ask(
        _ client: MarvelAPIClient,
        ifNoneMatch etag: String?
    ) async throws(SourceError) -> CharacterResults? {
        switch self {
        case .page(let prefix, let offset, let limit):
            try await client.characters(nameStartsWith: prefix, offset: offset, limit: limit, ifNoneMatch: etag)
        case .character(let id):
            try await client.character(id: id, ifNoneMatch: etag)
        }
    }
}
