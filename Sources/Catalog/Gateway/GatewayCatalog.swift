package import MarvelAPI
package import MarvelDomain
internal import NIOCore
internal import Synchronization
internal import WireMessages

/// A catalog that asks a gateway for every page, in the gateway's order of names, and can do what the gateway can.
package final class GatewayCatalog: CharacterCatalog {
    /// Marvel's own words, for gateways that send none (MARVEL_API section 8).
    package static let defaultAttribution = "Data provided by Marvel. © 2014 Marvel"

    package let kind = CatalogKind.gateway
    private let client: MarvelAPIClient
    let seenNames = SeenNames()
    /// The line that the gateway sent last: favorites are shown with it too, and they are not asked for again.
    private let lastAttribution = Mutex(GatewayCatalog.defaultAttribution)

    package init(client: MarvelAPIClient) { self.client = client }

    package var attribution: String { lastAttribution.withLock { $0 } }

    package func search(
        _ query: SearchQuery,
        match: Match,
        offset: Int,
        limit: Int
    ) throws(CatalogError) -> Lookup<CharacterPage> {
        guard match == .prefix else { throw .matchUnsupported(match) }
        return .later { [self] () async throws(CatalogError) in
            do throws(MarvelAPIError) {
                let results = try await client.characters(nameStartsWith: query.text, offset: offset, limit: limit)
                return page(results)
            } catch {
                throw .upstream(error)
            }
        }
    }

    package func character(id: Int64) -> Lookup<CatalogEntry?> {
        .later { [self] () async throws(CatalogError) in
            do throws(MarvelAPIError) {
                let results = try await client.character(id: id)
                let provenance = provenance(of: results)
                return results.characters.first.map { CatalogEntry(character: $0, provenance: provenance) }
            } catch .notFound {
                return nil
            } catch {
                throw .upstream(error)
            }
        }
    }

    private func page(_ results: CharacterResults) -> CharacterPage {
        seenNames.insert(results.characters.map(\.name))
        var encoded = ByteBuffer()
        var offsets: [UInt32] = [0]
        for character in results.characters {
            SearchCharactersResponse.writeCharacter(character, into: &encoded)
            offsets.append(UInt32(encoded.writerIndex))
        }
        let characters = EncodedCharacters(encoded: encoded, offsets: offsets, ids: results.characters.map(\.id))
        let end = results.offset + results.receivedCount
        return CharacterPage(
            first: EncodedCharacters.Run(characters: characters, slots: 0..<characters.count),
            rest: [],
            total: results.total,
            // A page without entries ends the results, whatever `total` says: else a gateway that miscounts would
            // keep a stream going for ever.
            nextOffset: results.receivedCount > 0 && end < results.total ? end : nil,
            provenance: provenance(of: results),
            results: nil
        )
    }

    private func provenance(of results: CharacterResults) -> Provenance {
        let attribution = lastAttribution.withLock { last in
            if !results.attribution.isEmpty { last = results.attribution }
            return last
        }
        return Provenance(
            attribution: attribution,
            freshness: Freshness(source: .gateway, age: .zero, isStale: false)
        )
    }
}
