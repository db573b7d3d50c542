import TerminalUI
import Testing

@testable import Browse

@Suite
struct FieldViewTests {
    @Test(arguments: [
        ("", "", 8, "", 0), ("abc", "", 8, "abc", 3), ("abcdefg", "", 8, "abcdefg", 7),
        ("abcdefgh", "", 8, "…cdefgh", 7), ("ab", "cdefgh", 8, "abcdefgh", 2), ("ab", "cdefghi", 8, "abcdefg…", 2),
        ("누아르누", "", 8, "…아르누", 7), ("abcdefghij", "xyz", 8, "…efghij…", 7), ("abc", "", 1, "", 0),
        ("누", "아", 2, "……", 1),
    ])
    func theCursorIsAlwaysSeen(before: String, after: String, width: Int, text: String, cursor: Int) {
        var field = QueryField(before + after)
        for _ in after { _ = field.edit(Key(.left)) }
        let line = FieldLine(field, width: width)
        #expect(line.text == text)
        #expect(line.cursor == cursor)
        #expect(line.text.displayWidth <= width && line.cursor < width)
    }

    @Test func theCursorStandsBehindWideLetters() {
        var stage = Scene.staged(80, 24)
        stage.type("스파👩‍🚀a")
        let layout = stage.view.layout
        #expect(stage.screen.cursor == Position(column: layout.field.column + 7, row: layout.field.row))
        stage.press(.left, .left)
        #expect(stage.screen.cursor == Position(column: layout.field.column + 4, row: layout.field.row))
    }

    @Test func onlyTheFieldHasACursor() {
        var stage = Scene.staged(80, 24)
        stage.live([])
        stage.search("spider")
        #expect(stage.screen.cursor == nil)
        stage.type("/")
        #expect(stage.screen.cursor != nil)
        stage.press(.f1)
        #expect(stage.screen.cursor == nil)
        stage.press(.escape, .tab)
        #expect(stage.screen.cursor == nil)
    }

    @Test(arguments: [Gallery.suggestions(80, 24)])
    func suggestionsAreWhereClicksHitThem(_ stage: Scene) throws {
        let area = stage.view.layout.suggestions
        for (index, name) in stage.model.search.suggestions.names.enumerated() {
            let place = try #require(stage.screen.find("│\(name)") ?? stage.screen.find("\(Symbol.selection)\(name)"))
            #expect(place == Position(column: area.column - 1, row: area.row + index))
            let isChosen = index == stage.model.search.suggestions.chosen
            #expect(stage.screen.style(of: name)?.background == (isChosen ? .selection : .muted))
        }
    }
}
