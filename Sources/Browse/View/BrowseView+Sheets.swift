internal import MarvelDomain
internal import TerminalUI

extension BrowseView {
    private mutating func drawSheet(_ area: Rectangle, title: StyledText, linesBelow: Int) {
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

    mutating func drawSheetText(title: String) {
        guard let area = layout.sheetText else { return }
        let lines = model.sheetLines(width: area.width)
        let start = min(max(model.sheetScroll, 0), max(lines.count - area.height, 0))
        let seen = lines.dropFirst(start).prefix(max(area.height, 0))
        drawSheet(layout.sheet, title: StyledText(title, .bold), linesBelow: lines.count - start - seen.count)
        for (row, line) in zip(area.rows, seen) { screen.put(line, in: area.line(row)) }
    }

    mutating func drawDetail(_ character: MarvelCharacter) {
        let sign = model.isFavorite(character.id) ? "\(Symbol.favorite) " : ""
        drawSheetText(title: sign + character.shownName)
        if let area = layout.detailPicture {
            drawPicture(of: character, model.picture(of: character, .detail), .detail, in: area)
        }
    }
}

extension BrowseModel {
    func sheetLines(width: Int) -> [StyledText] {
        switch sheet {
        case .detail(let character): detailLines(of: character, width: max(width, 1))
        case .help: HelpSection.lines(width: width)
        case nil: []
        }
    }

    private func detailLines(of character: MarvelCharacter, width: Int) -> [StyledText] {
        let parts = [
            favoriteLine(character.id).lines(width: width, count: 3), character.descriptionLines(width: width),
            character.countLines, character.originLines(width: width),
        ]
        return Array(parts.filter { !$0.isEmpty }.joined(separator: [StyledText()]))
    }

    private func favoriteLine(_ id: Int64) -> StyledText {
        let pending = toggles.isPending(id) ? " …" : ""
        guard isFavorite(id) else { return StyledText("Not a favorite\(pending)", Style(.muted)) }
        let since = savedAt(id).map { " since \($0.minute)" } ?? ""
        return StyledText("\(Symbol.favorite) Favorite\(since)\(pending)", Style(.favorite, on: .standard, .bold))
    }
}

extension MarvelCharacter {
    fileprivate func descriptionLines(width: Int) -> [StyledText] {
        let text = description.printable
        guard !text.isEmpty else { return [StyledText("The source has no description.", Style(.muted))] }
        return StyledText(text).lines(width: width, count: .max)
    }

    fileprivate var countLines: [StyledText] {
        guard !counts.isEmpty else {
            return [StyledText("Comics, series, stories and events: unknown.", Style(.muted))]
        }
        let widest = counts.map(\.number.grouped.count).max() ?? 0
        return counts.map { count in
            let number = count.number.grouped
            let indent = String(repeating: " ", count: widest - number.count)
            var line = StyledText(indent + number, .bold)
            line.append(" " + (count.number == 1 ? count.one : count.many), Style(.muted))
            return line
        }
    }

    fileprivate func originLines(width: Int) -> [StyledText] {
        var lines: [StyledText] = []
        if let modified { lines += StyledText.field("Modified", modified.minute, width: width) }
        for page in urls { lines += StyledText.field(page.label, page.url.printable, width: width) }
        return lines + StyledText.field("Id", String(id), width: width)
    }
}

extension StyledText {
    static func field(_ label: String, _ value: String, width: Int) -> [StyledText] {
        let labelWidth = 10
        let values = StyledText(value).lines(width: max(width - labelWidth, 1), count: 20)
        return values.enumerated().map { index, value in
            var line = StyledText((index == 0 ? label : "").truncated(toWidth: labelWidth - 1), Style(.muted))
            line.append(String(repeating: " ", count: labelWidth - line.width))
            line.append(value)
            return line
        }
    }
}

extension CharacterURL {
    fileprivate var label: String {
        switch type {
        case "detail": "Page"
        case "wiki": "Wiki"
        case "comiclink": "Comics"
        default: type.printable
        }
    }
}

extension HelpSection {
    private static let narrowestMeaning = 30

    static func lines(width: Int) -> [StyledText] {
        let keysWidth = all.flatMap(\.entries).map(\.keys.displayWidth).max() ?? 0
        let parts = all.map { part in
            [StyledText(part.title, Style(.accent, .bold))]
                + part.entries.flatMap { lines(of: $0, width: width, keysWidth: keysWidth) }
        }
        return Array(parts.joined(separator: [StyledText()]))
    }

    private static func lines(of entry: Entry, width: Int, keysWidth: Int) -> [StyledText] {
        let (keys, meaning) = entry
        let indent = 2 + keysWidth + 2
        guard width - indent >= narrowestMeaning else {
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

struct HelpSection: Sendable {
    typealias Entry = (keys: String, meaning: String)

    let title: String
    let entries: [Entry]

    static let all = [
        HelpSection(
            title: "Everywhere",
            entries: [
                ("Tab, 1, 2", "other tab, Search, Favorites"),
                ("?, F1", "this help"),
                ("r, Ctrl-R", "retry, or reconnect now"),
                ("Ctrl-L", "draw the screen again"),
                ("q, Ctrl-C", "quit"),
            ]
        ),
        HelpSection(
            title: "Cards",
            entries: [
                ("↑ ↓ ← →, k j h l", "move"),
                ("click", "select"),
                ("Enter, second click", "save as a favorite, or remove"),
                ("u", "undo the last change; a restored favorite becomes newest"),
                ("d, o", "show the details; Esc goes back"),
                ("Ctrl-D, Ctrl-U", "half a page"),
                ("Page Down, Page Up", "a page; also Ctrl-F, Ctrl-B, the wheel"),
                ("g, G, Home, End", "first, last"),
                ("x, Delete", "remove a favorite"),
                ("v", "switch between list and grid"),
            ]
        ),
        HelpSection(
            title: "Searching",
            entries: [
                ("/, i", "go to the search field"),
                ("↓ Enter", "accept a suggestion"),
                ("Enter", "search now"),
                ("Esc, ↓", "go to the results"),
                ("Ctrl-T, m", "change how names match"),
                ("Ctrl-A E K U W", "edit the line as in a shell"),
            ]
        ),
    ]
}
