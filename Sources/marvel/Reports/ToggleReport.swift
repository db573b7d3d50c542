internal import MarvelClient
internal import TerminalUI

/// What a toggle did, in words.
struct ToggleReport {
    var id: Int64
    /// Nil if the catalog could not be asked for the name.
    var details: CharacterDetails?
    var wish: ToggleCommand.Wish?
    var list: ListName
    var result: ToggleResult
    var style: ANSIStyle

    var lines: [String] {
        var sentences = [whatHappened]
        if !result.evicted.isEmpty { sentences.append("Evicted: \(evicted).") }
        sentences.append("The list \(list) is at revision \(result.revision).")
        return [sentences.joined(separator: " ")]
            + Footer(attribution: details?.attribution ?? "", style: style).lines
    }

    /// After `--save` and `--remove` nobody knows whether it was so before, unless something had to leave.
    private var whatHappened: String {
        switch (wish, result.isFavorite) {
        case (nil, true): "Saved \(name)."
        case (nil, false): "Removed \(name)."
        case (.some, true) where !result.evicted.isEmpty: "Saved \(name)."
        case (.some, true): "\(name) is a favorite now."
        case (.some, false): "\(name) is no favorite now."
        }
    }

    private var name: String {
        let text = details.map { $0.character.name.printable } ?? "character \(id)"
        return result.isFavorite ? style.apply(.favorite, to: "\(Sign.favorite) \(text)") : text
    }

    private var evicted: String {
        result.evicted.map { "\($0.character.name.printable) (id \($0.character.id))" }.joined(separator: ", ")
    }
}
