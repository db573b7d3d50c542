internal import MarvelClient
internal import ProgramSupport
internal import TerminalUI

/// The text of a list of favorites.
struct FavoritesReport {
    var name: ListName
    var listed: ListedFavorites
    var lineWidth: Int?
    var style: ANSIStyle

    var lines: [String] {
        let list = listed.list
        guard !list.favorites.isEmpty else {
            return ["The list \(name) is empty. `marvel toggle ID` saves a character."]
        }
        let heading = "List \(name): \(list.favorites.count) of \(list.capacity), revision \(list.revision)."
        var table = Table([
            Table.Column(""),
            Table.Column("ID", .right),
            Table.Column("NAME"),
            Table.Column("SAVED"),
        ])
        return [style.apply(.heading, to: heading), ""]
            + table.lines(for: list.favorites.map(row), lineWidth: lineWidth, style: style)
    }

    /// The lines for scripts: id, name, and the time of saving.
    var rows: [String] {
        listed.list.favorites.map { favorite in
            let (id, name) = (favorite.character.id, favorite.character.name.printable)
            return "\(id)\t\(style.apply(.favorite, to: name))\t\(favorite.savedAt.rfc3339)"
        }
    }

    /// The text below the list; nil for an empty list.
    var footer: Footer? { listed.list.favorites.isEmpty ? nil : Footer(attribution: listed.attribution) }

    /// The age of the list, for standard error, if it may lack changes.
    var notice: String? {
        guard let age = listed.age else { return nil }
        return "The server's database does not answer: the list may have changed in the last \(age.inWords)."
    }

    private func row(_ favorite: Favorite) -> [Table.Cell] {
        [
            Table.Cell(Sign.favorite, .favorite),
            Table.Cell(String(favorite.character.id)),
            Table.Cell(favorite.character.name.printable, .favorite),
            Table.Cell(favorite.savedAt.readable, .faint),
        ]
    }
}
