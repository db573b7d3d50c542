internal import MarvelClient
internal import TerminalUI

/// The text of one character.
struct CharacterReport {
    var details: CharacterDetails
    var lineWidth: Int?
    var style: ANSIStyle

    var lines: [String] {
        title + description + [""] + facts
            + Footer(attribution: details.attribution, freshness: details.freshness, style: style).lines
    }

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

    private var facts: [String] {
        var facts: [(name: String, value: String)] = [
            ("id", String(character.id)),
            ("comics", String(character.comicCount)),
            ("series", String(character.seriesCount)),
            ("stories", String(character.storyCount)),
            ("events", String(character.eventCount)),
        ]
        if let modified = character.modified { facts.append(("modified", modified.readable)) }
        if details.editRevision > 0 { facts.append(("edited", "revision \(details.editRevision)")) }
        facts += character.urls.map { ($0.type.printable, $0.url.printable) }
        let width = facts.reduce(0) { max($0, $1.name.displayWidth) }
        return facts.map { fact in
            let padding = String(repeating: " ", count: width - fact.name.displayWidth)
            return "\(style.apply(.faint, to: fact.name))\(padding)  \(fact.value)"
        }
    }
}
