import MarvelDomain
import TerminalUI
import Testing

@testable import Browse

@Suite
struct LayoutTests {
    struct Window: Sendable, CustomTestStringConvertible {
        var columns: Int
        var rows: Int
        var style: CardStyle
        var showsPictures: Bool

        var testDescription: String { "\(columns)x\(rows) \(style)\(showsPictures ? " with pictures" : "")" }
    }

    private static let sizes = [(40, 10), (80, 24), (81, 25), (120, 33), (200, 60), (300, 20), (41, 100)]
    private static let windows = sizes.flatMap { columns, rows in
        [CardStyle.list, .grid].flatMap { style in
            [false, true].map { Window(columns: columns, rows: rows, style: style, showsPictures: $0) }
        }
    }

    private func scene(_ window: Window) -> Scene {
        .searched(columns: window.columns, rows: window.rows, style: window.style, showsPictures: window.showsPictures)
    }

    /// All that is drawn beside each other, in a tab with everything that there can be.
    private func parts(_ layout: BrowseLayout) -> [Rectangle] {
        let lines = [layout.prompt, layout.field, layout.match, layout.spinner, layout.banner, layout.rule]
        return layout.tabs.map(\.area) + [layout.helpHint] + lines + [layout.status, layout.footer]
            + layout.cards.map(\.frame)
    }

    @Test(arguments: windows)
    func elementsDoNotOverlapAndStayInTheWindow(window: Window) {
        var scene = scene(window)
        scene.lose()
        for _ in 1...2 {
            let layout = scene.model.layout
            var taken: Set<Position> = []
            for part in parts(layout) {
                for row in part.rows {
                    for column in part.columns {
                        let isFree = taken.insert(Position(column: column, row: row)).inserted
                        #expect(isFree)
                        #expect(column < window.columns && row < window.rows)
                    }
                }
            }
            #expect(!layout.cards.isEmpty)
            scene.press(.tab)
            scene.live([1, 2, 3])
            scene.lose()
        }
    }

    @Test(arguments: windows)
    func aCardHoldsItsPictureAndItsText(window: Window) {
        for card in scene(window).model.layout.cards {
            #expect(!card.text.isEmpty)
            let picture = card.picture ?? card.text
            #expect(picture == card.text || picture.width == 2 * picture.height)
            for part in [picture, card.text] {
                #expect(card.frame.columns.contains(part.column) && card.frame.rows.contains(part.row))
                #expect(part.columns.upperBound <= card.frame.columns.upperBound)
                #expect(part.rows.upperBound <= card.frame.rows.upperBound)
            }
        }
    }

    @Test(arguments: [(39, 24, true), (80, 9, true), (40, 10, false), (1, 1, true), (0, 0, true)])
    func aWindowMayBeTooSmall(columns: Int, rows: Int, isTooSmall: Bool) {
        var scene = Scene.searched(showsPictures: true)
        scene.resize(columns, rows)
        #expect(scene.model.layout.isTooSmall == isTooSmall)
        scene.press(.down, .pageDown, .tab)
        scene.type("?d")
        scene.press(.escape)
        scene.resize(80, 24)
        #expect(!scene.model.layout.isTooSmall)
    }

    @Test func aClickHitsTheVisibleElement() throws {
        var scene = Scene.searched()
        let layout = scene.model.layout
        func target(_ area: Rectangle) -> BrowseLayout.Target? {
            layout.target(at: Position(column: area.column, row: area.row))
        }
        #expect(layout.tabs.map { target($0.area) } == [.tab(.search), .tab(.favorites)])
        #expect(target(layout.helpHint) == .help)
        #expect(target(layout.prompt) == .field)
        #expect(target(layout.field) == .field)
        #expect(target(layout.match) == .match)
        #expect(layout.cards.map { target($0.frame) } == (0..<19).map { .card($0) })
        #expect(target(layout.status) == nil)
        scene.click(layout.tabs[1].area)
        #expect(scene.model.tab == .favorites)
        scene.click(layout.tabs[0].area)
        scene.click(layout.field)
        #expect(scene.model.search.focus == .field)
        scene.click(layout.match)
        #expect(scene.model.search.match == .wordPrefix)
    }

    @Test func suggestionsCoverTheCards() {
        var scene = Scene.searched()
        scene.type("/x")
        scene.send(.suggestions(typed: "herox", names: (1...20).map { "Hero x\($0)" }))
        let layout = scene.model.layout
        #expect(layout.suggestions.height == layout.body.height / 3, "most results stay visible")
        let third = Position(column: layout.suggestions.column + 3, row: layout.suggestions.row + 2)
        #expect(layout.target(at: third) == .suggestion(2))
        let frame = layout.suggestionsFrame
        let below = Position(column: layout.suggestions.column, row: frame.rows.upperBound)
        #expect(layout.target(at: below) == .card(frame.height - 1))
        #expect(frame.height == layout.suggestions.height + 1)
        for row in frame.rows.dropFirst() {
            let edges = [frame.column, frame.columns.upperBound - 1]
            #expect(edges.map { layout.target(at: Position(column: $0, row: row)) } == [nil, nil])
        }
        for column in frame.columns {
            #expect(layout.target(at: Position(column: column, row: frame.rows.upperBound - 1)) == nil)
        }
    }

    @Test(arguments: ["d", "?"])
    func aClickBesideASheetClosesItAndOneInsideDoesNot(key: String) {
        var scene = Scene.searched()
        scene.type(key)
        let layout = scene.model.layout
        let opened = scene.model.sheet
        let middle = Rectangle(column: 30, row: layout.sheet.rows.upperBound - 2, width: 1, height: 1)
        for area in [layout.sheet, middle] {
            scene.click(area)
            #expect(opened != nil && scene.model.sheet == opened)
        }
        scene.click(layout.status)
        #expect(scene.model.sheet == nil)
        scene.type(key)
        scene.click(layout.tabs[1].area)
        #expect(scene.model.sheet == nil && scene.model.tab == .favorites)
    }

    @Test func aClickOnHelpOpensItOverADetailAndClosesIt() {
        var scene = Scene.searched()
        scene.type("d")
        scene.click(scene.model.layout.helpHint)
        #expect(scene.model.sheet == .help)
        scene.click(scene.model.layout.helpHint)
        #expect(scene.model.sheet == nil)
    }

    @Test func aClickOnAMessageOnlyDismissesIt() {
        var scene = Scene.searched()
        scene.press(.enter)
        let words = String(repeating: "The server's disk is full. ", count: 8)
        scene.send(.toggleRefused(characterID: 1, FailureNotice(words)))
        let area = scene.model.layout.message
        #expect(area.height > 1 && area.rows.upperBound == scene.model.layout.status.rows.upperBound)
        _ = scene.take()
        scene.click(area)
        #expect(scene.take().isEmpty)
        #expect(scene.model.message == nil)
        #expect(scene.model.layout.message.isEmpty)
        scene.click(area)
        #expect(scene.model.cursor.selected > 0, "a card is shown")
    }
}
