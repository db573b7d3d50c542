import Foundation
import MarvelClient
import Testing

/// A live list while its server stops and starts.
@Suite(.timeLimit(.minutes(3)))
struct LiveFavoritesTests {
    @Test func aLiveListSurvivesRestartsOfItsServer() async throws {
        let folder = try TemporaryFolder()
        let address = ServerAddress.unix(path: folder.path("socket"))
        let arguments = ["--framed", "\(address)", "--store", folder.path("favorites.sqlite")]
        let client = MarvelClient(servers: [address])
        let live = client.liveFavorites()

        // Nobody is there yet.
        let lost = await live.first { $0.isLost }
        #expect(lost?.list == nil)

        let first = try RunningProgram("marvel-server", arguments)
        let empty = await live.first { $0.connection == .live }
        #expect(empty?.list == FavoritesList(favorites: [], revision: 0, capacity: 5))
        _ = try await client.toggleFavorite(1_009_610)
        let one = await live.first { $0.list?.revision == 1 }
        #expect(one?.list?.favorites.map(\.character.name) == ["Spider-Man"])
        #expect(one?.attribution.contains("Marvel") == true)

        await first.stop()
        let old = await live.first { $0.isLost }
        #expect(old?.list == one?.list)

        // Nothing has changed, and still it is told that the server is back.
        let second = try RunningProgram("marvel-server", arguments)
        let same = await live.first { $0.connection == .live }
        #expect(same == one)
        _ = try await client.toggleFavorite(1_009_351)
        let two = await live.first { $0.list?.revision == 2 }
        #expect(two?.list?.favorites.map(\.character.id) == [1_009_610, 1_009_351])

        await client.shutdown()
        var last: LiveFavorites.State?
        for await state in live { last = state }
        #expect(last?.list == two?.list)
        await second.stop()
    }
}

extension LiveFavorites.State {
    fileprivate var isLost: Bool {
        if case .lost = connection { true } else { false }
    }
}
