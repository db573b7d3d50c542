import Catalog
import MarvelDomain
import NIOCore
import RPCCore
import StoreContract
import Testing
import WireMessages

@testable import MarvelService

@Suite struct SearchCharactersTests {
    /// So large that a search that looks at every name leaves the event loop.
    private static let large = SyntheticCharacters(count: 10_000).catalog()

    private let store = MemoryFavoritesStore()
    private var service: CharacterService { CharacterService(catalog: TestCatalog.builtIn, store: store) }

    @Test(arguments: [(0, 10), (1, 1), (7, 7), (100, 100), (101, 100), (Int32.max, 100)])
    func thePageSizeIsKeptWithinItsLimits(_ asked: Int32, _ size: Int) async throws {
        let service = CharacterService(catalog: Self.large, store: store)
        let request = SearchCharactersRequest(query: "mi", pageSize: asked, maxPages: 1)
        #expect(try await service.search(request).map(\.characters.count) == [size])
    }

    @Test func theStreamEndsWithTheResults() async throws {
        let pages = try await service.search(SearchCharactersRequest(query: "spider", pageSize: 4))
        let names = pages.flatMap(\.characters).map(\.name)
        #expect(names.count == Int(pages[0].total))
        #expect(pages.allSatisfy { $0.total == pages[0].total })
        #expect(pages.dropLast().allSatisfy { $0.characters.count == 4 && !$0.nextPageToken.isEmpty })
        #expect(pages.last?.nextPageToken == "")
        #expect(names.allSatisfy { $0.lowercased().hasPrefix("spider") })
        #expect(Set(pages.flatMap(\.characters).map(\.id)).count == names.count)
    }

    @Test(arguments: [(1, 1), (2, 2), (Int32.max, 4)])
    func maxPagesEndsTheStream(_ maxPages: Int32, _ count: Int) async throws {
        let total = try await service.search(SearchCharactersRequest(query: "spider"))[0].total
        let request = SearchCharactersRequest(query: "spider", pageSize: (total + 3) / 4, maxPages: maxPages)
        let pages = try await service.search(request)
        #expect(pages.count == count)
        #expect((pages.last?.nextPageToken == "") == (count == 4))
    }

    @Test(arguments: [
        ["id", "name"], ["name", "name"], ["comic_count", "thumbnail", "urls"], ["id"], [], ["*"], ["name", "*"],
    ])
    func aReadMaskSelectsFieldsOfEachCharacter(paths: [String]) async throws {
        let all = SearchCharactersRequest(query: "spider", pageSize: 4)
        var masked = all
        masked.readMask = FieldMask(paths)
        for (whole, page) in zip(try await service.search(all), try await service.search(masked)) {
            var expected = whole
            if !paths.isEmpty && !paths.contains("*") {
                expected.characters = whole.characters.map { character in
                    var some = MarvelCharacter(id: character.id, name: "")
                    if paths.contains("name") { some.name = character.name }
                    if paths.contains("comic_count") { some.comicCount = character.comicCount }
                    if paths.contains("thumbnail") { some.thumbnail = character.thumbnail }
                    if paths.contains("urls") { some.urls = character.urls }
                    return some
                }
            }
            #expect(page == expected)
        }
    }

    @Test func aSearchThatFindsNothingIsOneEmptyPage() async throws {
        let pages = try await service.search(SearchCharactersRequest(query: "zzzzzz"))
        #expect(pages.count == 1)
        #expect(pages[0].characters.isEmpty)
        #expect(pages[0].total == 0)
        #expect(pages[0].nextPageToken == "")
        #expect(pages[0].attribution == BuiltInCatalog.attribution)
    }

    @Test func skipPassesOverResults() async throws {
        let all = try await service.search(SearchCharactersRequest(query: "spider", pageSize: 100))[0].characters
        let request = SearchCharactersRequest(query: "spider", pageSize: 2, skip: 3, maxPages: 2)
        let pages = try await service.search(request)
        #expect(pages.flatMap(\.characters) == Array(all[3..<7]))
        let beyond = try await service.search(SearchCharactersRequest(query: "spider", skip: .max))
        #expect(beyond.count == 1)
        #expect(beyond[0].characters.isEmpty)
        #expect(Int(beyond[0].total) == all.count)
    }

    /// A stream that broke continues where it was: any page's token, any page size.
    @Test(arguments: [1, 3, 100])
    func aTokenContinuesWhereItsPageEnded(_ pageSize: Int32) async throws {
        let all = try await service.search(SearchCharactersRequest(query: "spider", pageSize: 5))
        for (index, page) in all.enumerated() where !page.nextPageToken.isEmpty {
            let request = SearchCharactersRequest(
                query: "  spider ",
                pageSize: pageSize,
                pageToken: page.nextPageToken
            )
            let rest = try await service.search(request)
            #expect(rest.flatMap(\.characters) == all[(index + 1)...].flatMap(\.characters))
            let skipping = SearchCharactersRequest(query: "spider", pageSize: 1, pageToken: page.nextPageToken, skip: 1)
            let skipped = try await service.search(skipping)
            #expect(skipped.flatMap(\.characters) == Array(all[(index + 1)...].flatMap(\.characters).dropFirst()))
        }
    }

