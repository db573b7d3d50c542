internal import MarvelClient
internal import ProgramSupport
internal import TerminalUI

/// The text of one character.
struct CharacterReport {
    var details: CharacterDetails
    var lineWidth: Int?
    var style: ANSIStyle

    var lines: [String] {
        title + description + [""] + Facts(facts, style: style).lines
    }

    /// The lines for scripts: a name and a value in each.
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
    /// Returns the text of one of the four counts. If all are 0, the source has no counts of the character.
    func text(of count: Int32) -> String {
        let isUnknown = [comicCount, seriesCount, storyCount, eventCount].allSatisfy { $0 == 0 }
        return isUnknown ? "unknown" : String(count)
    }
}

/// The text of an edit's result.
struct EditReport {
    /// The verb: `Created` or `Edited`.
    var verb: String
    var result: CharacterEditResult
    var style: ANSIStyle

    var lines: [String] {
        let name = style.apply(.heading, to: result.character.name.printable)
        return ["\(verb) \(name) (id \(result.character.id)). It is at edit revision \(result.editRevision)."]
    }

    var footer: Footer { Footer(attribution: result.attribution) }
}

/// The text of a saved picture.
struct PictureReport {
    var picture: CharacterPicture
    /// The requested variant.
    var asked: ImageVariant
    var file: String

    var lines: [String] {
        var lines = ["Saved \(file.printable): \(picture.mediaType.printable), \(picture.bytes.count) bytes."]
        if picture.variant != asked { lines.append("It is \(name): the requested variant was not available.") }
        if picture.isPlaceholder { lines.append("The source has no picture of this character; this is what it shows.") }
        return lines
    }

    var footer: Footer { Footer(attribution: picture.attribution, freshness: picture.freshness) }

    private var name: String {
        switch picture.variant {
        case .full: "the full picture"
        case let variant?: variant.rawValue
        case nil: "of another size"
        }
    }
}
