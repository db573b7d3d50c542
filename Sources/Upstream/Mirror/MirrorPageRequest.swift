package import Catalog
package import MarvelAPI
package import MarvelDomain

/// A mirror's request for a page of all characters, or of those that changed.
package struct MirrorPageRequest: Sendable, Hashable {
    package var offset: Int
    package var limit: Int
    /// The earliest time of change of the requested characters; nil for all characters.
    package var modifiedSince: Timestamp?

    package init(offset: Int, limit: Int, modifiedSince: Timestamp? = nil) {
        self.offset = offset
        self.limit = limit
        self.modifiedSince = modifiedSince
    }
}

extension MirrorPageRequest {
    /// Calls the gateway.
    package func ask(_ client: MarvelAPIClient) async throws(SourceError) -> CharacterResults {
        do throws(MarvelAPIError) {
            return try await client.characters(modifiedSince: modifiedSince, offset: offset, limit: limit)
        } catch {
            throw SourceError(error)
        }
    }
}