    @Test func favoritesOfTheCallersListAreMarked() async throws {
        let all = try await service.search(SearchCharactersRequest(query: "spider", pageSize: 3))
        let saved = [all[0].characters[2].id, all[1].characters[0].id, all[0].characters[0].id]
        for id in saved {
            try await service.toggle(id, on: "mine")
        }
        let marked = try await service.search(SearchCharactersRequest(query: "spider", pageSize: 3, list: "mine"))
        #expect(marked[0].favoriteIDs == [saved[2], saved[0]])
        #expect(marked[1].favoriteIDs == [saved[1]])
        #expect(marked.dropFirst(2).allSatisfy { $0.favoriteIDs.isEmpty })
        let other = try await service.search(SearchCharactersRequest(query: "spider", pageSize: 3))
        #expect(other.allSatisfy { $0.favoriteIDs.isEmpty })
    }

    /// Each page shows the list at its own time, not at the beginning of the stream.
    @Test func aToggleDuringAStreamIsSeenByTheNextPage() async throws {
        let service = service
        let ids = try await service.search(SearchCharactersRequest(query: "spider", pageSize: 2)).flatMap(\.characters)
            .map(\.id)
        let request = SearchCharactersRequest(query: "spider", pageSize: 2)
        let call = IncomingCall(payload: request.encoded())
        let rest = try #require(try service.searchCharacters(call).ready().rest)
        try await service.toggle(ids[3])
        #expect(try rest.next().answer(SearchCharactersResponse.self).favoriteIDs == [ids[3]])
    }

    @Test func aStreamKnowsWhereItsCallerContinues() async throws {
        let service = service
        try await service.load()
        let request = SearchCharactersRequest(query: "spider", pageSize: 2)
        let first = try service.searchCharacters(IncomingCall(payload: request.encoded()))
        let page = try first.answer(SearchCharactersResponse.self)
        #expect(try first.ready().rest?.place == ["page_token": page.nextPageToken])
    }

    /// Nobody who stopped reading costs the catalog another page.
    @Test func unrequestedPagesAreNotFetched() async throws {
        let catalog = TestCatalog()
        let service = CharacterService(catalog: catalog, store: store)
        let pages = try await service.search(SearchCharactersRequest(query: "spider", pageSize: 4), limit: 2)
        let ready = try await self.service.search(SearchCharactersRequest(query: "spider", pageSize: 4), limit: 2)
        #expect(pages.map(\.characters) == ready.map(\.characters))
        #expect((pages.count, catalog.fetchCount) == (2, 2))
    }

    /// A search of a large catalog leaves the event loop for its first page only: the others are cut from what it found.
    @Test(arguments: [MatchValue.wordPrefix, .substring, .fuzzy])
    func aSearchThatLooksAtEveryNameIsMadeOnce(_ match: MatchValue) async throws {
        let service = CharacterService(catalog: Self.large, store: store)
        try await service.load()
        let request = SearchCharactersRequest(query: "captain", match: match, pageSize: 5, maxPages: 3)
        let start = try service.searchCharacters(IncomingCall(payload: request.encoded()))
        guard case .later(let search) = start else {
            Issue.record("the first page is not searched for behind the event loop")
            return
        }
        _ = try await search().ready().rest?.next().ready()
        #expect(try await service.search(request).map(\.characters.count) == [5, 5, 5])
    }

    @Test(arguments: [MatchValue.wordPrefix, .substring, .fuzzy])
    func aTokenContinuesWithItsMatchOnly(_ match: MatchValue) async throws {
        let request = SearchCharactersRequest(query: "spiderman", match: match, pageSize: 3)
        let pages = try await service.search(request)
        let all = pages.flatMap(\.characters)
        #expect(pages.count > 1)
        #expect(all.count == Int(pages[0].total))
        #expect(all.first?.name == "Spider-Man")
        let rest = SearchCharactersRequest(query: "spiderman", match: match, pageToken: pages[0].nextPageToken)
        #expect(try await service.search(rest).flatMap(\.characters) == Array(all.dropFirst(3)))
        let other = SearchCharactersRequest(query: "spiderman", pageToken: pages[0].nextPageToken)
        let error = await service.error("SearchCharacters", other.encoded())
        #expect(error?.reason == .pageTokenInvalid)
        #expect(error?.message.contains("another search") == true)
    }

    @Test(arguments: [MatchValue.wordPrefix, .substring, .fuzzy, MatchValue(rawValue: 4), MatchValue(rawValue: -1)])
    func aMatchThatTheCatalogCannotDoIsUnimplemented(_ match: MatchValue) async {
        let catalog = TestCatalog()
        let request = SearchCharactersRequest(query: "spider", match: match)
        let error = await CharacterService(catalog: catalog, store: store).error("SearchCharacters", request.encoded())
        #expect(catalog.fetchCount == 0)
        #expect(error?.code == .unimplemented)
        #expect(error?.reason == .matchUnsupported)
        #expect(error?.info?.metadata["match"] == "\(match.rawValue)")
        #expect(error?.info?.metadata["supported"] == "0")
    }

    @Test func anUnknownMatchIsRefusedWithTheSupportedOnes() async {
        let request = SearchCharactersRequest(query: "spider", match: MatchValue(rawValue: 4))
        let error = await service.error("SearchCharacters", request.encoded())
        #expect(error?.reason == .matchUnsupported)
        #expect(error?.info?.metadata["supported"] == "0,1,2,3")
        #expect(error?.message.contains("PREFIX (0), WORD_PREFIX (1), SUBSTRING (2), FUZZY (3)") == true)
    }
}
