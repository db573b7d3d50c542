import FakeChannel
import MarvelDomain
import NIOCore
import RPCCore
import Testing
import WireMessages

@testable import MarvelClient

/// Reads after a client has moved to another server.
struct KnownPlacesTests {
    private static func toggled(_ revision: Int64) -> Result<ByteBuffer, RPCError> {
        .success(ToggleFavoriteResponse(isFavorite: true, revision: revision, place: "p\(revision)").encoded())
    }

    private static func listed(_ revision: Int64) -> Result<ByteBuffer, RPCError> {
        return .success(ListFavoritesResponse(revision: revision, capacity: 5, place: "p\(revision)").encoded())
    }

    private func places(asked channel: FakeChannel) throws -> [String] {
        try channel.calls.filter { $0.method == MarvelServiceMethods.listFavorites.path }
            .map { try ListFavoritesRequest(decoding: $0.request, limit: .request).atLeast }
    }

    @Test func aListIsNotOlderThanWhatTheClientHasSeen() async throws {
        let channel = FakeChannel([
            Self.listed(3), Self.toggled(5), Self.toggled(4), Self.listed(7), Self.listed(7), Self.listed(0),
        ])
        let client = MarvelClient(channel: channel, canMove: true)
        _ = try await client.favorites()
        _ = try await client.toggleFavorite(1)
        _ = try await client.toggleFavorite(2)
        _ = try await client.favorites()
        _ = try await client.favorites(atLeast: FavoritesPlace("mine"))
        _ = try await client.favorites(list: #require(ListName("other")))
        #expect(try places(asked: channel) == ["", "p5", "mine", ""])
    }

    @Test func theEventsOfAWatchCountToo() async throws {
        let change = WatchFavoritesResponse(.changed(FavoritesChange(revision: 8)), place: "p8")
        let channel = FakeChannel([.success(change.encoded()), Self.listed(8)])
        let client = MarvelClient(channel: channel, canMove: true)
        var events = client.watchFavorites(from: 7).makeAsyncIterator()
        _ = try await events.next()
        _ = try await client.favorites()
        #expect(try places(asked: channel) == ["p8"])
    }

    @Test func aRestoredStoreIsReadAsItIsUnlessTheCallerNamesThePlace() async throws {
        let restored = RPCError(.failedPrecondition, reason: .historyChanged, "restored")
        let channel = FakeChannel([
            Self.toggled(5), .failure(restored), Self.listed(2), Self.listed(2), .failure(restored),
        ])
        let client = MarvelClient(channel: channel, canMove: true)
        let toggle = try await client.toggleFavorite(1)
        #expect(try await client.favorites().list.revision == 2)
        _ = try await client.favorites()
        let error = await #expect(throws: RPCError.self) { try await client.favorites(atLeast: toggle.place) }
        #expect(error?.reason == .historyChanged)
        #expect(try places(asked: channel) == ["p5", "", "p2", "p5"])
    }

    @Test func aClientOfOneServerSendsNoPlace() async throws {
        let channel = FakeChannel([Self.toggled(5), Self.listed(5)])
        let client = MarvelClient(channel: channel)
        _ = try await client.toggleFavorite(1)
        _ = try await client.favorites()
        #expect(try places(asked: channel) == [""])
    }

    @Test func theListsThatWereSeenLastAreKnown() throws {
        let places = KnownPlaces()
        let names = try (0...KnownPlaces.maximumCount).map { try #require(ListName("list\($0)")) }
        for name in names { places.saw(FavoritesPlace(name.text), at: 1, of: name) }
        #expect(places.place(of: names[0]) == nil)
        #expect(places.place(of: names[1]) == FavoritesPlace("list1"))
    }
}
