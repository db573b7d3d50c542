package import Catalog
package import MarvelDomain
internal import Synchronization
internal import WireMessages

/// A catalog that fetches pages and characters from a gateway and caches them.
///
/// Names have the gateway's order, and only prefix searches are supported.
package final class GatewayCatalog: CharacterCatalog {
    /// Marvel's own attribution, for gateways that send none.
    package static let defaultAttribution = "Data provided by Marvel. © 2014 Marvel"

    package let kind = CatalogKind.gateway
    package let matches = [Match.prefix]
    private let answers: GatewayAnswers
    /// The last attribution from the gateway. Favorites show it without a call.
    private let lastAttribution = Mutex(GatewayCatalog.defaultAttribution)

    package init(answers: GatewayAnswers) { self.answers = answers }

    package var attribution: String { lastAttribution.withLock { $0 } }

    package func search(
        _ query: SearchQuery,
        match: Match,
        offset: Int,
        limit: Int
    ) throws(CatalogError) -> Lookup<CharacterPage> {
        guard match == .prefix else { throw .matchUnsupported(match) }
        let question = GatewayQuestion.page(prefix: query.text, offset: offset, limit: limit)
        if let found = answers.ready(question) { return .ready(page(found)) }
        return .later { [self] () async throws(CatalogError) in
            do throws(SourceError) {
                return page(try await answers.answer(to: question))
            } catch {
                throw .upstream(error)
            }
        }
    }

    package func character(id: Int64) -> Lookup<CatalogEntry?> {
        let question = GatewayQuestion.character(id: id)
        if let found = answers.ready(question) { return .ready(entry(id, found)) }
        return .later { [self] () async throws(CatalogError) in
            do throws(SourceError) {
                return entry(id, try await answers.answer(to: question))
            } catch .notFound {
                return nil
            } catch {
                throw .upstream(error)
            }
        }
    }

    /// Returns no suggestions: a call for each typed letter would be too many.
    package func suggestions(for query: SearchQuery, limit: Int) -> Lookup<[NameSuggestion]> { .ready([]) }

    private func entry(_ id: Int64, _ found: FoundAnswer) -> CatalogEntry? {
        let provenance = provenance(of: found)
        return found.answer.character(id: id).map { CatalogEntry(character: $0, provenance: provenance) }
    }

    private func page(_ found: FoundAnswer) -> CharacterPage {
        let answer = found.answer
        let end = answer.offset + answer.receivedCount
        let characters = PageCharacters(
            first: EncodedCharacters.Run(characters: answer.characters, slots: 0..<answer.characters.count),
            rest: [],
            // A page without entries ends the results, regardless of `total`. Otherwise a wrong total would make a
            // stream endless.
            nextOffset: answer.receivedCount > 0 && end < answer.total ? end : nil
        )
        return CharacterPage(characters, total: answer.total, provenance: provenance(of: found), results: nil)
    }

    private func provenance(of found: FoundAnswer) -> Provenance {
        let attribution = lastAttribution.withLock { last in
            if !found.answer.attribution.isEmpty { last = found.answer.attribution }
            return last
        }
        return Provenance(attribution: attribution, freshness: found.freshness)
    }
}
