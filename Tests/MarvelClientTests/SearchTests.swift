import MarvelClient
import NIOCore
import Testing
import WireMessages

private let spider = MarvelCharacter(id: 1_009_610, name: "Spider-Man (Peter Parker)", comicCount: 4_238)
private let ham = MarvelCharacter(id: 1_011_347, name: "Spider-Ham (Larval Earth)")

struct SearchTests {
    @Test func everyParameterTravels() async throws {
        let channel = FakeChannel(SearchCharactersResponse())
        let list = try #require(ListName("mine"))
        let pages = MarvelClient(channel: channel).searchCharacters(
            "spider",
            match: .wordPrefix,
            pageSize: 3,
            pageToken: "abc",
            skip: 4,
            maxPages: 5,
            list: list,
            timeout: .seconds(7)
        )
        for try await _ in pages {}

        let expected = SearchCharactersRequest(
            query: "spider",
            match: .wordPrefix,
            pageSize: 3,
            pageToken: "abc",
            skip: 4,
            maxPages: 5,
            list: "mine"
        )
        #expect(try channel.requests(SearchCharactersRequest.self) == [expected])
        #expect(channel.calls.map(\.method) == ["marvel.v1.MarvelService/SearchCharacters"])
        #expect(channel.calls.map(\.timeout) == [.seconds(7)])
    }

    @Test func aStreamHasNoTimeLimitUnlessOneIsGiven() async throws {
        let channel = FakeChannel(SearchCharactersResponse())
        for try await _ in MarvelClient(channel: channel).searchCharacters("spider") {}
        #expect(channel.calls.map(\.timeout) == [nil])
    }

    /// A search that finds nothing has a page that says so.
    @Test func aSearchThatEndsWithoutAPageHasFailed() async {
        let pages = MarvelClient(channel: FakeChannel()).searchCharacters("spider")
        let error = await #expect(throws: RPCError.self) { for try await _ in pages {} }
        #expect(error?.reason == .responseInvalid)
    }

    @Test func numbersThatTheWireCannotHoldStayOnTheSameSide() async throws {
        let channel = FakeChannel(SearchCharactersResponse())
        for try await _ in MarvelClient(channel: channel).searchCharacters("spider", pageSize: .max, skip: .min) {}
        let request = try #require(try channel.requests(SearchCharactersRequest.self).first)
        #expect(request.pageSize == .max)
        #expect(request.skip == .min)
    }

    @Test func pagesArriveInOrderWithAllTheirFields() async throws {
        let first = SearchCharactersResponse(
            characters: [ham, spider],
            total: 3,
            nextPageToken: "next",
            favoriteIDs: [spider.id],
            attribution: "Data provided by Marvel.",
            freshness: Freshness(source: .cache, age: .seconds(90), isStale: true)
        )
        let channel = FakeChannel(first, SearchCharactersResponse(characters: [ham], total: 3))
        var pages: [SearchPage] = []
        for try await page in MarvelClient(channel: channel).searchCharacters("spider") { pages.append(page) }

        let expected = SearchPage(
            characters: [ham, spider],
            favoriteIDs: [spider.id],
            total: 3,
            nextPageToken: "next",
            attribution: "Data provided by Marvel.",
            freshness: DataFreshness(source: .cache, age: .seconds(90), isStale: true)
        )
        #expect(pages == [expected, SearchPage(characters: [ham], total: 3)])
        #expect(pages[0].isFavorite(spider))
        #expect(!pages[0].isFavorite(ham))
    }

    @Test func aFailureComesAfterThePagesBeforeIt() async throws {
        let channel = FakeChannel([
            .success(SearchCharactersResponse(characters: [ham], total: 2, nextPageToken: "2").encoded()),
            .failure(RPCError(.internalError, "broken", origin: .peer)),
        ])
        var pages = MarvelClient(channel: channel).searchCharacters("spider").makeAsyncIterator()
        let first = try await pages.next()
        #expect(first?.total == 2)
        await #expect(throws: RPCError(.internalError, "broken", origin: .peer)) { _ = try await pages.next() }
    }

    @Test func aPageThatIsNoMessageIsTheServersFault() async {
        let channel = FakeChannel([.success(ByteBuffer(bytes: [0x0A, 0xFF]))])
        var pages = MarvelClient(channel: channel).searchCharacters("spider").makeAsyncIterator()
        let error = await #expect(throws: RPCError.self) { _ = try await pages.next() }
        #expect(error?.code == .internalError)
        #expect(error?.reason == .responseInvalid)
    }
}
