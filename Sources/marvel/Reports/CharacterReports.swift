internal import MarvelClient
internal import MarvelDomain
internal import ProgramSupport
internal import TerminalUI

struct SearchReport {
    private let query: String
    private let match: Match
    private let lineWidth: Int?
    private let style: ANSIStyle
    private var table = Table([
        Table.Column("", width: 1),
        Table.Column("ID", .right, width: 7),
        Table.Column("NAME", width: 24),
        Table.Column("COMICS", .right),
        Table.Column("DESCRIPTION"),
    ])
    private var lastPage: SearchPage?

    init(query: String, match: Match, lineWidth: Int?, style: ANSIStyle) {
        self.query = query.printable
        self.match = match
        self.lineWidth = lineWidth
        self.style = style
    }

    /// The lines of another page, after the total if it is the first page.
    mutating func lines(for page: SearchPage) -> [String] {
        let heading = lastPage == nil ? [style.apply(.heading, to: summary(of: page.total))] : []
        lastPage = page
        guard !page.characters.isEmpty else { return heading }
        let space = heading.isEmpty ? [] : heading + [""]
        return space + table.lines(for: page.characters.map { row($0, on: page) }, lineWidth: lineWidth, style: style)
    }

    mutating func rows(for page: SearchPage) -> [String] {
        lastPage = page
        return table.rows(page.characters.map { row($0, on: page) }, style: style)
    }

    var footer: Footer? { lastPage.map { Footer(attribution: $0.attribution, freshness: $0.freshness) } }

    /// The hint for getting the remaining results.
    var hint: String? {
        guard let token = lastPage?.nextPageToken.printable, !token.isEmpty else { return nil }
        return "More results: add --page-token \(token)"
    }

    static let offeredNames = 5

    var total: Int? { lastPage?.total }

    /// Whether names can be compared in other ways. A gateway does not support this.
    var hasOtherMatches: Bool { lastPage.map { ![.gateway, .cache].contains($0.freshness.source) } ?? false }

    func hint(wordCount count: Int) -> String {
        let names = count == 1 ? "1 more name has" : "\(count) more names have"
        return "\(names) a word that begins with “\(query)”: add --match word"
    }

    func offer(_ names: [String]) -> [String] {
        let advice = "Only the beginnings of names were searched: --match word, substring or fuzzy finds more."
        let known = names.isEmpty ? [] : ["Similar names: \(names.map(\.printable).joined(separator: ", "))."]
        return (hasOtherMatches ? [advice] : []) + known
    }

    private func summary(of total: Int) -> String {
        let subject =
            switch total {
            case 0: "No character's name"
            case 1: "1 character's name"
            default: "The names of \(total) characters"
            }
        return "\(subject) \(match.verb(isPlural: total > 1)) “\(query)”."
    }

    private func row(_ character: MarvelCharacter, on page: SearchPage) -> [Table.Cell] {
        let isFavorite = page.isFavorite(character)
        return [
            Table.Cell(isFavorite ? Sign.favorite : "", .favorite),
            Table.Cell(String(character.id)),
            Table.Cell(character.name.printable, isFavorite ? .favorite : .plain),
            Table.Cell(character.text(of: character.comicCount)),
            Table.Cell(character.description.printable, .faint),
        ]
    }
}

extension Match {
    /// The verb between the found names and the query: they "begin with" it.
    fileprivate func verb(isPlural: Bool) -> String {
        switch self {
        case .prefix: isPlural ? "begin with" : "begins with"
        case .wordPrefix: isPlural ? "have a word that begins with" : "has a word that begins with"
        case .substring: isPlural ? "contain" : "contains"
        case .fuzzy: isPlural ? "are similar to" : "is similar to"
        }
    }
}

struct CharacterReport {
    var details: CharacterDetails
    var lineWidth: Int?
    var style: ANSIStyle

    var lines: [String] {
        title + description + [""] + Facts(facts, style: style).lines
    }

    var rows: [String] {
        let texts = [
            ("name", character.name.printable), ("description", character.description.printable),
            ("favorite", details.isFavorite ? "yes" : "no"),
        ]
        return Facts(facts.prefix(1) + texts + facts.dropFirst(), style: style).rows
    }

    var footer: Footer { Footer(attribution: details.attribution, freshness: details.freshness) }

    private var character: MarvelCharacter { details.character }

    private var title: [String] {
        let name = character.name.printable
        guard details.isFavorite else { return [style.apply(.heading, to: name)] }
        return [style.apply(.favorite, to: "\(Sign.favorite) \(name)") + " (favorite)"]
    }

    private var description: [String] {
        let text = character.description.printable
        return text.isEmpty ? [] : [""] + text.wrapped(toWidth: lineWidth)
    }

    private var facts: [(name: String, value: String)] {
        var facts: [(name: String, value: String)] = [
            ("id", String(character.id)),
            ("comics", character.text(of: character.comicCount)),
            ("series", character.text(of: character.seriesCount)),
            ("stories", character.text(of: character.storyCount)),
            ("events", character.text(of: character.eventCount)),
        ]
        if let modified = character.modified { facts.append(("modified", modified.readable)) }
        if details.editRevision > 0 { facts.append(("edited", "revision \(details.editRevision)")) }
        return facts + character.urls.map { ($0.type.printable, $0.url.printable) }
    }
}

extension MarvelCharacter {
    /// If all four counts are 0, the source has no counts of the character.
    func text(of count: Int32) -> String {
        let isUnknown = [comicCount, seriesCount, storyCount, eventCount].allSatisfy { $0 == 0 }
        return isUnknown ? "unknown" : String(count)
    }
}

struct EditReport {
    /// `Created` or `Edited`.
    var verb: String
    var result: CharacterEditResult
    var style: ANSIStyle

    var lines: [String] {
        let name = style.apply(.heading, to: result.character.name.printable)
        return ["\(verb) \(name) (id \(result.character.id)). Its edit revision is \(result.editRevision)."]
    }

    var footer: Footer { Footer(attribution: result.attribution) }
}

struct PictureReport {
    var picture: CharacterPicture
    var asked: ImageVariant
    var file: String

    var lines: [String] {
        var lines = ["Saved \(file.printable): \(picture.mediaType.printable), \(picture.bytes.count) bytes."]
        if picture.variant != asked { lines.append("This is \(name): the requested variant was not available.") }
        if picture.isPlaceholder {
            lines.append("The source has no picture of this character; this is its placeholder.")
        }
        return lines
    }

    var footer: Footer { Footer(attribution: picture.attribution, freshness: picture.freshness) }

    private var name: String {
        switch picture.variant {
        case .full: "the full picture"
        case let variant?: variant.rawValue
        case nil: "another size"
        }
    }
}
