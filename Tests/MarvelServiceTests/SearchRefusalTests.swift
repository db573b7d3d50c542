import Catalog
import MarvelDomain
import NIOCore
import RPCCore
import StoreContract
import Testing
import WireMessages

@testable import MarvelService

/// Requests that break a rule: the error says which field and why, and the catalog never hears of them.
@Suite struct SearchRefusalTests {
    private let catalog = TestCatalog()
    private var service: CharacterService { CharacterService(catalog: catalog, store: MemoryFavoritesStore()) }

    private func refusal(_ request: SearchCharactersRequest) async -> RPCError? {
        let error = await service.error("SearchCharacters", request.encoded())
        #expect(catalog.fetchCount == 0)
        return error
    }

    @Test func theTokenOfAnotherSearchIsRefusedAndSaysSo() async throws {
        let pages = try await service.search(SearchCharactersRequest(query: "spider", pageSize: 1), limit: 1)
        let token = pages[0].nextPageToken
        let other = CharacterService(catalog: TestCatalog(), store: MemoryFavoritesStore())
        let error = await other.error(
            "SearchCharacters",
            SearchCharactersRequest(query: "iron", pageToken: token).encoded()
        )
        #expect(error?.code == .invalidArgument)
        #expect(error?.reason == .pageTokenInvalid)
        #expect(error?.message.contains("another search") == true)
        let cut = await other.error(
            "SearchCharacters",
            SearchCharactersRequest(query: "spider", pageToken: String(token.dropLast())).encoded()
        )
        #expect(cut?.reason == .pageTokenInvalid)
        #expect(cut?.message.contains("another search") == false)
    }

    @Test(arguments: [MatchValue.wordPrefix, .substring, .fuzzy, MatchValue(rawValue: 4), MatchValue(rawValue: -1)])
    func aMatchThatTheCatalogCannotDoIsUnimplemented(_ match: MatchValue) async {
        let error = await refusal(SearchCharactersRequest(query: "spider", match: match))
        #expect(error?.code == .unimplemented)
        #expect(error?.reason == .matchUnsupported)
        #expect(error?.info?.metadata["match"] == "\(match.rawValue)")
        #expect(error?.info?.metadata["supported"] == "0")
    }

    @Test func anUnknownMatchIsRefusedWithTheSupportedOnes() async {
        let service = CharacterService(catalog: TestCatalog.builtIn, store: MemoryFavoritesStore())
        let request = SearchCharactersRequest(query: "spider", match: MatchValue(rawValue: 4))
        let error = await service.error("SearchCharacters", request.encoded())
        #expect(error?.reason == .matchUnsupported)
        #expect(error?.info?.metadata["supported"] == "0,1,2,3")
        #expect(error?.message.contains("PREFIX (0), WORD_PREFIX (1), SUBSTRING (2), FUZZY (3)") == true)
    }
}
