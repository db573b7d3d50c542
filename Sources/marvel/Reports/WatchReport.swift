internal import MarvelClient
internal import ProgramSupport
internal import TerminalUI

/// The text of one event of a watched list.
struct WatchReport {
    var name: ListName
    var event: FavoritesEvent
    var lineWidth: Int?
    var style: ANSIStyle

    /// The lines of the event; none for an event that only programs need.
    var lines: [String] {
        switch event {
        case .snapshot(let listed, _): report(listed).lines
        case .changed(let change, _): [line(for: change)]
        case .progress, .interrupted: []
        }
    }

    /// The lines for scripts: revision, event, and for all events but `deleted` the id and the name of the character.
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

    /// Returns the reason for an interruption, or for a snapshot in place of the requested changes, for standard error.
    func notice(isVerbose: Bool) -> String? {
        switch event {
        case .snapshot(_, reset: .historyChanged):
            return "The server's favorites were restored since then, or never got there: this is the list as it is now."
        case .snapshot(_, reset: .compacted):
            return "The server no longer has all changes since then: this is the list as it is now."
        case .snapshot, .changed, .progress, .interrupted:
            break
        }
        guard case .interrupted(let error, let delay) = event else { return nil }
        let seconds = max(1, Int((delay / .seconds(1)).rounded(.up)))
        let cause = isVerbose ? " (\(error.code.name): \(error.message.printable))" : ""
        let what = error.reason == .storeUnavailable ? "The server's database does not answer" : "The server is gone"
        return "\(what)\(cause). Trying again in \(seconds) s."
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
