import Catalog
import MarvelDomain
import Synchronization
import Testing

@testable import MarvelService

/// The keeper on a clock that is ahead as soon as it waits.
@Suite(.timeLimit(.minutes(10)))
struct PictureKeeperTests {
    private let pictures = TestPictures()

    private func character(_ id: Int64) -> MarvelCharacter { MarvelCharacter(id: id, name: "C\(id)") }

    private func saved(_ character: MarvelCharacter) -> FavoritesChange {
        pictures.change { $0.favorites[character.id] = character }
        return FavoritesChange(revision: 1, saved: Favorite(character: character, savedAt: Timestamp(seconds: 0)))
    }

    private func saved(_ id: Int64) -> FavoritesChange { saved(character(id)) }

    private func removed(_ id: Int64) -> FavoritesChange {
        pictures.change { $0.favorites[id] = nil }
        return FavoritesChange(revision: 1, removed: Favorite(character: character(id), savedAt: Timestamp(seconds: 0)))
    }

    /// Runs a keeper for some seconds.
    ///
    /// - Parameters:
    ///   - seconds: The number of seconds.
    ///   - body: Called before the keeper begins with 0, and then each time that it has waited a second.
    private func run(
        _ seconds: Int,
        _ body: @escaping @Sendable (PictureKeeper, Int) async -> Void = { _, _ in }
    ) async {
        let clock = Mutex((now: ContinuousClock.now, second: 0))
        let runner = Mutex<PictureKeeper?>(nil)
        let keeper = PictureKeeper(
            favorites: pictures,
            cache: pictures,
            source: pictures,
            date: { TestPictures.date },
            now: { clock.withLock(\.now) },
            sleep: { delay in
                let second = clock.withLock { clock in
                    clock.now += delay
                    clock.second += 1
                    return clock.second
                }
                if let keeper = runner.withLock({ $0 }) { await body(keeper, second) }
                if second > seconds { throw CancellationError() }
            }
        )
        runner.withLock { $0 = keeper }
        await body(keeper, 0)
        await keeper.run()
    }

    @Test func atTheStartMissingPicturesAreFetchedAndUnusedOnesUnpinned() async {
        pictures.change { state in
            for id: Int64 in 1...40 { state.favorites[id] = character(id) }
            state.pinned = [3: TestPictures.picture(3), 99: TestPictures.picture(99)]
        }
        await run(0)
        #expect(Set(pictures.value.fetches) == Set(1...40).subtracting([3]))
        #expect(pictures.value.fetches.count == 39)
        #expect(pictures.value.pinned.keys.sorted() == Array(1...40), "99 is not a favorite")
        #expect(pictures.value.pinned[7] == TestPictures.picture(7))
    }

    @Test func aSavedCharacterIsFetchedOnce() async {
        await run(9) { keeper, second in
            if [2, 5].contains(second) { for _ in 1...2 { keeper.changed(saved(7)) } }
        }
        #expect(pictures.value.fetches == [7])
        #expect(pictures.value.pinned[7] == TestPictures.picture(7))
    }

    @Test(arguments: [(62, [5]), (63, [])] as [(Int, [Int64])])
    func thePictureOfARemovedFavoriteIsUnpinnedAMinuteLater(_ seconds: Int, _ kept: [Int64]) async {
        await run(seconds) { keeper, second in
            if second == 1 { keeper.changed(saved(5)) }
            if second == 3 { keeper.changed(removed(5)) }
        }
        #expect(pictures.value.pinned.keys.sorted() == kept)
    }

    @Test func aSavedAgainCharacterWithADroppedPictureIsFetchedAgain() async {
        await run(70) { keeper, second in
            if [1, 66].contains(second) { keeper.changed(saved(5)) }
            if second == 3 { keeper.changed(removed(5)) }
        }
        #expect(pictures.value.fetches == [5, 5])
        #expect(pictures.value.pinned.keys.sorted() == [5])
    }

    @Test func missedChangesAreReadFromTheStore() async {
        pictures.change { $0.favorites[1] = character(1) }
        await run(70) { keeper, second in
            guard second == 2 else { return }
            pictures.change { $0.favorites = [2: character(2)] }
            keeper.changed(nil)
        }
        #expect(pictures.value.pinned.keys.sorted() == [2])
    }

