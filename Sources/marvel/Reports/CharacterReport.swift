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

/// The text of an edit's result.
struct EditReport {
    /// The verb: `Created` or `Edited`.
    var verb: String
    var result: CharacterEditResult
    var style: ANSIStyle

    var lines: [String] {
        let name = style.apply(.heading, to: result.character.name.printable)
        return ["\(verb) \(name) (id \(result.character.id)). It is at edit revision \(result.editRevision)."]
            + Footer(attribution: result.attribution, style: style).lines
    }
}

/// The text of a saved picture.
struct PictureReport {
    var picture: CharacterPicture
    /// The requested variant.
    var asked: ImageVariant
    var file: String
    var style: ANSIStyle

    var lines: [String] {
        var lines = ["Saved \(file.printable): \(picture.mediaType.printable), \(picture.bytes.count) bytes."]
        if picture.variant != asked { lines.append("It is \(name): the requested variant was not available.") }
        if picture.isPlaceholder { lines.append("The source has no picture of this character; this is what it shows.") }
        return lines + Footer(attribution: picture.attribution, freshness: picture.freshness, style: style).lines
    }

    private var name: String {
        switch picture.variant {
        case .full: "the full picture"
        case let variant?: variant.rawValue
        case nil: "of another size"
        }
    }
}
