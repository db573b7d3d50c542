import MarvelClient
import NIOCore
import Testing
import WireMessages

/// What the client says of each call: whether it may be sent again.
struct RepetitionTests {
    // MARK: Calls that answer once

    @Test func readsAndTogglesMayBeSentAgain() async throws {
        let channel = FakeChannel([])
        let client = MarvelClient(channel: channel)
        _ = try? await client.character(id: 1)
        _ = try? await client.favorites()
        _ = try? await client.toggleFavorite(1)
        #expect(channel.calls.map(\.repetition.isSafe) == [true, true, true])
    }

    @Test func whetherAServerIsThereIsAskedOnce() async throws {
        let channel = FakeChannel([])
        _ = try? await MarvelClient(channel: channel).health()
        #expect(channel.calls.map(\.repetition.isNever) == [true])
    }

    // MARK: Searches

    @Test func aSearchGoesOnBehindItsLastPage() throws {
        let page = SearchCharactersResponse(characters: [], total: 40, nextPageToken: "behind")
        let next = try request(resuming: page, pages: 2)
        let expected = SearchCharactersRequest(
            query: "spider",
            match: .wordPrefix,
            pageSize: 10,
            pageToken: "behind",
            skip: 0,
            maxPages: 3,
            list: "default"
        )
        #expect(next == expected)
    }

    @Test func aSearchWithoutAPageLimitKeepsNone() throws {
        let page = SearchCharactersResponse(characters: [], total: 40, nextPageToken: "behind")
        let next = try request(resuming: page, pages: 1_000_000, maxPages: 0)
        #expect(next?.maxPages == 0)
    }

    @Test(arguments: [
        // token, pages so far, of at most 5
        ("", 2), ("behind", 5), ("behind", 6), ("", 5),
    ])
    func behindTheLastPageThereIsNothing(_ token: String, _ pages: Int) throws {
        let page = SearchCharactersResponse(characters: [], total: 40, nextPageToken: token)
        let resumption = try resumption(after: page.encoded(), pages: pages)
        #expect(resumption == .complete)
    }

    @Test func whatIsNoPageTellsNothing() throws {
        let resumption = try resumption(after: ByteBuffer(bytes: [0x0A, 0xFF]), pages: 1)
        #expect(resumption == .impossible)
    }

    private func request(
        resuming page: SearchCharactersResponse,
        pages: Int,
        maxPages: Int = 5
    ) throws -> SearchCharactersRequest? {
        let resumption = try resumption(after: page.encoded(), pages: pages, maxPages: maxPages)
        guard case .request(let bytes) = resumption else { return nil }
        return try SearchCharactersRequest(decoding: bytes, limit: .request)
    }

    private func resumption(after last: ByteBuffer, pages: Int, maxPages: Int = 5) throws -> Resumption? {
        let channel = FakeChannel([])
        _ = MarvelClient(channel: channel).searchCharacters(
            "spider",
            match: .wordPrefix,
            pageSize: 10,
            pageToken: "start",
            skip: 7,
            maxPages: maxPages
        )
        let call = try #require(channel.calls.first)
        guard case .resumable(let resume) = call.repetition else { return nil }
        return resume(last, pages)
    }
}
