internal import TerminalUI

extension BrowseView {
    /// Clears the area of a sheet, and draws a line at the top and one at the bottom. The bottom line shows how many
    /// lines of the text follow below.
    mutating func drawSheet(_ area: Rectangle, title: StyledText, linesBelow: Int) {
        screen.fill(area)
        guard area.height >= 2 else { return }
        let line = String(repeating: "─", count: area.width)
        let (top, bottom) = (area.line(area.row), area.line(area.rows.upperBound - 1))
        screen.put(line, Style(.accent), in: top)
        screen.put(line, Style(.accent), in: bottom)
        var label = StyledText(" ")
        label.append(title.truncated(toWidth: max(area.width - 6, 0)))
        label.append(" ")
        screen.put(label, in: top.inset(columns: 2))
        guard linesBelow > 0 else { return }
        let more = " ↓ \(linesBelow) more \(linesBelow == 1 ? "line" : "lines") "
        screen.put(more, Style(.accent), in: bottom.inset(columns: 2), alignment: .right)
    }

    /// Draws a sheet that is filled with text.
    mutating func drawSheetText(_ lines: [StyledText], title: String, scroll: Int) {
        guard let area = layout.sheetText else { return }
        let (seen, below) = BrowseView.window(lines, height: area.height, scroll: scroll)
        drawSheet(layout.sheet, title: StyledText(title, .bold), linesBelow: below)
        for (row, line) in zip(area.rows, seen) { screen.put(line, in: area.line(row)) }
    }

    /// Returns the visible lines of a text at a scroll position, which is limited to the end of the text.
    static func window(_ lines: [StyledText], height: Int, scroll: Int) -> (seen: ArraySlice<StyledText>, below: Int) {
        let start = min(max(scroll, 0), max(lines.count - height, 0))
        let seen = lines.dropFirst(start).prefix(max(height, 0))
        return (seen, lines.count - start - seen.count)
    }
}
