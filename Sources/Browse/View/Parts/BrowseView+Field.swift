internal import TerminalUI

extension BrowseView {
    mutating func drawField() {
        guard !layout.field.isEmpty else { return }
        let isFocused = model.search.focus == .field
        screen.put(BrowseLayout.prompt, isFocused ? Style(.accent, .bold) : Style(.muted), in: layout.prompt)
        screen.put(layout.matchLabel, Style(.muted), in: layout.match)
        if let frame = model.spinner {
            screen.put(Sign.spinner(frame), Style(.accent), in: layout.spinner, alignment: .right)
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

/// What can be seen of a line that is edited: the cursor always, and as much before it as there is room for.
struct FieldLine: Sendable, Equatable {
    let text: String
    /// Columns before the cursor.
    let cursor: Int

    /// - Parameters:
    ///   - field: What is edited.
    ///   - width: Columns, the one of the cursor behind the last letter among them; at least 1.
    init(_ field: QueryField, width: Int) {
        let before = field.beforeCursor
        // The end of what is before the cursor, and a mark where something is left of it.
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
