import Catalog
import MarvelDomain
import Synchronization
import Testing

@testable import MarvelService

@Suite(.timeLimit(.minutes(1)))
struct PictureKeeperTests {
    private let pictures = TestPictures()

    private func favorite(_ id: Int64) -> Favorite {
        Favorite(character: MarvelCharacter(id: id, name: "C\(id)"), savedAt: Timestamp(seconds: 0))
    }

    /// Runs a keeper, on a clock that is ahead as soon as anybody waits for it, until it has kept as many pictures as that.
    private func run(untilKept count: Int, _ body: (PictureKeeper) -> Void = { _ in }) async {
        let (kept, continuation) = AsyncStream.makeStream(of: Int.self)
        let clock = Mutex(ContinuousClock.now)
        let keeper = PictureKeeper(
            store: pictures,
            source: pictures,
            now: { clock.withLock { $0 } },
            sleep: { delay in clock.withLock { $0 += delay } },
            onKept: { continuation.yield($0.count) }
        )
        body(keeper)
        let running = Task { await keeper.run() }
        var sum = 0
        for await number in kept {
            sum += number
            if sum >= count { break }
        }
        running.cancel()
        await running.value
    }

    @Test func picturesThatAreMissingAtTheStartAreFetched() async {
        pictures.change { state in
            for id: Int64 in 1...3 { state.favorites[id] = favorite(id).character }
            state.kept = [3: TestPictures.picture(3), 9: TestPictures.picture(9)]
        }
        await run(untilKept: 2)
        #expect(pictures.value.fetches.sorted() == [1, 2])
        #expect(pictures.value.kept.keys.sorted() == [1, 2, 3], "9 is no favorite")
    }

    @Test func aSavedCharactersPictureIsKept() async {
        pictures.change { $0.favorites[7] = favorite(7).character }
        await run(untilKept: 1) { $0.changed(FavoritesChange(revision: 1, saved: favorite(7))) }
        #expect(pictures.value.kept[7] == TestPictures.picture(7))
    }
}
