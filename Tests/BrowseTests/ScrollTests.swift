import Browse
import MarvelClient
import MarvelDomain
import TerminalUI
import Testing

/// On 19 rows of cards, one a row: pages of 19.
@Suite
struct ScrollTests {
    private var scene = Scene.searched()

    private var visible: Range<Int> {
        scene.model.cursor.visible(in: scene.model.layout.grid, count: scene.model.count)
    }
    private var shownNames: [String?] { visible.map { scene.model.character(at: $0)?.name } }
    private var expectedNames: [String?] { visible.map { "Hero \($0)" } }

    @Test mutating func theNextPageIsRequestedOneScreenAhead() {
        // Two pages are here: the screen, and one screen behind it.
        #expect(scene.model.search.results?.rows.count == 38)
        for _ in 1...18 { scene.type("j") }
        #expect(scene.take().isEmpty)
        #expect(visible == 0..<19)
        // The next row leaves a screen without its successor.
        scene.type("j")
        #expect(scene.take() == [.nextPage(SearchID(1))])
    }

    @Test(arguments: [-1, Int.min, .max], ["", "more"])
    func anyTotalFromTheServerIsHandled(total: Int, token: String) {
        for characters in [[], [MarvelCharacter.number(0)]] {
            var scene = Scene()
            scene.type("hero")
            scene.press(.enter)
            let page = SearchPage(characters: characters, total: total, nextPageToken: token)
            scene.send(.search(SearchID(1), .page(page)))
            #expect(scene.model.count >= characters.count)
            scene.press(.down, .end, .pageDown, .home)
        }
    }

    @Test mutating func theEndOfTheResultsIsKnown() {
        scene = .searched(total: 45)
        scene.type("G")
        scene.serve()
        #expect(shownNames == expectedNames)
        #expect(visible == 26..<45)
        #expect(scene.openSearches == 0)
        #expect(scene.model.position == "27–45 of 45")
        _ = scene.take()
        scene.press(.down, .pageDown, .end)
        #expect(scene.take().isEmpty)
    }

    @Test mutating func theEndOfALongResultComesByASearchThatSkips() {
        scene.type("G")
        let effects = scene.take().filter(\.isAboutSearches)
        #expect(effects.first == .cancelSearch(SearchID(1)))
        #expect(effects.last?.started?.skip == 981)
        #expect(effects.count == 2)
        scene.serve()
        #expect(visible == 981..<1000)
        #expect(shownNames == expectedNames)
        #expect(scene.model.selectedCharacter?.name == "Hero 999")
    }

    @Test mutating func scrollingUpFromTheEndLoadsTheRowsAbove() {
        scene.type("G")
        scene.serve()
        // The screen above is loaded too, and no more.
        #expect(scene.model.search.results?.rows[962] != nil)
        #expect(scene.model.search.results?.rows[961] == nil)
        _ = scene.take()
        for _ in 1...300 {
            scene.type("k")
            scene.serve()
            #expect(shownNames == expectedNames)
        }
        #expect(scene.model.selectedCharacter?.name == "Hero 699")
        // Whole pages, each where the one behind it begins.
        #expect(scene.take().compactMap(\.started).map(\.skip) == Array(stride(from: 943, to: 658, by: -19)))
    }

    @Test mutating func homeGoesBackToTheLoadedPart() {
        scene.type("G")
        scene.serve()
        _ = scene.take()
        scene.type("g")
        #expect(scene.take().filter(\.isAboutSearches).isEmpty)
        #expect(visible == 0..<19)
        #expect(shownNames == expectedNames)
    }

    @Test mutating func aStreamThatTheServerEndedContinuesFromItsToken() throws {
        scene.end(.ended)
        #expect(scene.take().isEmpty)
        for _ in 1...19 { scene.type("j") }
        let request = try #require(scene.take().first?.started)
        #expect(request.pageToken == "at 38")
        #expect(request.skip == 0)
        scene.serve()
        #expect(scene.model.character(at: 38)?.name == "Hero 38")
    }

    @Test(arguments: [false, true])
    mutating func aStreamThatEndsWithoutRowsIsAnErrorAndNotRetriedForever(hasEmptyPage: Bool) throws {
        scene.end(.ended)
        for _ in 1...19 { scene.type("j") }
        let request = try #require(scene.take().first?.started)
        if hasEmptyPage {
            scene.send(.search(request.id, .page(SearchPage(characters: [], total: 1000, nextPageToken: "at 38"))))
            #expect(scene.take() == [.nextPage(request.id)])
        }
        scene.end(.ended)
        #expect(scene.take().isEmpty)
        #expect(scene.model.banner?.contains("ended the search") == true)
        scene.type("r")
        #expect(scene.take().compactMap(\.started).map(\.skip) == [38])
    }

    @Test mutating func theNumberOfLoadedRowsIsBounded() throws {
        scene = .searched(total: 20_000)
        for _ in 1...400 {
            scene.press(.pageDown)
            scene.serve()
        }
        let rows = try #require(scene.model.search.results?.rows)
        #expect(rows.count <= Results.rowLimit)
        #expect(shownNames == expectedNames)
        #expect(rows[0] == nil)
        scene.type("g")
        scene.serve()
        #expect(shownNames == expectedNames)
    }

    @Test mutating func aFailureWhileScrollingKeepsTheRowsAndIsRetried() {
        for _ in 1...19 { scene.type("j") }
        _ = scene.take()
        scene.end(.failed(FailureNotice("The server is busy.", whatToDo: "Wait a little.")))
        #expect(scene.model.count == 1000)
        #expect(scene.model.banner == "The server is busy. Wait a little. r retries.")
        scene.type("j")
        #expect(scene.take().isEmpty)
        scene.type("r")
        #expect(scene.take().compactMap(\.started).map(\.skip) == [38])
        scene.serve()
        #expect(scene.model.banner == nil)
        #expect(scene.model.character(at: 38) != nil)
    }

    @Test mutating func resultsThatHaveBecomeFewerEndEarlier() {
        scene.total = 500
        scene.type("G")
        scene.serve()
        #expect(scene.model.count == 500)
        #expect(visible == 481..<500)
        #expect(shownNames == expectedNames)
    }

    @Test mutating func theWheelScrollsAndKeepsTheSelectionOnTheScreen() {
        let position = Position(column: 10, row: 10)
        for _ in 1...4 { scene.send(.terminal(.mouse(MouseEvent(.scrollDown, at: position)))) }
        #expect(visible == 12..<31)
        #expect(scene.model.cursor.selected == 12)
        scene.send(.terminal(.mouse(MouseEvent(.scrollUp, at: position))))
        #expect(visible == 9..<28)
        #expect(scene.model.cursor.selected == 12)
    }

    @Test mutating func resizingKeepsTheSelectedCardInView() {
        for _ in 1...30 { scene.type("j") }
        scene.serve()
        for (columns, rows) in [(200, 60), (40, 10), (30, 5), (120, 33), (40, 10), (80, 24)] {
            scene.resize(columns, rows)
            scene.serve()
            #expect(scene.model.cursor.selected == 30)
            #expect(visible.contains(30))
            scene.type("v")
            scene.serve()
            #expect(visible.contains(30))
        }
    }

    @Test mutating func hiddenResultsAreNotLoaded() {
        scene.press(.tab)
        scene.resize(200, 60)
        #expect(scene.take().filter(\.isAboutSearches).isEmpty)
        scene.press(.tab)
        #expect(scene.take().filter(\.isAboutSearches).count == 1)
    }
}
