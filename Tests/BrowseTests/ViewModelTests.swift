import Browse
import MarvelClient
import MarvelDomain
import RPCCore
import TerminalUI
import TestClocks
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ViewModelTests {
    private let services = FakeServices()
    private let clock = TestClock()
    private let app: BrowseViewModel<TestClock>

    init() {
        let model = BrowseModel(size: TerminalSize(columns: 80, rows: 24), showsPictures: false)
        app = BrowseViewModel(model, services: services, clock: clock)
    }

    private func press(_ keys: Key...) async {
        for key in keys { await app.receive(.terminal(.key(key))) }
    }

    private func type(_ text: String) async {
        for letter in text { await press(.character(letter)) }
    }

    /// The first state that is so.
    @discardableResult
    private func state(where condition: (BrowseModel) -> Bool) async throws -> BrowseModel {
        for await state in app.states.values where condition(state) { return state }
        throw CancellationError()
    }

    private func page(_ places: Range<Int>, of total: Int) -> SearchPage {
        let token = places.upperBound < total ? "at \(places.upperBound)" : ""
        return SearchPage(characters: places.map { .number($0) }, total: total, nextPageToken: token)
    }

    /// A search has found 100 characters: two pages are here.
    private func searched() async throws {
        await type("hero")
        await press(Key(.enter))
        for places in [0..<19, 19..<38] {
            let asked = try #require(await services.nextPage())
            asked.question.succeed(page(places, of: 100))
        }
        try await state { $0.search.results?.rows.count == 38 }
    }

    @Test func aSearchStartsWhenTypingPausesByTheClock() async throws {
        await type("s")
        await type("p")
        await clock.sleepBegins(until: .milliseconds(300))
        clock.advance(by: .milliseconds(200))
        await type("i")
        await clock.sleepBegins(until: .milliseconds(500))
        clock.advance(by: .milliseconds(299))
        #expect(app.states.value.search.pendingResults == nil)
        clock.advance(by: .milliseconds(1))
        let asked = try #require(await services.nextPage())
        #expect(asked.request.query.text == "spi")
        #expect(app.states.value.spinner != nil)
    }

    @Test func aPageIsPulledOnlyWhenItIsNear() async throws {
        try await searched()
        // Whatever is asked for next comes behind a page that was pulled too early.
        await press(Key(.enter))
        let toggle = try #require(await services.nextToggle(), "a page was pulled that is not near")
        #expect(toggle.id == 1 && toggle.desired == .saved)
        for _ in 1...19 { await type("j") }
        let asked = try #require(await services.nextPage())
        #expect(asked.request.id == SearchID(1))
    }

    @Test func aNewSearchCancelsTheEarlierCall() async throws {
        await type("iron")
        await press(Key(.enter))
        let first = try #require(await services.nextPage())
        await type("/ man")
        await press(Key(.enter))
        await first.question.cancellation()
        first.question.succeed(page(0..<10, of: 10))
        let second = try #require(await services.nextPage())
        #expect(second.request.query.text == "iron man")
        second.question.succeed(page(0..<3, of: 3))
        let found = try await state { $0.search.results?.total != nil }
        #expect(found.count == 3)
    }

    @Test func aFailureIsExplainedAndRRetries() async throws {
        await type("iron")
        await press(Key(.enter))
        let asked = try #require(await services.nextPage())
        asked.question.fail(RPCError(.unavailable, "The server is busy."))
        let failed = try await state { $0.search.failure != nil }
        #expect(failed.notice == ["The server is busy.", "Wait a little.", "r retries."])
        await type("r")
        #expect(try #require(await services.nextPage()).request.id == SearchID(2))
    }

    @Test func aToggleIsShownImmediatelyAndRevertedIfRefused() async throws {
        try await searched()
        await press(Key(.enter))
        #expect(app.states.value.isFavorite(1))
        let toggle = try #require(await services.nextToggle())
        toggle.question.fail(RPCError(.resourceExhausted, "The disk is full."))
        let refused = try await state { $0.message != nil }
        #expect(!refused.isFavorite(1))
        #expect(refused.message?.text == "Hero 0 was not saved. The disk is full. Wait a little.")
    }

    @Test func theListIsWatchedAndWatchedAgainOnDemand() async throws {
        await app.start()
        let first = try #require(await services.nextFavorites())
        var lost = LiveFavorites.State()
        lost.connection = .lost(RPCError(.unavailable, "gone"), nextTry: .now + .seconds(3600))
        first.succeed(lost)
        let counted = try await state { $0.favorites.secondsToNextTry != nil }
        let seconds = try #require(counted.favorites.secondsToNextTry)
        await clock.sleepBegins(until: .seconds(1))
        clock.advance(by: .seconds(1))
        try await state { $0.favorites.secondsToNextTry == seconds - 1 }
        let second = try #require(await services.nextFavorites())
        await press(Key(.tab), .character("r"))
        await second.cancellation()
        let third = try #require(await services.nextFavorites())
        var live = LiveFavorites.State()
        live.list = FavoritesList(favorites: [], revision: 1, capacity: 5)
        live.connection = .live
        third.succeed(live)
        try await state { $0.favorites.isLive }
    }

    @Test(arguments: [true, false])
    func aToggleAtQuitIsAwaitedButNotForLong(isAnswered: Bool) async throws {
        try await searched()
        await press(Key(.enter), .character("q"))
        let question = try #require(await services.nextToggle()).question
        clock.advance(by: .milliseconds(1))
        async let unanswered = app.finish()
        await clock.sleepBegins(until: .milliseconds(2001))
        if isAnswered {
            question.succeed(ToggleResult(isFavorite: true, revision: 1))
        } else {
            clock.advance(by: .seconds(2))
            await question.cancellation()
        }
        #expect(await unanswered == (isAnswered ? [] : ["Hero 0"]))
    }

    @Test func theLastToggleAtQuitIsSentToo() async throws {
        try await searched()
        await press(Key(.enter), Key(.enter), .character("q"))
        async let unanswered = app.finish()
        let first = try #require(await services.nextToggle())
        #expect(first.desired == .saved)
        first.question.succeed(ToggleResult(isFavorite: true, revision: 1))
        let second = try #require(await services.nextToggle())
        #expect(second.desired == .removed)
        second.question.succeed(ToggleResult(isFavorite: false, revision: 2))
        #expect(await unanswered.isEmpty)
    }

    /// As when the program is told to end: nobody has quit, and the task is cancelled already.
    @Test func aCancelledCallerStillAwaitsItsToggle() async throws {
        try await searched()
        await press(Key(.enter))
        let question = try #require(await services.nextToggle()).question
        let end = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await app.finish()
        }
        try await state(where: \.isOver)
        // As long as nothing is answered, only the clock can end it.
        await clock.sleepBegins(until: .seconds(2))
        question.succeed(ToggleResult(isFavorite: true, revision: 1))
        #expect(await end.value.isEmpty)
    }

    @Test func releasingTheAppCancelsAllCalls() async throws {
        do {
            let model = BrowseModel(size: TerminalSize(columns: 80, rows: 24))
            let app = BrowseViewModel(model, services: services, clock: clock)
            await app.start()
        }
        let question = try #require(await services.nextFavorites())
        await question.cancellation()
    }
}
