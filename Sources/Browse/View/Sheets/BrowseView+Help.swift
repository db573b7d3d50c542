internal import TerminalUI

extension BrowseView {
    mutating func drawHelp(scroll: Int) {
        guard let area = layout.sheetText else { return }
        drawSheetText(HelpSection.lines(width: area.width), title: "Help", scroll: scroll)
    }
}

extension HelpSection {
    /// The minimum of columns for a meaning beside its keys. With fewer columns, the meaning is drawn below the keys.
    fileprivate static let narrowestMeaning = 30

    /// Returns all lines of the help: titles, their entries, and an empty line between two sections.
    static func lines(width: Int) -> [StyledText] {
        let keysWidth = all.flatMap(\.entries).map(\.keys.displayWidth).max() ?? 0
        let parts = all.map { part in
            [StyledText(part.title, Style(.accent, .bold))]
                + part.entries.flatMap { $0.lines(width: width, keysWidth: keysWidth) }
        }
        return Array(parts.joined(separator: [StyledText()]))
    }
}

extension HelpSection.Entry {
    fileprivate func lines(width: Int, keysWidth: Int) -> [StyledText] {
        let indent = 2 + keysWidth + 2
        guard width - indent >= HelpSection.narrowestMeaning else {
            let below = meaning.wrapped(toWidth: max(width - 4, 1)).map { StyledText("    " + $0) }
            return [StyledText("  " + keys, .bold)] + below
        }
        return meaning.wrapped(toWidth: width - indent).enumerated().map { index, text in
            let label = index == 0 ? "  " + keys : ""
            var line = StyledText(label, .bold)
            line.append(String(repeating: " ", count: indent - label.displayWidth) + text)
            return line
        }
    }
}
