import Browse
import MarvelDomain
import TestClocks
import Testing

@Suite(.timeLimit(.minutes(1)))
struct PlainConversationTests {
    private let services = FakeServices(earlierSearches: ["thor"])
    private let clock = TestClock()
    private let talk: PlainConversation<TestClock>

    init() {
        let model = BrowseModel(size: PlainView.size, showsPictures: false)
        talk = PlainConversation(BrowseViewModel(model, services: services, clock: clock))
    }

    @Test func eachLineIsAnsweredBeforeTheNextWhereThatIsWaitedFor() async throws {
        await talk.start()
        let typing = Task { [talk] in
            for line in [.text("hero"), .text("1"), .text("?"), .end] as [PlainLine] {
                await talk.type(line)
                await talk.answered()
            }
        }
        let page = try #require(await services.nextPage())
        page.question.succeed(FoundPage(characters: [.number(0)], total: 1))
        guard case .toggle(1, .saved, let toggle) = await services.next() else {
            Issue.record("the toggle was not sent")
            return
        }
        toggle.succeed(ToggleResult(isFavorite: true, revision: 1))
        await typing.value
        var speech: [PlainSpeech] = []
        for await part in talk.speech { speech.append(part) }
        guard case .sentences(let help) = speech.dropLast().last else {
            Issue.record("the help was not read: \(speech)")
            return
        }
        #expect(
            speech == [
                .ready,
                .lineTaken, .sentences(["1 character begins with “hero”.", "1: Hero 0."]), .ready,
                .lineTaken, .sentences(["Saved Hero 0."]), .ready,
                .lineTaken, .sentences(help), .ready,
            ]
        )
    }

    @Test func whatComesByItselfIsSaidBetweenLines() async throws {
        await talk.start()
        var first: Question<FavoritesState?>?
        while first == nil {
            guard case .favorites(let question) = await services.next() else { continue }
            first = question
        }
        var speech = talk.speech.makeAsyncIterator()
        #expect(await speech.next() == .ready)
        first?.succeed(FavoritesState(connection: .lost(.gone, nextTry: .seconds(3))))
        guard case .sentences(let sentences) = await speech.next() else {
            Issue.record("the loss is not told")
            return
        }
        #expect(sentences.count == 1)
    }
}
