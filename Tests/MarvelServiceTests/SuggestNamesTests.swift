import Catalog
import MarvelDomain
import NIOCore
import RPCCore
import StoreContract
import Testing
import WireMessages

@testable import MarvelService

@Suite struct SuggestNamesTests {
    private let service = CharacterService(catalog: TestCatalog.builtIn, store: MemoryFavoritesStore())

    private func names(_ query: String, limit: Int32 = 0) async throws -> [String] {
        try await suggestions(query, limit: limit).names
    }

    private func suggestions(_ query: String, limit: Int32 = 0) async throws -> SuggestNamesResponse {
        let request = SuggestNamesRequest(query: query, limit: limit)
        let response: SuggestNamesResponse = try await service.call("SuggestNames", request)
        #expect(response.attribution == BuiltInCatalog.attribution)
        #expect(response.matches.count == response.names.count)
        return response
    }

    @Test(arguments: [(0, 10), (1, 1), (7, 7), (50, 50), (51, 50), (Int32.max, 50)])
    func theLimitIsKeptWithinItsLimits(_ asked: Int32, _ count: Int) async throws {
        let names = try await names("s", limit: asked)
        #expect(names.count == count)
        #expect(Set(names).count == count)
        #expect(names.allSatisfy { $0.lowercased().hasPrefix("s") })
    }

    @Test(arguments: [
        ("spider-m", MatchValue.prefix), ("parker", .wordPrefix), ("dr doom", .wordPrefix), ("spiderv", .fuzzy),
        ("wolvrine", .fuzzy),
    ])
    func aSuggestionTellsHowItMatches(_ query: String, _ match: MatchValue) async throws {
        let matches = try await suggestions(query).matches
        #expect(matches.first == match)
        #expect(matches == matches.sorted { $0.rawValue < $1.rawValue }, "completions come before corrections")
    }

    @Test func anUnknownNameHasNoSuggestions() async throws {
        #expect(try await names("zzzzzz").isEmpty)
        #expect(try await names("--").isEmpty)
    }

    @Test func fetchedNamesAreSuggestedToo() async throws {
        let catalog = TestCatalog()
        let service = CharacterService(catalog: catalog, store: MemoryFavoritesStore())
        let request = SuggestNamesRequest(query: "spider-man", limit: 1)
        let response: SuggestNamesResponse = try await service.call("SuggestNames", request)
        #expect(
            response
                == SuggestNamesResponse(names: ["Spider-Man"], attribution: catalog.attribution, matches: [.prefix])
        )
        #expect(catalog.fetchCount == 1)
    }
}
