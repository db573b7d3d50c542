import MarvelDomain
import TerminalUI
import Testing

@testable import Browse

@Suite
struct BrowseViewTests {
    @Test func aSmallWindowSaysHowLargeItMustBe() {
        let words = Scene.staged(30, 8).screen.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words == "The window is too small. It has 30 × 8; it needs at least 40 × 10. Ctrl-C quits.")
    }

    @Test(arguments: Gallery.all.map(\.name))
    func aScreenWithDataHasItsAttribution(name: String) throws {
        let make = try #require(Gallery.all.first { $0.name == name }).model
        for (columns, rows) in [(40, 10), (80, 24), (200, 60)] {
            let model = make(columns, rows)
            #expect(model.attribution.isEmpty == (name == "first start"))
            #expect(BrowseView(model).screen.text.contains(model.attribution))
        }
    }

    @Test func aLongAttributionHasTwoRows() {
        var stage = Scene.staged(40, 10)
        stage.attribution = "Character names and ids: Marvel. Descriptions and emblems: marvel-rpc."
        stage.live([])
        stage.search("spider")
        let rows = ["Character names and ids: Marvel.", "Descriptions and emblems: marvel-rpc."]
        let last = stage.screen.text.split(separator: "\n").suffix(2)
        #expect(last.map { String($0.trimmingPrefix(" ")) } == rows)
    }

    @Test func aFullListNamesTheNextEviction() {
        var stage = Scene.staged(120, 24)
        let names = stage.characters.map(\.name)
        stage.live(names: names[0], names[1])
        stage.press(.tab)
        #expect(stage.screen.text.contains("1–2 of 2 · room for 3 more"))
        stage.live(names: names[0], names[1], names[2], names[3], names[4], revision: 2)
        #expect(stage.screen.text.contains("full: the next one replaces Spider-Man (Peter Parker)"))
    }

    @Test(arguments: [(0, ""), (9, ""), (10, "Enter save"), (12, "Enter save"), (30, "Enter save · d details")])
    func onlyWholeHintsAreShown(width: Int, expected: String) {
        let hints: [KeyHint] = [("Enter", "save"), ("d", "details"), ("v", "grid")]
        let text = StyledText.hints(hints, width: width)
        #expect(text.runs.map(\.text).joined() == expected)
    }

    /// No line is counted that is not there: the first key upwards is seen.
    @Test(arguments: [Key.Code.pageDown, .end])
    func upFromTheEndOfADetailScrollsOneLine(key: Key.Code) {
        var stage = Gallery.detail(40, 10)
        for _ in 1...20 { stage.press(key) }
        let end = stage.screen.text
        stage.press(.up)
        #expect(stage.screen.text != end)
        #expect(stage.screen.text.contains("↓ 1 more line "))
        stage.press(.down)
        #expect(stage.screen.text == end)
    }

    /// A faulty server sends texts of megabytes, which would be laid out for each frame.
    @Test func textsOfTheServerAreCut() throws {
        let long = String(repeating: "ab ", count: 1_000_000)
        var stage = Scene.staged(80, 24)
        stage.characters = [MarvelCharacter(id: 1, name: long)]
        stage.attribution = long
        stage.live(names: long)
        stage.type("ab")
        stage.send(.suggestions(typed: "ab", names: Array(repeating: long, count: 100)))
        let suggestions = stage.model.search.suggestions.names
        #expect(suggestions.map(\.utf8.count) == Array(repeating: 2_400, count: 8))
        stage.press(.enter)
        #expect(stage.model.character(at: 0)?.name.utf8.count == 2_400)
        #expect(stage.model.attribution.utf8.count == 2_000)
        stage.press(.tab)
        #expect(stage.model.character(at: 0)?.name.utf8.count == 2_400)
        #expect(stage.model.attribution.utf8.count == 2_000)
        #expect(FailureNotice(long).text.utf8.count == 2_000)
    }
}
