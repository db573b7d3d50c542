internal import MarvelClient
internal import ProgramSupport
internal import TerminalUI

/// The text of a toggle's result.
struct ToggleReport {
    var id: Int64
    /// The character; nil if the catalog did not return it.
    var details: CharacterDetails?
    var action: ToggleCommand.Action?
    var list: ListName
    var result: ToggleResult
    var style: ANSIStyle

    var lines: [String] {
        var sentences = [whatHappened]
        if !result.evicted.isEmpty { sentences.append("Evicted: \(evicted).") }
        sentences.append("The list \(list) is at revision \(result.revision).")
        return [sentences.joined(separator: " ")]
    }

    var footer: Footer { Footer(attribution: details?.attribution ?? "") }

    /// A sentence with the result. After `--save` and `--remove` the earlier state is unknown, except after an
    /// eviction.
    private var whatHappened: String {
        switch (action, result.isFavorite) {
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
