import MarvelDomain
import TerminalUI
import Testing

@testable import Browse

/// Whatever the model, and whatever the window.
@Suite
struct AnyScreenTests {
    private static let letters = [
        "a", "S", " ", "-", "é", "누", "아", "스", "👩‍🚀", "❤️", "🇰🇷", "★", "\u{301}", "\u{1B}", "\n", "\u{202E}",
    ]

    @Test(arguments: 1...6)
    func everyRandomScreenKeepsItsInvariants(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var stage = Scene.staged(80, 24, showsPictures: seed.isMultiple(of: 3))
        stage.characters = (1...40).map { character($0, &random) }
        stage.picture = { [.image(.stripes), .none, .failed][Int($0.characterID % 3)] }
        stage.live(names: stage.characters[0].name, stage.characters[1].name)
        stage.search("ab")
        for _ in 1...25 {
            act(on: &stage, &random)
            check(stage)
        }
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

    private func check(_ stage: Scene) {
        let screen = stage.screen
        for row in 0..<screen.size.rows {
            let cells = (0..<screen.size.columns).map { screen[Position(column: $0, row: row)] }
            #expect(cells.allSatisfy { $0.width == $0.grapheme.displayWidth || $0.width == 0 })
            #expect(cells.reduce(0) { $0 + Int($1.width) } == screen.size.columns)
        }
        #expect(screen.pictures.allSatisfy { screen.bounds.contains($0.rectangle) })
        #expect(screen.cursor.map(screen.bounds.contains) ?? true)
        #expect(!screen.text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0 == "\u{202E}" })
        let layout = stage.view.layout
        guard !layout.isTooSmall, stage.model.sheet == nil, !layout.suggestions.overlaps(layout.rule) else { return }
        if !layout.rule.isEmpty {
            #expect(screen.line(layout.rule.row) == String(repeating: "─", count: screen.size.columns))
        }
        for tab in layout.tabs where tab.area.columns.upperBound < layout.helpHint.column {
            #expect(screen.line(0).contains(stage.model.label(of: tab.tab)))
        }
    }

    private func character(_ id: Int, _ random: inout SplitMix64) -> MarvelCharacter {
        MarvelCharacter(
            id: Int64(id),
            name: "ab" + text(upTo: 40, &random),
            description: text(upTo: 300, &random),
            thumbnail: id.isMultiple(of: 4) ? nil : Thumbnail(path: "emblem/\(id)", fileExtension: "png"),
            comicCount: [0, 1, 12, .max].randomElement(using: &random) ?? 0,
            urls: [CharacterURL(type: text(upTo: 12, &random), url: text(upTo: 90, &random))]
        )
    }

    private func text(upTo count: Int, _ random: inout SplitMix64) -> String {
        let length = Int.random(in: 0...count, using: &random)
        return (0..<length).map { _ in AnyScreenTests.letters.randomElement(using: &random) ?? "" }.joined()
    }

    private func act(on stage: inout Scene, _ random: inout SplitMix64) {
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<5:
            let letters = "hjklgGdovrxmi/12? ".map { Key.Code.character($0) }
            let codes: [Key.Code] = [.enter, .tab, .escape, .up, .down, .right, .home, .end, .pageDown, .backspace]
            stage.press((letters + codes).randomElement(using: &random) ?? .enter)
        case 5..<8:
            let columns = Int.random(in: 1...250, using: &random)
            stage.send(.terminal(.resized(TerminalSize(columns: columns, rows: .random(in: 1...80, using: &random)))))
        case 8: stage.send(.terminal(.paste(text(upTo: 60, &random))))
        case 9: stage.lose()
        case 10:
            stage.failure = Bool.random(using: &random) ? nil : FailureNotice(text(upTo: 200, &random), whatToDo: "누아르")
            stage.send(.timerFired(.typingPause))
        default:
            let typed = stage.model.search.suggestions.typed ?? ""
            let match = ([nil] + Match.allCases).randomElement(using: &random) ?? nil
            stage.send(.suggestions(typed: typed, names: (0...9).map { _ in text(upTo: 70, &random) }, match: match))
        }
    }
}
