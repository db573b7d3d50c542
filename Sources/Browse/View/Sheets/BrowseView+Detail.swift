internal import MarvelDomain
internal import TerminalUI

extension BrowseView {
    mutating func drawDetail(_ detail: Detail) {
        guard let parts = layout.detail else { return }
        let character = detail.character
        let text = parts.text
        let lines = DetailText(model, character, width: text.width).lines
        let (seen, below) = BrowseView.window(lines, height: text.height, scroll: detail.scroll)
        let sign = model.isFavorite(character.id) ? "\(Symbol.favorite) " : ""
        let title = StyledText(sign + character.shownName, .bold)
        drawSheet(parts.frame, title: title, linesBelow: below)
        if let area = parts.picture {
            drawPicture(of: character, model.picture(of: character, .detail), .detail, in: area)
        }
        for (row, line) in zip(text.rows, seen) { screen.put(line, in: text.line(row)) }
    }
}

/// The text of a character's details.
struct DetailText {
    private let character: MarvelCharacter
    private let width: Int
    private let savedAt: Timestamp?
    private let timeZone: LocalZone
    private let isFavorite: Bool
    private let isPending: Bool

    init(_ model: BrowseModel, _ character: MarvelCharacter, width: Int) {
        self.character = character
        self.width = max(width, 1)
        savedAt = model.savedAt(character.id)
        timeZone = model.timeZone
        isFavorite = model.isFavorite(character.id)
        isPending = model.toggles.isPending(character.id)
    }

    var lines: [StyledText] {
        let parts = [favorite.lines(width: width, count: 3), description, counts, origin]
        return Array(parts.filter { !$0.isEmpty }.joined(separator: [StyledText()]))
    }

    private var favorite: StyledText {
        guard isFavorite else { return StyledText("Not a favorite\(isPending ? " …" : "")", Style(.muted)) }
        let since = savedAt.map { " since \($0.minute(in: timeZone))" } ?? ""
        let text = "\(Symbol.favorite) Favorite\(since)\(isPending ? " …" : "")"
        return StyledText(text, Style(.favorite, on: .standard, .bold))
    }

    /// The maximum of characters that are shown of a description.
    private static let longestDescription = 20_000

    private var description: [StyledText] {
        let text = String(character.description.prefix(DetailText.longestDescription)).printable
        guard !text.isEmpty else { return [StyledText("The source has no description.", Style(.muted))] }
        return StyledText(text).lines(width: width, count: .max)
    }

    private var counts: [StyledText] {
        guard !character.counts.isEmpty else {
            return [StyledText("Comics, series, stories and events: unknown.", Style(.muted))]
        }
        let widest = character.counts.map(\.number.grouped.count).max() ?? 0
        return character.counts.map { count in
            let number = count.number.grouped
            let indent = String(repeating: " ", count: widest - number.count)
            var line = StyledText(indent + number, .bold)
            line.append(" " + (count.number == 1 ? count.one : count.many), Style(.muted))
            return line
        }
    }

    /// The lines about the origin of the data: the time of the last change, web pages, and the id.
    private var origin: [StyledText] {
        var lines: [StyledText] = []
        if let modified = character.modified { lines += field("Modified", modified.minute(in: timeZone)) }
        for page in character.urls { lines += field(page.label, page.url.printable) }
        return lines + field("Id", String(character.id))
    }

    private func field(_ label: String, _ value: String) -> [StyledText] {
        StyledText.field(label, value, width: width)
    }
}

extension StyledText {
    /// Returns a label with its value, which may take several lines.
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
