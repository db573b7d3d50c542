internal import TerminalUI

extension BrowseView {
    /// Clears what is beneath, and draws a line above and one below, which tells how much of the text is below it.
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

    /// What of a text is seen when it is scrolled so far, or to its end.
    static func window(_ lines: [StyledText], height: Int, scroll: Int) -> (seen: ArraySlice<StyledText>, below: Int) {
        let start = min(max(scroll, 0), max(lines.count - height, 0))
        let seen = lines.dropFirst(start).prefix(max(height, 0))
        return (seen, lines.count - start - seen.count)
    }
}
