internal import MarvelClient
internal import ProgramSupport
internal import TerminalUI

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

    /// For scripts: id, name, and the time of saving.
    var rows: [String] {
        listed.list.favorites.map { favorite in
            let (id, name) = (favorite.character.id, favorite.character.name.printable)
            return "\(id)\t\(style.apply(.favorite, to: name))\t\(favorite.savedAt.rfc3339)"
        }
    }

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

struct ToggleReport {
    var id: Int64
    /// Nil if the catalog did not return it.
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
        case (.some, true): "\(name) is now a favorite."
        case (.some, false): "\(name) is not a favorite anymore."
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

struct WatchReport {
    var name: ListName
    var event: FavoritesEvent
    var lineWidth: Int?
    var style: ANSIStyle

    /// Empty for an event that only programs need.
    var lines: [String] {
        switch event {
        case .snapshot(let listed, _): report(listed).lines
        case .changed(let change, _): [line(for: change)]
        case .progress, .interrupted: []
        }
    }

    /// For scripts: revision, event, and for all events but `deleted` the id and the name of the character.
    var rows: [String] {
        switch event {
        case .snapshot(let listed, _):
            return listed.list.favorites.map { row(listed.list.revision, "listed", $0) }
        case .changed(let change, _):
            var rows = [change.saved.map { row(change.revision, "saved", $0) }].compactMap(\.self)
            rows += ([change.removed].compactMap(\.self) + change.cleared).map { row(change.revision, "removed", $0) }
            rows += change.evicted.map { row(change.revision, "evicted", $0) }
            return change.isDeletion ? rows + ["\(change.revision)\tdeleted"] : rows
        case .progress, .interrupted:
            return []
        }
    }

    var footer: Footer? {
        if case .snapshot(let listed, _) = event { report(listed).footer } else { nil }
    }

    private func report(_ listed: ListedFavorites) -> FavoritesReport {
        FavoritesReport(name: name, listed: listed, lineWidth: lineWidth, style: style)
    }

    private func row(_ revision: Int64, _ event: String, _ favorite: Favorite) -> String {
        "\(revision)\t\(event)\t\(favorite.character.id)\t\(favorite.character.name.printable)"
    }

    /// The reason for an interruption, or for a snapshot in place of the requested changes, for standard error.
    func notice(isVerbose: Bool) -> String? {
        switch event {
        case .snapshot(_, reset: .historyChanged):
            return "The server was restored from a backup, or never reached that revision: this is the current list."
        case .snapshot(_, reset: .compacted):
            return "The server no longer has all changes since then: this is the current list."
        case .snapshot, .changed, .progress, .interrupted:
            break
        }
        guard case .interrupted(let error, let delay) = event else { return nil }
        let seconds = max(1, Int((delay / .seconds(1)).rounded(.up)))
        let cause = isVerbose ? " (\(error.code.name): \(error.message.printable))" : ""
        let what =
            error.reason == .storeUnavailable
            ? "The server's database does not answer" : "The connection to the server was lost"
        return "\(what)\(cause). Retrying in \(seconds) s."
    }

    private func line(for change: FavoritesChange) -> String {
        var parts: [String] = []
        if let saved = change.saved {
            parts.append("saved " + style.apply(.favorite, to: "\(Sign.favorite) \(Self.text(saved))"))
        }
        if let removed = change.removed { parts.append("removed \(Self.text(removed))") }
        if !change.evicted.isEmpty {
            parts.append("evicted " + change.evicted.map(Self.text).joined(separator: ", "))
        }
        if !change.cleared.isEmpty {
            parts.append("removed " + change.cleared.map(Self.text).joined(separator: ", "))
        }
        if change.isDeletion { parts.append("the list was deleted") }
        let text = parts.isEmpty ? "" : ": \(parts.joined(separator: "; "))"
        return "Revision \(change.revision)\(text)."
    }

    private static func text(_ favorite: Favorite) -> String {
        "\(favorite.character.name.printable) (id \(favorite.character.id))"
    }
}
