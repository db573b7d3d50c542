internal import MarvelDomain
package import TerminalUI

/// Equal models make equal screens. Colors are roles, and never the only sign of a state.
package struct BrowseView: Sendable {
    package internal(set) var screen: Screen
    let model: BrowseModel
    let layout: BrowseLayout

    package init(_ model: BrowseModel) {
        self.model = model
        layout = model.layout
        screen = Screen(size: model.size)
        draw()
    }

    private mutating func draw() {
        guard !layout.isTooSmall else { return drawTooSmall() }
        drawHeader()
        drawField()
        drawBanner()
        drawBody()
        drawStatus()
        drawFooter()
        // Draw covering parts last.
        switch model.sheet {
        case nil: drawSuggestions()
        case .detail(let character): drawDetail(character)
        case .help: drawSheetText(title: "Help")
        }
        drawMessage()
    }

    private mutating func drawTooSmall() {
        let (size, smallest) = (model.size, BrowseLayout.smallest)
        let lines = [
            "The window is too small.",
            "It has \(size.columns) × \(size.rows); it needs at least \(smallest.columns) × \(smallest.rows).",
            "Ctrl-C quits.",
        ]
        drawCentered(lines.flatMap { $0.wrapped(toWidth: size.columns) }.map { StyledText($0) }, in: screen.bounds)
    }

    mutating func drawCentered(_ lines: [StyledText], in area: Rectangle) {
        let row = area.row + max((area.height - lines.count) / 2, 0)
        for (index, line) in lines.prefix(area.height).enumerated() {
            let place = Rectangle(column: area.column, row: row + index, width: area.width, height: 1)
            screen.put(line, in: place, alignment: .center)
        }
    }
}

enum Symbol {
    static let favorite = "★"
    static let selection = "▌"
    static let openTab = "▸"
    static let pending = "…"
    static let failure = "✗"

