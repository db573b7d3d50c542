internal import TerminalUI

extension BrowseView {
    mutating func drawField() {
        guard !layout.field.isEmpty else { return }
        let isFocused = model.search.focus == .field
        screen.put(BrowseLayout.prompt, isFocused ? Style(.accent, .bold) : Style(.muted), in: layout.prompt)
        screen.put(layout.matchLabel, Style(.muted), in: layout.match)
        if let frame = model.spinner {
            screen.put(Symbol.spinner(frame), Style(.accent), in: layout.spinner, alignment: .right)
        }
        screen.fill(layout.field, style: Style(on: .muted))
        let line = FieldLine(model.search.field, width: layout.field.width)
        if model.search.field.isEmpty {
            screen.put("a character's name", Style(.muted, on: .muted), in: layout.field)
        } else {
            screen.put(line.text, Style(on: .muted, isFocused ? .bold : []), in: layout.field)
        }
        guard isFocused, model.sheet == nil else { return }
        screen.cursor = Position(column: layout.field.column + line.cursor, row: layout.field.row)
    }
}

/// The visible part of an edited line. The cursor is always visible, with as much text before it as fits.
struct FieldLine: Sendable, Equatable {
    let text: String
    /// The number of columns before the cursor.
    let cursor: Int

    /// - Parameters:
    ///   - field: The edited text.
    ///   - width: The number of columns, including the one of a cursor after the last letter; at least 1.
    init(_ field: QueryField, width: Int) {
        let before = field.beforeCursor
        // The end of the text before the cursor. A mark at the left shows that text is hidden there.
        var start = before.startIndex
        var columns = before.displayWidth
        let isCut = columns >= width
        while columns + (isCut ? 1 : 0) >= width, start < before.endIndex {
            columns -= before[start].displayWidth
            start = before.index(after: start)
        }
        let mark = isCut && width > 1 ? "…" : ""
        cursor = mark.displayWidth + columns
        let after = field.afterCursor.truncated(toWidth: max(width - cursor, 0))
        text = mark + before[start...] + after
    }
}
