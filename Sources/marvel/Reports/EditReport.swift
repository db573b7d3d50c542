internal import MarvelClient
internal import TerminalUI

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
