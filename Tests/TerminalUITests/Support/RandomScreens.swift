import MarvelDomain

@testable import TerminalUI

extension SplitMix64 {
    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &self)]
    }

    mutating func rectangle(around size: TerminalSize) -> Rectangle {
        Rectangle(
            column: Int.random(in: -4...size.columns, using: &self),
            row: Int.random(in: -2...size.rows, using: &self),
            width: Int.random(in: 0...12, using: &self),
            height: Int.random(in: 0...4, using: &self)
        )
    }

    private static let texts = [
        "Spider-Man", "스파이더맨", "a한b글c", "e\u{301}", "👨‍👩‍👧‍👦 x", "❤️y", "🇰🇷🇰🇷", "\u{1B}[2J", "  ", "─│╭", "\u{301}z", "x",
        "한",
    ]

    private static let styles = [
        Style.plain, Style(.muted), Style(on: .favorite), Style(.accent, on: .selection, .bold),
        Style(.rgb(RGB(1, 2, 3))),
        Style(.indexed(9), on: .indexed(200), [.faint, .inverse]),
    ]

    /// Changes a screen in a few places.
    mutating func draw(on screen: inout Screen) {
        for _ in 0..<Int.random(in: 0...5, using: &self) {
            let area = rectangle(around: screen.size)
            let style = pick(SplitMix64.styles)
            let position = Position(column: area.column, row: area.row)
            switch Int.random(in: 0..<6, using: &self) {
            case 0: screen.fill(area, style: style)
            case 1: screen.paint(area, style.background)
            case 2: screen.put(pick(SplitMix64.texts), at: position, style: style, within: area)
            default: screen.put(pick(SplitMix64.texts), at: position, style: style)
            }
        }
        let isShown = Bool.random(using: &self) && screen.size.rows > 0
        screen.cursor = isShown ? Position(column: 0, row: Int.random(in: 0..<screen.size.rows, using: &self)) : nil
    }
}
