internal import MarvelAPI

/// What a gateway can be asked.
package enum GatewayQuestion: Sendable, Hashable {
    case page(prefix: String, offset: Int, limit: Int)
    case character(id: Int64)

    /// The same for questions that have the same answer: without what signs a request, which is another each time
    /// (MARVEL_API section 8), and without the letter case that the gateway ignores.
    package var key: String {
        switch self {
        case .page(let prefix, let offset, let limit):
            "characters?limit=\(limit)&offset=\(offset)&nameStartsWith=\(prefix.lowercased())"
        case .character(let id):
            "characters/\(id)"
        }
    }

    /// Asks the gateway itself.
    ///
    /// - Parameters:
    ///   - client: Whom.
    ///   - etag: Of the answer that is at hand.
    /// - Returns: The answer; nil: it is the one at hand.
    /// - Throws: `MarvelAPIError`.
    func ask(
        _ client: MarvelAPIClient,
        ifNoneMatch etag: String?
    ) async throws(MarvelAPIError) -> CharacterResults? {
        switch self {
        case .page(let prefix, let offset, let limit):
            try await client.characters(nameStartsWith: prefix, offset: offset, limit: limit, ifNoneMatch: etag)
        case .character(let id):
            try await client.character(id: id, ifNoneMatch: etag)
        }
    }
}