    /// It is asked after 1, 2, 4, 8 and 16 seconds, and then after the next scan of the store.
    @Test(arguments: [(30, 5), (31, 6), (630, 6), (631, 7)])
    func aFailingSourceIsRetriedWithBackoff(_ seconds: Int, _ count: Int) async {
        pictures.change { state in
            state.favorites[1] = character(1)
            state.failures[1] = .upstream(.timedOut)
        }
        await run(seconds)
        #expect(pictures.value.fetches.count == count)
    }

    /// A dead host keeps the pictures of another one from nobody.
    @Test func aFailingHostDoesNotDelayOthers() async {
        func character(_ id: Int64, _ host: String) -> MarvelCharacter {
            let place = Thumbnail(path: "http://\(host)/\(id)", fileExtension: "gif")
            return MarvelCharacter(id: id, name: "C\(id)", thumbnail: place)
        }
        pictures.change { state in
            for id: Int64 in 1...30 {
                state.favorites[id] = character(id, "dead.test")
                state.failures[id] = .upstream(.unreachable("test"))
            }
            for id: Int64 in 31...60 { state.favorites[id] = character(id, "well.test") }
        }
        await run(0)
        #expect(pictures.value.pinned.keys.sorted() == Array(31...60))
        #expect(pictures.value.fetches.count { $0 <= 30 } <= 2, "the others of a host that failed are left alone")
    }

    @Test(arguments: [
        (SourceError.quota(retryAfter: nil), 900), (.quota(retryAfter: .seconds(3_600)), 3_600),
        (.unavailable(status: 503, retryAfter: .seconds(30)), 30), (.timedOut, 1),
        (.unavailable(status: 503, retryAfter: .seconds(86_400)), 3_600), (.quota(retryAfter: .seconds(86_400)), 3_600),
    ])
    func aSourceIsLeftAloneForAsLongAsItAsks(_ failure: SourceError, _ seconds: Int) async {
        pictures.change { state in
            state.favorites[1] = character(1)
            state.failures[1] = .upstream(failure)
        }
        await run(seconds - 1)
        #expect(pictures.value.fetches.count == 1)
        pictures.change { $0.fetches = [] }
        await run(seconds)
        #expect(pictures.value.fetches.count == 2)
    }

    @Test(arguments: [PictureError.none, .tooLarge, .hostNotAllowed, .unusable("it is empty")])
    func aMissingPictureIsNotRequestedAgainBeforeALaterSave(_ error: PictureError) async {
        pictures.change { state in
            for id: Int64 in 1...2 { state.favorites[id] = character(id) }
            state.failures[1] = error
        }
        await run(610) { keeper, second in if second > 0, second < 600 { keeper.changed(saved(1)) } }
        #expect(pictures.value.fetches.sorted() == [1, 2])
        #expect(pictures.value.pinned.keys.sorted() == [2], "the source is not at fault")
        pictures.change { $0.fetches = [] }
        await run(610) { keeper, second in if second == 605 { keeper.changed(saved(1)) } }
        #expect(pictures.value.fetches == [1, 1])
    }

    @Test func aCharacterWithANewPictureIsFetchedImmediately() async {
        var edited = character(1)
        edited.thumbnail = Thumbnail(path: "https://i.annihil.us/u/prod/marvel/i/mg/1", fileExtension: "jpg")
        pictures.change { state in
            state.favorites[1] = character(1)
            state.failures[1] = PictureError.none
        }
        await run(9) { [edited] keeper, second in
            guard second == 3 else { return }
            pictures.change { $0.failures = [:] }
            keeper.changed(saved(edited))
        }
        #expect(pictures.value.fetches == [1, 1])
        #expect(pictures.value.pinned.keys.sorted() == [1])
    }

    @Test func charactersAboveTheLimitAreFoundByTheNextRead() async {
        let count = Int64(PictureKeeper.maximumWanted + 10)
        await run(2) { keeper, second in
            if second == 1 { for id in 1...count { keeper.changed(saved(id)) } }
        }
        #expect(pictures.value.pinned.count == Int(count))
        #expect(pictures.value.fetches.count == Int(count))
    }

