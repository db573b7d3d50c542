import Browse
import MarvelClient
import MarvelDomain
import TerminalUI
import Testing

@Suite
struct TypingTests {
    private var scene = Scene()

    private var started: [SearchRequest] { scene.wishes.compactMap(\.started) }

    @Test mutating func aSearchStartsWhenTypingPauses() {
        scene.type("sp")
        scene.wait(.milliseconds(299))
        scene.type("i")
        scene.wait(.milliseconds(299))
        #expect(started.isEmpty)
        scene.wait(.milliseconds(1))
        #expect(started.map(\.query.text) == ["spi"])
        #expect(started.map(\.pageSize) == [19])
    }

    @Test(arguments: [("s", 0), ("s ", 0), (" sp ", 1), ("에", 0), ("에이", 1), ("👩‍👩‍👧", 0), ("👩‍👩‍👧👍🏽", 1)])
    mutating func twoGraphemesAreEnough(text: String, searches: Int) {
        scene.type(text)
        scene.wait(.seconds(1))
        #expect(started.count == searches)
    }

    @Test mutating func theSameNormalizedQueryIsNotSearchedAgain() {
        scene.type("iron")
        scene.wait(.seconds(1))
        scene.type(" ")
        scene.wait(.seconds(1))
        scene.press(.backspace)
        scene.press(.enter)
        #expect(started.map(\.query.text) == ["iron"])
    }

    @Test mutating func aNewSearchCancelsTheOneBefore() {
        scene.type("ir")
        scene.wait(.seconds(1))
        scene.type("o")
        _ = scene.take()
        scene.wait(.seconds(1))
        let effects = scene.take().filter(\.isAboutSearches)
        #expect(effects.first == .cancelSearch(SearchID(1)))
        #expect(effects.dropFirst().first?.started?.id == SearchID(2))
        #expect(effects.count == 2)
    }

    @Test mutating func resultsOfACancelledSearchAreIgnored() {
        scene.type("ir")
        scene.wait(.seconds(1))
        scene.type("o")
        scene.wait(.seconds(1))
        let before = scene.model
        scene.send(.search(SearchID(1), .page(SearchPage(characters: [.number(7)], total: 1))))
        scene.send(.search(SearchID(1), .failed(.gone)))
        #expect(scene.model == before)
    }

    @Test mutating func enterSearchesImmediatelyAndGoesToTheResults() {
        scene.type("iron")
        scene.press(.enter)
        #expect(started.map(\.query.text) == ["iron"])
        #expect(scene.model.search.focus == .cards)
        scene.wait(.seconds(1))
        #expect(started.count == 1)
    }

    @Test mutating func enterWithOneLetterSaysWhatIsMissing() {
        scene.type("i")
        scene.press(.enter)
        #expect(scene.model.message?.text == "One more letter: a search needs two.")
        #expect(started.isEmpty)
    }

    @Test mutating func fewerThanTwoLettersClearTheResults() {
        scene = .searched()
        scene.type("/")
        for _ in 1...3 { scene.press(.backspace) }
        #expect(scene.model.count == 0)
        #expect(scene.model.search.results == nil)
        #expect(scene.openSearches == 0)
    }

    @Test mutating func resultsStayUntilTheNextSearchHasResults() {
        scene = .searched(total: 5)
        scene.type("/")
        scene.type("es")
        scene.wait(.milliseconds(300))
        #expect(scene.model.search.pendingResults?.query.text == "heroes")
        #expect(scene.model.search.results?.query.text == "hero")
        #expect(scene.model.count == 5)
        scene.total = 2
        scene.serve()
        #expect(scene.model.search.pendingResults == nil)
        #expect(scene.model.search.results?.query.text == "heroes")
        #expect(scene.model.count == 2)
    }

    @Test mutating func pastedTextIsSearched() {
        scene.send(.terminal(.paste("iron\nman")))
        scene.wait(.milliseconds(300))
        #expect(started.map(\.query.text) == ["iron man"])
    }

    @Test mutating func moreThanAHundredLettersAreNotSearched() {
        scene.send(.terminal(.paste(String(repeating: "x", count: 1_000_000))))
        scene.wait(.seconds(1))
        #expect(started.isEmpty)
        #expect(scene.model.search.field.text.count == QueryField.maximumLength)
        #expect(scene.model.search.hint?.contains("at most 100") == true)
    }

    @Test mutating func theMatchModeCyclesAndSearchesAgain() {
        scene = .searched()
        for expected in [Match.wordPrefix, .substring, .fuzzy, .prefix] {
            scene.press(.control("t"))
            #expect(scene.take().compactMap(\.started).map(\.match) == [expected])
        }
    }

    // MARK: The spinner

    @Test mutating func theSpinnerTurnsOnlyDuringARequest() {
        #expect(scene.model.spinner == nil)
        scene.type("iron")
        scene.press(.enter)
        #expect(scene.model.spinner == 0)
        scene.wait(.milliseconds(350))
        #expect(scene.model.spinner == 3)
        scene.total = 3
        scene.serve()
        #expect(scene.model.spinner == nil)
        scene.wait(.seconds(10))
        #expect(scene.timers.isEmpty)
    }

}
