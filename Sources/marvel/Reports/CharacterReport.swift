internal import MarvelClient
internal import TerminalUI

/// The text of one character.
struct CharacterReport {
    var details: CharacterDetails
    var lineWidth: Int?
    var style: ANSIStyle

    var lines: [String] {
        title + description + [""] + Facts(facts: facts, style: style).lines
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

    private var facts: [(name: String, value: String)] {
        var facts: [(name: String, value: String)] = [
            ("id", String(character.id)),
            ("comics", String(character.comicCount)),
            ("series", String(character.seriesCount)),
            ("stories", String(character.storyCount)),
            ("events", String(character.eventCount)),
        ]
        if let modified = character.modified { facts.append(("modified", modified.readable)) }
        if details.editRevision > 0 { facts.append(("edited", "revision \(details.editRevision)")) }
        return facts + character.urls.map { ($0.type.printable, $0.url.printable) }
    }
}
