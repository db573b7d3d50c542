internal import TerminalUI

struct StyledText: Sendable, Equatable {
    struct Letter: Sendable, Equatable {
        var grapheme: Character
        var style: Style
    }

    private(set) var letters: [Letter] = []

    init() {}

    /// `text` is a text of the app, or an untrusted text made `printable`.
    init(_ text: String, _ style: Style = .plain) { append(text, style) }

    private init(_ letters: some Sequence<Letter>) { self.letters = Array(letters) }

    var isEmpty: Bool { letters.isEmpty }
    var width: Int { letters.reduce(0) { $0 + $1.grapheme.displayWidth } }

    mutating func append(_ text: String, _ style: Style = .plain) {
        letters += text.map { Letter(grapheme: $0, style: style) }
    }

    mutating func append(_ other: StyledText) { letters += other.letters }

    private var trimmedAtEnd: StyledText {
        StyledText(letters.reversed().drop { $0.grapheme.isWhitespace }.reversed())
    }

    func truncated(toWidth width: Int) -> StyledText {
        guard StyledText.countFitting(letters, in: width) < letters.count else { return self }
        guard width > 0, let first = letters.first else { return StyledText() }
        var kept = StyledText(letters.prefix(StyledText.countFitting(letters, in: width - 1))).trimmedAtEnd
        kept.append("…", kept.letters.last?.style ?? first.style)
        return kept
    }

    /// An empty text has no lines. `width` is in columns. The first `unbroken` letters stay with the next letter.
    func lines(width: Int, count: Int, unbroken: Int = 0) -> [StyledText] {
        var lines: [StyledText] = []
        var rest = letters[...]
        while lines.count + 1 < count {
            let end = StyledText.countFitting(rest, in: width)
            guard end < rest.count, end > 0 else { break }
            let place = StyledText.breakPlace(in: rest, before: end, after: lines.isEmpty ? unbroken : 0) ?? end
            lines.append(StyledText(rest.prefix(place)).trimmedAtEnd)
            rest = rest.dropFirst(place).drop { $0.grapheme == " " }
        }
        return count > 0 && !rest.isEmpty ? lines + [StyledText(rest).truncated(toWidth: width)] : lines
    }

    /// Returns at most `end`. The space at the break may be the first letter that does not fit.
    private static func breakPlace(in letters: ArraySlice<Letter>, before end: Int, after start: Int) -> Int? {
        for (offset, index) in letters.indices.prefix(end + 1).enumerated().reversed() where offset >= start {
            switch letters[index].grapheme {
            case " " where offset > start: return offset
            case "-" where offset < end: return offset + 1
            default: continue
            }
        }
        return nil
    }

    var runs: [(text: String, style: Style)] {
        var runs: [(text: String, style: Style)] = []
        for letter in letters {
            if let last = runs.last, last.style == letter.style {
                runs[runs.count - 1].text.append(letter.grapheme)
            } else {
                runs.append((String(letter.grapheme), letter.style))
            }
        }
        return runs
    }

    private static func countFitting(_ letters: some Collection<Letter>, in width: Int) -> Int {
        var used = 0
        for (index, letter) in letters.enumerated() {
            used += letter.grapheme.displayWidth
            if used > width { return index }
        }
        return letters.count
    }
}

extension Screen {
    mutating func put(_ text: StyledText, in area: Rectangle, alignment: Alignment = .left) {
        guard !area.isEmpty else { return }
        let text = text.truncated(toWidth: area.width)
        let room = max(area.width - text.width, 0)
        var column = area.column
        switch alignment {
        case .left: break
        case .center: column += room / 2
        case .right: column += room
        }
        for run in text.runs {
            column += put(run.text, at: Position(column: column, row: area.row), style: run.style, within: area)
        }
    }

    mutating func put(_ text: String, _ style: Style, in area: Rectangle, alignment: Alignment = .left) {
        put(StyledText(text, style), in: area, alignment: alignment)
    }
}

extension Style {
    static let bold = Style(.standard, on: .standard, .bold)
}
