import Catalog
import MarvelDomain
import Synchronization

/// The built-in catalog behind a delay that a gateway would have, and failures when it is told to. It counts what it
/// was asked to fetch.
final class TestCatalog: CharacterCatalog {
    static let builtIn = BuiltInCatalog.catalog()

    let kind = CatalogKind.gateway
    let matches = [Match.prefix]
    let attribution = "Data provided by a test"
    private let failure: CatalogError?
    private let fetches = Mutex(0)

    init(failure: CatalogError? = nil) { self.failure = failure }

    var fetchCount: Int { fetches.withLock { $0 } }

    func search(
        _ query: SearchQuery,
        match: Match,
        at place: PagePlace,
        limit: Int
    ) throws(CatalogError) -> Lookup<CharacterPage> {
        guard match == .prefix else { throw .matchUnsupported(match) }
        let found = try Self.builtIn.search(query, match: match, at: place, limit: limit)
        return later(found) { CharacterPage($0.encoded, total: $0.total, provenance: $0.provenance, results: nil) }
    }

    func character(id: Int64) -> Lookup<CatalogEntry?> { later(Self.builtIn.character(id: id)) }

    func suggestions(for query: SearchQuery, limit: Int) throws(CatalogError) -> Lookup<SuggestedNames> {
        later(try Self.builtIn.suggestions(for: query, limit: limit))
    }

    private func later<Value>(
        _ lookup: Lookup<Value>,
        change: @escaping @Sendable (Value) -> Value = { $0 }
    ) -> Lookup<Value> {
        .later { [self] () async throws(CatalogError) in
            fetches.withLock { $0 += 1 }
            if let failure { throw failure }
            switch lookup {
            case .ready(let value): return change(value)
            case .later(let fetch): return try await fetch()
            }
        }
    }
}
