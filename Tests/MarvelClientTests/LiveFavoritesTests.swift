import FakeChannel
import MarvelDomain
import NIOCore
import Testing
import WireMessages

@testable import MarvelClient

private let gone = RPCError(.unavailable, "gone")
private let broken = RPCError(.internalError, "broken")

private func favorite(_ id: Int64) -> Favorite {
    Favorite(character: MarvelCharacter(id: id, name: "\(id)"), savedAt: Timestamp(seconds: id))
}

private func list(_ ids: [Int64], at revision: Int64) -> FavoritesList {
    FavoritesList(favorites: ids.map(favorite), revision: revision, capacity: 3)
}

private func snapshot(_ ids: [Int64], at revision: Int64) -> FavoritesEvent {
    .snapshot(ListedFavorites(list: list(ids, at: revision), attribution: "by Marvel"))
}

/// The state of a live list, event by event.
struct LiveFavoritesStateTests {
    private static let now = ContinuousClock.now
    private static let known = [snapshot([1, 2, 3], at: 7)]
    private static let interruption = FavoritesEvent.interrupted(gone, retryDelay: .seconds(4))

    private func state(after events: [FavoritesEvent]) -> LiveFavorites.State {
        var state = LiveFavorites.State()
        for event in events { state.received(event, at: Self.now) }
        return state
    }

    @Test func aSnapshotIsTheWholeList() {
        let state = state(after: Self.known)
        #expect(state.list == list([1, 2, 3], at: 7))
        #expect(state.attribution == "by Marvel")
        #expect(state.connection == .live)
    }

    @Test func aBreakHasTheTimeOfTheNextAttemptAndKeepsTheList() {
        let state = state(after: Self.known + [Self.interruption])
        #expect(state.list == list([1, 2, 3], at: 7))
        #expect(state.connection == .lost(gone, nextTry: Self.now + .seconds(4)))
    }

    @Test(arguments: [snapshot([1, 2, 3], at: 7), .progress(revision: 7)])
    func anyEventAfterABreakEndsIt(_ event: FavoritesEvent) {
        #expect(state(after: Self.known + [Self.interruption, event]) == state(after: Self.known))
    }

    @Test func aSnapshotTakesThePlaceOfALaterListToo() {
        // The store was put back to an earlier day.
        #expect(state(after: Self.known + [snapshot([1], at: 2)]).list == list([1], at: 2))
    }
}

/// A list that keeps itself up to date.
@Suite(.timeLimit(.minutes(10)))
struct LiveFavoritesTests {
    @Test func everyReaderGetsTheStateAndItsChanges() async {
        let watch = ScriptedWatch(snapshot([1], at: 1))
        let live = LiveFavorites(watch)
        var first = live.makeAsyncIterator()
        while await first.next()?.list == nil {}
        var second = live.makeAsyncIterator()
        #expect(await second.next()?.list == list([1], at: 1))
        watch.send(.changed(FavoritesChange(revision: 2, saved: favorite(2))))
        #expect(await first.next()?.list == list([1, 2], at: 2))
        #expect(await second.next()?.list == list([1, 2], at: 2))
        #expect(live.state.list == list([1, 2], at: 2))
    }

    @Test func aReaderGetsOnlyNewChanges() async {
        let watch = ScriptedWatch(snapshot([1], at: 1))
        var states = LiveFavorites(watch).makeAsyncIterator()
        while await states.next()?.list == nil {}
        watch.send(.progress(revision: 1))
        watch.send(.changed(FavoritesChange(revision: 2, saved: favorite(2))))
        #expect(await states.next()?.list?.revision == 2)
    }

    @Test func aReleasedListIsNotWatched() async {
        let watch = ScriptedWatch(snapshot([1], at: 1))
        var live: LiveFavorites? = LiveFavorites(watch)
        _ = await live?.first { $0.connection == .live }
        live = nil
        for await _ in watch.ended {}
    }

    @Test func aListThatSomebodyReadsIsWatched() async {
        let watch = ScriptedWatch(snapshot([1], at: 1))
        var states: LiveFavorites.AsyncIterator? = LiveFavorites(watch).makeAsyncIterator()
        while await states?.next()?.list == nil {}
        watch.send(snapshot([2], at: 2))
        #expect(await states?.next()?.list == list([2], at: 2))
        states = nil
        for await _ in watch.ended {}
    }

    @Test func theStatesEndWithTheWatch() async {
        let watch = ScriptedWatch(snapshot([1], at: 1))
        let live = LiveFavorites(watch)
        watch.fail(broken)
        var last: LiveFavorites.State?
        for await state in live { last = state }
        #expect(last?.connection == .ended(broken))
        #expect(last?.list == list([1], at: 1))
    }

    @Test func theStatesEndWithTheTaskThatReadsThem() async {
        let live = LiveFavorites(ScriptedWatch(snapshot([1], at: 1)))
        let reader = Task { for await _ in live {} }
        reader.cancel()
        await reader.value
        #expect(await live.first { $0.connection == .live } != nil)
    }

    // MARK: Over a channel

    private typealias Answer = Result<ByteBuffer, RPCError>

    private static func answer(_ ids: [Int64], at revision: Int64) -> Answer {
        .success(WatchFavoritesResponse(.snapshot(list(ids, at: revision))).encoded())
    }

    /// Until it ends: the last answer has to be an error that does not pass.
    private func last(_ answers: [Answer], retries: Bool = true) async throws -> (LiveFavorites.State?, [Int64]) {
        let channel = FakeChannel(answers)
        let client = MarvelClient(channel: channel, retries: retries, timing: RetryTiming(sleep: { _ in }))
        var last: LiveFavorites.State?
        for await state in client.liveFavorites() { last = state }
        return (last, try channel.requests(WatchFavoritesRequest.self).map(\.fromRevision))
    }

    /// From the start, and after each break, it asks for the whole list: so it is told at once that there is a server.
    @Test func aMissingServerIsAwaitedAtTheStartAndLater() async throws {
        let (state, fromRevisions) = try await last([
            .failure(gone), .failure(gone), Self.answer([1], at: 1), .failure(gone), Self.answer([1, 2], at: 2),
            .failure(broken),
        ])
        #expect(state?.list == list([1, 2], at: 2))
        #expect(state?.connection == .ended(broken))
        #expect(fromRevisions == [0, 0, 0, 0])
    }

    @Test func aClientThatIsShutDownIsNotWaitedFor() async throws {
        let shutDown = RPCError(.unavailable, reason: .clientShutDown, "shut down")
        let (state, _) = try await last([Self.answer([1], at: 1), .failure(shutDown)])
        #expect(state?.connection == .ended(shutDown))
    }
}
