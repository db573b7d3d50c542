internal import TerminalUI

extension BrowseView {
    mutating func drawHelp(scroll: Int) {
        guard let area = layout.help else { return }
        let keysWidth = HelpSection.all.flatMap(\.entries).map(\.keys.displayWidth).max() ?? 0
        let lines = HelpSection.all.flatMap { $0.lines(keysWidth: keysWidth) }.dropLast()
        let (seen, below) = BrowseView.window(Array(lines), height: area.height, scroll: scroll)
        drawSheet(layout.sheet, title: StyledText("Help", .bold), linesBelow: below)
        for (row, line) in zip(area.rows, seen) { screen.put(line, in: area.line(row)) }
    }
}

extension HelpSection {
    /// A title, its entries, an empty line.
    fileprivate func lines(keysWidth: Int) -> [StyledText] {
        let entries = entries.map { entry in
            let gap = String(repeating: " ", count: keysWidth - entry.keys.displayWidth + 2)
            var line = StyledText("  " + entry.keys, .bold)
            line.append(gap + entry.meaning)
            return line
        }
        return [StyledText(title, Style(.accent, .bold))] + entries + [StyledText()]
    }
}
