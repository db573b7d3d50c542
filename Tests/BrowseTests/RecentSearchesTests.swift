import Browse
import MarvelDomain
import TerminalUI
import Testing

@Suite
struct RecentSearchesTests {
    private var scene = Scene()

    private var saved: [[String]] {
        scene.wishes.compactMap { if case .saveRecentSearches(let queries) = $0 { queries } else { nil } }
    }

    @Test mutating func recentSearchesAreShownBeforeTyping() {
        scene.send(.recentSearchesLoaded(["iron", "thor", "x", "THOR", "iron"]))
        #expect(scene.model.list == .recentSearches)
        #expect(scene.model.search.recent.queries == ["iron", "thor"])
    }

    @Test mutating func theNewestTwentySearchesAreKeptOnceEach() {
        scene.send(.recentSearchesLoaded((1...30).map { "hero \($0)" }))
        #expect(scene.model.search.recent.queries.count == 20)
        scene.type("HERO 3")
        scene.press(.enter)
        #expect(saved.last?.prefix(3) == ["HERO 3", "hero 1", "hero 2"])
        #expect(saved.last?.count == 20)
    }

    @Test mutating func aSearchShownForTwoSecondsIsRemembered() {
        scene.type("iron")
        scene.wait(.milliseconds(300))
        scene.total = 3
        scene.serve()
        scene.wait(.milliseconds(1999))
        #expect(saved.isEmpty)
        scene.wait(.milliseconds(1))
        #expect(saved == [["iron"]])
    }

    @Test mutating func aSearchReplacedByAnotherIsNotRemembered() {
        scene.type("iron")
        scene.wait(.milliseconds(300))
        scene.serve()
        scene.wait(.seconds(1))
        scene.type(" m")
        scene.wait(.milliseconds(300))
        scene.serve()
        scene.wait(.seconds(3))
        #expect(saved == [["iron m"]])
    }

    @Test mutating func aSearchWithoutResultsIsNotRemembered() {
        scene.total = 0
        scene.type("iron")
        scene.wait(.seconds(1))
        scene.serve()
        scene.wait(.seconds(5))
        #expect(saved.isEmpty)
    }

    @Test(arguments: [Key.Code.enter, .character("d")])
    mutating func aSearchWhoseResultsAreUsedIsRemembered(key: Key.Code) {
        scene.type("iron")
        scene.wait(.milliseconds(300))
        scene.serve()
        scene.press(.escape)
        scene.press(key)
        #expect(saved == [["iron"]])
    }

    @Test mutating func enterRunsARecentSearch() {
        scene.send(.recentSearchesLoaded(["iron", "thor"]))
        scene.press(.down, .down, .enter)
        #expect(scene.wishes.compactMap(\.started).map(\.query.text) == ["thor"])
        #expect(scene.model.search.field.text == "thor")
        #expect(saved == [["thor", "iron"]])
    }

    @Test(arguments: [Key.Code.character("x"), .delete])
    mutating func aRecentSearchCanBeRemoved(key: Key.Code) {
        scene.send(.recentSearchesLoaded(["iron", "thor", "loki"]))
        scene.press(.down, .down)
        scene.press(key)
        #expect(saved == [["iron", "loki"]])
        scene.press(key, key, key)
        #expect(saved.last == [])
    }

    @Test mutating func aClickRunsOrRemovesARecentSearch() throws {
        scene.send(.recentSearchesLoaded(["iron", "thor"]))
        let card = try #require(scene.model.layout.cards.last)
        #expect(scene.model.layout.target(at: Position(column: 79, row: card.frame.row)) == .removeRecent(1))
        scene.click(Rectangle(column: 79, row: card.frame.row, width: 1, height: 1))
        #expect(saved == [["iron"]])
        try scene.click(cardAt: 0)
        #expect(scene.wishes.compactMap(\.started).map(\.query.text) == ["iron"])
    }
}
