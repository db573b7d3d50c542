package import MarvelDomain

/// A parsed input line.
///
/// Commands are words, in upper or lower case; any other text is a search. A slash before a text, or quotation marks
/// around it, search for a text that is also a command.
package enum PlainInput: Sendable, Hashable {
    case search(String)
    /// Saves or removes the character with this number, or runs the search with this number.
    case choose(Int)
    case show(Int)
    case more
    case back
    case favorites
    case results
    case recent
    case match(Match)
    case about
    case retry
    case help
    case quit
    case invalid(Problem)

    /// A reason why a line is invalid.
    package enum Problem: Sendable, Hashable {
        case shortText(String)
        case longText(SearchQuery.Refusal)
        case showWithoutNumber
        case unknownMatch
        case longLine
    }

    package init(_ line: String) {
        let line = QueryField.cleaned(line)
        let words = line.split(separator: " ").map(String.init)
        guard let first = words.first else { self = .more; return }
        if let quoted = PlainInput.quoted(words.joined(separator: " ")) { self.init(text: quoted); return }
        let rest = words.dropFirst().joined(separator: " ")
        self =
            PlainInput(command: first.lowercased(), rest: rest.lowercased())
            ?? (first.lowercased() == "search" ? PlainInput(text: rest) : PlainInput(text: line))
    }

    private init?(command: String, rest: String) {
        switch (command, rest) {
        case ("show", _): self = rest.placeNumber.map(PlainInput.show) ?? .invalid(.showWithoutNumber)
        case ("match", _): self = Match(word: rest).map(PlainInput.match) ?? .invalid(.unknownMatch)
        case (_, let rest) where !rest.isEmpty: return nil
        case ("more", _): self = .more
        case ("back", _): self = .back
        case ("favorites", _), ("f", _): self = .favorites
        case ("search", _), ("s", _): self = .results
        case ("recent", _): self = .recent
        case ("about", _): self = .about
        case ("retry", _), ("r", _): self = .retry
        case ("help", _), ("?", _): self = .help
        case ("quit", _), ("q", _): self = .quit
        default:
            guard let number = command.placeNumber else { return nil }
            self = .choose(number)
        }
    }

    private init(text: String) {
        do throws(SearchQuery.Refusal) {
            self = .search(try SearchQuery(text).text)
        } catch {
            switch error {
            case .tooShort: self = .invalid(.shortText(text))
            case .tooLong: self = .invalid(.longText(error))
            }
        }
    }

    /// Returns the text after a slash or inside quotation marks; nil if the line has neither.
    private static func quoted(_ line: String) -> String? {
        if line.hasPrefix("/") { return String(line.dropFirst()) }
        for (opening, closing) in [("\"", "\""), ("'", "'"), ("“", "”")]
        where line.count > 1 && line.hasPrefix(opening) && line.hasSuffix(closing) {
            return String(line.dropFirst().dropLast())
        }
        return nil
    }
}

extension String {
    /// The number in a text of digits only; nil for other text. A number that is too large becomes `Int.max`, which is
    /// never a valid place.
    fileprivate var placeNumber: Int? {
        guard !isEmpty, utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return Int(self) ?? .max
    }
}

extension Match {
    /// The name of the mode in commands.
    package var word: String {
        switch self {
        case .prefix: "prefix"
        case .wordPrefix: "word"
        case .substring: "substring"
        case .fuzzy: "fuzzy"
        }
    }

    init?(word: String) {
        guard let match = Match.allCases.first(where: { $0.word == word }) else { return nil }
        self = match
    }
}
