import FakeChannel
import MarvelClient
import NIOCore
import Testing
import WireMessages

private let ham = MarvelCharacter(id: 1_011_347, name: "Spider-Ham (Larval Earth)")

struct SearchTests {
    /// A search that finds nothing has a page that says so.
    @Test func aSearchThatEndsWithoutAPageHasFailed() async {
        let pages = MarvelClient(channel: FakeChannel()).searchCharacters("spider")
        let error = await #expect(throws: RPCError.self) { for try await _ in pages {} }
        #expect(error?.reason == .responseInvalid)
    }

    /// A server of another kind answers each call with one page.
    @Test func aSearchThatEndsBeforeItsLastPageContinues() async throws {
        let channel = FakeChannel { call in
            let token = try? SearchCharactersRequest(decoding: call.request, limit: .request).pageToken
            let next = ["": "1", "1": "2"][token ?? "", default: ""]
            return [.message(SearchCharactersResponse(characters: [ham], total: 3, nextPageToken: next))]
        }
        let client = MarvelClient(channel: channel)
        var count = 0
        for try await page in client.searchCharacters("spider") { count += page.characters.count }
        #expect(count == 3)
        var pages = MarvelClient(channel: channel, retries: false).searchCharacters("spider").makeAsyncIterator()
        _ = try await pages.next()
        let error = await #expect(throws: RPCError.self) { _ = try await pages.next() }
        #expect(error?.reason == .responseInvalid)
    }

    @Test func numbersThatTheWireCannotHoldStayOnTheSameSide() async throws {
        let channel = FakeChannel(SearchCharactersResponse())
        for try await _ in MarvelClient(channel: channel).searchCharacters("spider", pageSize: .max, skip: .min) {}
        let request = try #require(try channel.requests(SearchCharactersRequest.self).first)
        #expect(request.pageSize == .max)
        #expect(request.skip == .min)
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

    @Test func aPageThatIsNotAMessageIsTheServersFault() async {
        let channel = FakeChannel([.success(ByteBuffer(bytes: [0x0A, 0xFF]))])
        var pages = MarvelClient(channel: channel).searchCharacters("spider").makeAsyncIterator()
        let error = await #expect(throws: RPCError.self) { _ = try await pages.next() }
        #expect(error?.code == .internalError)
        #expect(error?.reason == .responseInvalid)
    }

    @Test func aStreamHasNoTimeLimitUnlessOneIsGiven() async throws {
        let channel = FakeChannel(SearchCharactersResponse())
        for try await _ in MarvelClient(channel: channel).searchCharacters("spider") {}
        #expect(channel.calls.map(\.timeout) == [nil])
    }
}