    @Test(arguments: [(599, []), (600, [1])] as [(Int, [Int64])])
    func aFailingStoreIsRetriedLater(_ seconds: Int, _ kept: [Int64]) async {
        pictures.change { state in
            state.favorites[1] = character(1)
            state.storeFailure = .notReadable("the disk fails")
        }
        await run(seconds) { _, second in if second == 1 { pictures.change { $0.storeFailure = nil } } }
        #expect(pictures.value.pinned.keys.sorted() == kept)
    }

    /// A full disk: nothing more is fetched for a cache that cannot keep it.
    @Test(arguments: [(599, []), (600, [1, 2])] as [(Int, [Int64])])
    func anUnwritableCacheIsRetriedLater(_ seconds: Int, _ kept: [Int64]) async {
        pictures.change { state in
            for id: Int64 in 1...2 { state.favorites[id] = character(id) }
            state.isCacheWritable = false
        }
        await run(seconds) { keeper, second in
            if second == 1 { pictures.change { $0.isCacheWritable = true } }
            if second == 2 { keeper.changed(saved(1)) }
        }
        #expect(pictures.value.pinned.keys.sorted() == kept)
        #expect(pictures.value.fetches.count == 2 + kept.count)
    }

    @Test(arguments: [(599, []), (600, [1, 2])] as [(Int, [Int64])])
    func nothingIsFetchedForAnUnreadableCache(_ seconds: Int, _ kept: [Int64]) async {
        pictures.change { state in
            state.favorites[1] = character(1)
            state.isCacheReadable = false
        }
        await run(seconds) { keeper, second in
            if second == 1 { keeper.changed(saved(2)) }
            if second == 2 { pictures.change { $0.isCacheReadable = true } }
        }
        #expect(pictures.value.pinned.keys.sorted() == kept)
        #expect(pictures.value.fetches.count == kept.count)
    }

    @Test func aStoreWithoutFavoritesIsNoReasonToUnpinAll() async {
        pictures.change { $0.pinned = [3: TestPictures.picture(3)] }
        await run(70) { keeper, second in if second == 2 { keeper.changed(nil) } }
        #expect(pictures.value.pinned.keys.sorted() == [3])
        await run(70) { keeper, second in if second == 2 { keeper.changed(removed(3)) } }
        #expect(pictures.value.pinned.isEmpty, "its last list let it go")
    }

    @Test func aDamagedPictureIsFetchedAgain() async {
        pictures.change { state in
            state.favorites[1] = character(1)
            state.pinned[1] = TestPictures.picture(9)
            state.damaged = [1]
        }
        await run(3) { keeper, second in
            guard second == 1 else { return }
            #expect(await keeper.pinnedPicture(of: 1) == nil)
        }
        #expect(pictures.value.fetches == [1])
        #expect(pictures.value.pinned[1] == TestPictures.picture(1))
    }

    /// More than one look at the store finds.
    @Test func picturesOfAnEarlierVersionArePinnedWithoutAFetch() async {
        let count = Int64(PictureKeeper.maximumWanted + 30)
        pictures.change { state in
            for id in 1...count { state.favorites[id] = character(id) }
            for id in 21...(count + 5) { state.former[id] = TestPictures.picture(id + 1) }
            state.pinned[30] = TestPictures.picture(30)
            state.failure = .upstream(.unreachable("test"))
        }
        await run(0)
        #expect(Set(pictures.value.pinned.keys) == Set(21...count), "those above it are on no list")
        #expect(pictures.value.pinned[30] == TestPictures.picture(30), "the cache's own is newer")
        #expect(pictures.value.pinned[31] == TestPictures.picture(32))
        #expect(Set(pictures.value.fetches).isSubset(of: Set(1...20)))
    }

    @Test func aPictureOfARemovedFavoriteIsNotPinned() async {
        pictures.change { state in
            state.favorites[1] = character(1)
            state.failures[1] = .upstream(.timedOut)
        }
        await run(5) { _, second in
            if second == 1 { pictures.change { ($0.favorites, $0.failures) = ([:], [:]) } }
        }
        #expect(pictures.value.fetches == [1, 1])
        #expect(pictures.value.pinned.isEmpty)
    }
}
