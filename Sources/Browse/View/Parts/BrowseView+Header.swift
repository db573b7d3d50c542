internal import TerminalUI

extension BrowseView {
    mutating func drawHeader() {
        for label in layout.tabs {
            let isOpen = label.tab == model.tab
            let style = isOpen ? Style(on: .accent, .bold) : .plain
            screen.put(label.text, style, in: label.area)
            if isOpen { screen.put(Symbol.openTab, style, in: label.area) }
        }
        screen.put(BrowseLayout.helpLabel, Style(.muted), in: layout.helpHint)
        drawConnection()
        screen.put(String(repeating: "─", count: layout.rule.width), Style(.muted), in: layout.rule)
    }

    /// Draws the connection state between the tabs and the help, if there is room.
    private mutating func drawConnection() {
        let (sign, words, color) = connectionText
        let text = "\(sign) \(words) "
        let start = layout.tabs.map(\.area.columns.upperBound).max() ?? 0
        let room = Rectangle(column: start + 1, row: 0, width: layout.helpHint.column - start - 1, height: 1)
        guard room.width >= text.displayWidth else { return }
        screen.put(text, Style(color), in: room, alignment: .right)
    }

    private var connectionText: (sign: String, words: String, color: Color) {
        switch model.favorites.connection {
        case .connecting: ("○", "connecting", .muted)
        case .live: ("●", "live", .success)
        case .lost, .ended: (Symbol.failure, "offline", .failure)
        }
    }

    mutating func drawBanner() {
        guard let banner = model.banner, !layout.banner.isEmpty else { return }
        let style = Style(on: .warning, .bold)
        screen.fill(layout.banner, style: style)
        let area = layout.banner.inset(columns: 1)
        let lines = StyledText(banner.text.printable, style).lines(width: area.width, count: area.height)
        for (row, line) in zip(area.rows, lines) { screen.put(line, in: area.line(row)) }
    }
}

extension Banner {
    /// Returns the number of rows that the banner takes in a window of a width in columns.
    func height(columns: Int) -> Int {
        StyledText(text.printable).lines(width: max(columns - 2, 1), count: 3).count
    }
}

extension Rectangle {
    /// Returns one row of the rectangle.
    func line(_ row: Int) -> Rectangle { Rectangle(column: column, row: row, width: width, height: 1) }
}