    private static let spinner = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]

    static func spinner(_ frame: Int) -> String { spinner[abs(frame % spinner.count)] }
}

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
        let lines = StyledText(banner.printable, style).lines(width: area.width, count: area.height)
        for (row, line) in zip(area.rows, lines) { screen.put(line, in: area.line(row)) }
    }

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

    mutating func drawSuggestions() {
        let (area, frame) = (layout.suggestions, layout.suggestionsFrame)
        for (row, name) in zip(area.rows, model.search.suggestions.names) {
            let isChosen = row - area.row == model.search.suggestions.chosen
            let style = isChosen ? Style(on: .selection, .bold) : Style(on: .muted)
            drawSuggestion(name.printable, style, leftEdge: isChosen ? Symbol.selection : "│", row: row)
        }
        guard frame.rows.upperBound > area.rows.upperBound else { return }
        let edge = "╰" + String(repeating: "─", count: area.width) + "╯"
        screen.put(edge, Style(.muted, on: .muted), in: frame.line(area.rows.upperBound))
    }

    private mutating func drawSuggestion(_ text: String, _ style: Style, leftEdge: String, row: Int) {
        let line = layout.suggestionsFrame.line(row)
        screen.fill(line, style: style)
        screen.put(leftEdge, style.colored(.accent), in: line)
        screen.put("│", style.colored(.muted), in: line, alignment: .right)
        screen.put(text, style, in: layout.suggestions.line(row))
    }

    mutating func drawStatus() {
        guard model.message == nil else { return }
        let text = statusText
        let row = layout.status.inset(columns: 1)
        screen.put(text, in: row)
        let room = row.dropFirst(text.isEmpty ? 0 : text.width + 3)
        screen.put(.hints(hints, width: room.width), in: room, alignment: .right)
    }

    private var statusText: StyledText {
        guard model.sheet == nil else {
            return model.banner.map { StyledText(" \($0.printable) ", Style(on: .warning, .bold)) } ?? StyledText()
        }
        if model.tab == .search, model.count > 0, let hint = model.search.hint {
            return StyledText(hint, Style(.warning))
        }
        return StyledText([model.position, context].filter { !$0.isEmpty }.joined(separator: " · "), Style(.muted))
    }

    private var context: String {
        switch model.tab {
        case .search: return showsEnd && !isEndInBody ? "end of results" : ""
        case .favorites:
            guard let list = model.favorites.list, let oldest = list.favorites.first else { return "" }
            let free = list.capacity - list.favorites.count
            return free > 0 ? "room for \(free) more" : "full: the next one replaces \(oldest.character.shownName)"
        }
    }

    private var hints: [KeyHint] {
        switch model.sheet {
        case .detail(let character): [("Esc", "back"), toggleHint(character), ("↑↓", "scroll")]
        case .help: [("Esc", "back"), ("↑↓", "scroll")]
        case nil: model.cardsHaveFocus ? cardHints : fieldHints
        }
    }

    private var fieldHints: [KeyHint] {
        let suggestions = model.search.suggestions
        let enter: KeyHint = ("Enter", suggestions.chosen == nil ? "search" : "accept")
        if suggestions.isOpen { return [enter, ("↓", "choose"), ("Esc", "results")] }
        let down: [KeyHint] = model.count > 0 ? [("↓", "results")] : []
        return [enter] + down + [("F1", "help")]
    }

    private var cardHints: [KeyHint] {
        let undo: [KeyHint] = model.lastChange == nil ? [] : [("u", "undo")]
        let toggle = (model.selectedCharacter.map { [toggleHint($0), ("d", "details")] } ?? []) + undo
        return switch model.tab {
        case .search: toggle + (model.count > 0 ? [styleHint] : []) + [("/", "type")]
        case .favorites: toggle + [model.count > 0 ? styleHint : ("Tab", "search")]
        }
    }

    private func toggleHint(_ character: MarvelCharacter) -> KeyHint {
        ("Enter", model.isFavorite(character.id) ? "remove" : "save")
    }

    private var styleHint: KeyHint { ("v", model.style == .list ? "grid" : "list") }

    mutating func drawFooter() {
        let text = StyledText(model.attribution.printable, Style(.muted))
        let lines = text.lines(width: layout.footer.width, count: layout.footer.height)
        for (row, line) in zip(layout.footer.rows, lines) {
            let isNarrow = line.width + 2 > layout.footer.width
            screen.put(line, in: layout.footer.line(row).inset(columns: isNarrow ? 0 : 1))
        }
    }

    mutating func drawMessage() {
        let area = layout.message
        screen.fill(area)
        let lines = model.messageLines(columns: area.width, rows: area.height)
        for (row, line) in zip(area.rows, lines) { screen.put(line, in: area.line(row).inset(columns: 1)) }
    }
}

extension Rectangle {
    func line(_ row: Int) -> Rectangle { Rectangle(column: column, row: row, width: width, height: 1) }
}

/// The visible part of an edited line: the cursor, and as much text before it as fits.
struct FieldLine: Sendable, Equatable {
    let text: String
    let cursor: Int

    /// `width` includes a column for a cursor after the last letter; at least 1.
    init(_ field: QueryField, width: Int) {
        let before = field.beforeCursor
        // A mark at the left shows that text is hidden there.
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

extension Style {
    func colored(_ color: Color) -> Style { Style(color, on: background, attributes) }
}

typealias KeyHint = (key: String, meaning: String)

extension StyledText {
    /// As many whole hints as fit.
    static func hints(_ hints: [KeyHint], width: Int) -> StyledText {
        var text = StyledText()
        for hint in hints {
            var next = text
            if !text.isEmpty { next.append(" · ", Style(.muted)) }
            next.append(hint.key, .bold)
            next.append(" \(hint.meaning)", Style(.muted))
            guard next.width <= width else { break }
            text = next
        }
        return text
    }
}

extension BrowseModel {
    func messageLines(columns: Int, rows: Int) -> [StyledText] {
        messageText?.lines(width: max(columns - 2, 1), count: min(rows, 5)) ?? []
    }

    private var messageText: StyledText? {
        guard let message else { return nil }
        switch message.kind {
        case .info:
            let undo = message.isUndoable && lastChange != nil && !isTyping ? " u undoes it." : ""
            return StyledText(message.text.printable + undo, Style(.accent, .bold))
        case .failure:
            let again = message.retry == nil ? "" : " \(retryKey) retries."
            return StyledText("\(Symbol.failure) \(message.text.printable)\(again)", Style(.failure, .bold))
        }
    }
}
