import FakeChannel
import MarvelClient
import NIOCore
import Testing
import WireMessages

/// A search that breaks off continues behind its last page.
struct ResumeTests {
    private static func page(_ total: Int32, token: String) -> Result<ByteBuffer, RPCError> {
        .success(SearchCharactersResponse(total: total, nextPageToken: token).encoded())
    }

    private static let gone = Result<ByteBuffer, RPCError>.failure(RPCError(.unavailable, "gone"))

    private func read(_ channel: FakeChannel, maxPages: Int = 0, retries: Bool = true) async -> ([Int], RPCError?) {
        let client = MarvelClient(channel: channel, retries: retries)
        var totals: [Int] = []
        do throws(RPCError) {
            for try await page in client.searchCharacters("spider", skip: 7, maxPages: maxPages) {
                totals.append(page.total)
            }
            return (totals, nil)
        } catch {
            return (totals, error)
        }
    }

    @Test(arguments: [
        RPCError(.unavailable, "gone"),
        RPCError(.resourceExhausted, reason: .creditTimeout, "the reader slept"),
    ])
    func noPageComesTwiceAndNoneIsLeftOut(break error: RPCError) async throws {
        let channel = FakeChannel([
            Self.page(1, token: "a"), Self.page(2, token: "b"), .failure(error),
            Self.page(3, token: "c"), .failure(error), Self.page(4, token: ""),
        ])
        let (totals, failure) = await read(channel)
        #expect(totals == [1, 2, 3, 4])
        #expect(failure == nil)
        let requests = try channel.requests(SearchCharactersRequest.self)
        #expect(requests.map(\.pageToken) == ["", "b", "c"])
        #expect(requests.map(\.skip) == [7, 0, 0])
    }

    @Test func onlyThePagesThatAreLeftAreAskedFor() async throws {
        let channel = FakeChannel([
            Self.page(1, token: "a"), Self.page(2, token: "b"), Self.gone, Self.page(3, token: "c"),
        ])
        let (totals, failure) = await read(channel, maxPages: 3)
        #expect(totals == [1, 2, 3])
        #expect(failure == nil)
        #expect(try channel.requests(SearchCharactersRequest.self).map(\.maxPages) == [3, 1])
    }

    @Test func aReaderWithEveryPageNeedsNoEndOfTheStream() async {
        let (totals, failure) = await read(FakeChannel([Self.page(1, token: ""), Self.gone]))
        #expect(totals == [1])
        #expect(failure == nil)
        let (limited, none) = await read(FakeChannel([Self.page(1, token: "a"), Self.gone]), maxPages: 1)
        #expect(limited == [1])
        #expect(none == nil)
    }

    @Test func aServerThatGivesNothingNewEndsTheSearch() async {
        let channel = FakeChannel([Self.page(1, token: "a"), Self.gone, Self.gone, Self.page(2, token: "")])
        let (totals, failure) = await read(channel)
        #expect(totals == [1])
        #expect(failure?.code == .unavailable)
    }

    @Test func withoutRetriesABrokenSearchIsBroken() async {
        let channel = FakeChannel([Self.page(1, token: "a"), Self.gone, Self.page(2, token: "")])
        let (totals, failure) = await read(channel, retries: false)
        #expect(totals == [1])
        #expect(failure?.code == .unavailable)
        #expect(channel.calls.count == 1)
    }
}
