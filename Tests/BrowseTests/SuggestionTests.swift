import Browse
import MarvelDomain
import TerminalUI
import Testing

@Suite
struct SuggestionTests {
    private var scene = Scene()

    @Test mutating func eachLetterRequestsSuggestionsImmediately() {
        _ = scene.take()
        scene.type("sp")
        #expect(scene.take() == [.askSuggestions(typed: "s"), .askSuggestions(typed: "sp")])
        scene.type(" ")
        #expect(scene.take().isEmpty)
    }

    @Test mutating func anAnswerToEarlierTextIsIgnored() {
        scene.type("sp")
        scene.send(.suggestions(typed: "s", names: ["Sabretooth"]))
        #expect(scene.model.search.suggestions.names.isEmpty)
        scene.send(.suggestions(typed: "sp", names: ["Spider-Man"]))
        #expect(scene.model.search.suggestions.names == ["Spider-Man"])
    }

    @Test mutating func aChosenNameIsSearchedImmediately() {
        scene.type("sp")
        scene.send(.suggestions(typed: "sp", names: ["Spider-Man", "Spider-Woman"]))
        scene.press(.down, .down, .down, .up, .down)
        #expect(scene.model.search.suggestions.chosenName == "Spider-Woman")
        scene.press(.enter)
        #expect(scene.model.search.field.text == "Spider-Woman")
        #expect(scene.wishes.compactMap(\.started).map(\.query.text) == ["Spider-Woman"])
        #expect(!scene.model.search.suggestions.isOpen)
    }

    @Test mutating func aClickedNameIsSearchedImmediately() {
        scene.type("sp")
        scene.send(.suggestions(typed: "sp", names: ["Spider-Man", "Spider-Woman"]))
        var row = scene.model.layout.suggestions
        row.row += 1
        scene.click(row)
        #expect(scene.wishes.compactMap(\.started).map(\.query.text) == ["Spider-Woman"])
    }

    @Test mutating func upFromTheFirstSuggestionReturnsToTheTypedText() {
        scene.type("sp")
        scene.send(.suggestions(typed: "sp", names: ["Spider-Man"]))
        scene.press(.down, .up, .enter)
        #expect(scene.wishes.compactMap(\.started).map(\.query.text) == ["sp"])
    }

    @Test mutating func onlyVisibleSuggestionsCanBeChosen() {
        scene.resize(80, 40)
        scene.type("sp")
        scene.send(.suggestions(typed: "sp", names: (1...9).map { "Spider \($0)" }))
        for _ in 1...9 { scene.press(.down) }
        #expect(scene.model.search.suggestions.chosenName == "Spider 8")
        scene.resize(40, 10)
        #expect(scene.model.layout.suggestions.height == 3)
        #expect(scene.model.search.suggestions.chosenName == "Spider 3")
        scene.press(.up)
        #expect(scene.model.search.suggestions.chosenName == "Spider 2")
    }

    @Test mutating func suggestionsCloseWhenResultsArrive() {
        scene.type("sp")
        scene.send(.suggestions(typed: "sp", names: ["Spider-Man"]))
        scene.wait(.milliseconds(300))
        #expect(scene.model.search.suggestions.isOpen)
        scene.serve()
        #expect(!scene.model.search.suggestions.isOpen)
        #expect(scene.model.search.focus == .field)
        // A letter more and back again: the same results are there already.
        scene.type("i")
        #expect(scene.take().contains(.askSuggestions(typed: "spi")))
        scene.press(.backspace)
        scene.send(.suggestions(typed: "sp", names: ["Spider-Man"]))
        #expect(!scene.model.search.suggestions.isOpen)
    }

    @Test mutating func suggestionsStayOpenWhileOneIsChosen() {
        scene.type("sp")
        scene.send(.suggestions(typed: "sp", names: ["Spider-Man"]))
        scene.press(.down)
        scene.wait(.milliseconds(300))
        scene.serve()
        #expect(scene.model.search.suggestions.chosenName == "Spider-Man")
    }

    @Test mutating func suggestionsStayUntilTheNextAnswer() {
        scene.type("spider")
        scene.send(.suggestions(typed: "spider", names: ["Spider-Man", "Spider-Verse"]))
        scene.press(.down)
        scene.type("v")
        #expect(scene.model.search.suggestions.names == ["Spider-Man", "Spider-Verse"])
        #expect(scene.model.search.suggestions.chosen == nil)
        scene.send(.suggestions(typed: "spiderv", names: []))
        #expect(!scene.model.search.suggestions.isOpen)
    }

    @Test mutating func escapeClosesSuggestionsAndLeavesTheField() {
        scene.type("sp")
        scene.send(.suggestions(typed: "sp", names: ["Spider-Man"]))
        _ = scene.take()
        scene.press(.escape)
        #expect(scene.take() == [.cancelSuggestions])
        #expect(scene.model.search.focus == .cards)
    }

    @Test mutating func answersAfterLeavingTheFieldAreIgnored() {
        scene.type("sp")
        scene.press(.enter)
        scene.send(.suggestions(typed: "sp", names: ["Spider-Man"]))
        #expect(!scene.model.search.suggestions.isOpen)
    }
}
