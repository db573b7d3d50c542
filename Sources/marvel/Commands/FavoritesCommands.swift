internal import ArgumentParser
internal import MarvelClient
internal import MarvelDomain
internal import ProgramSupport
internal import TerminalUI
internal import WireMessages

struct FavoritesCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "favorites",
        abstract: "List the favorites, oldest first.",
        usage: "marvel favorites [<options>]",
        discussion: HelpText.discussion(
            examples: [
                "marvel favorites",
                "marvel favorites --list reading --json",
            ],
            """
            On a pipe, a row has the id, the name, and the time it was saved.
            """
        )
    )

    @OptionGroup var list: ListOption
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func run(in session: Session) async throws -> ExitStatus {
        let listed = try await session.client.favorites(list: list.list, timeout: session.singleCallTimeout)
        let report = FavoritesReport(name: list.list, listed: listed, session: session)
        try session.print(page: report.lines, rows: report.rows, report.footer, ListFavoritesResponse.self)
        if let notice = report.notice { session.warn(notice) }
        return .done
    }
}

struct ToggleCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "toggle",
        abstract: "Save a character to a list, or remove it if it is there.",
        usage: "marvel toggle <id> [--save | --remove] [<options>]",
        discussion: HelpText.discussion(
            examples: [
                "marvel toggle 1009664",
                "marvel toggle 1009664 --save --list reading",
            ],
            """
            Saving to a full list evicts its oldest favorite, and the output names it.
            """
        )
    )

    static let changesSeenWith: String? = "marvel favorites"

    enum Action: String, EnumerableFlag {
        case save
        case remove

        static func help(for value: Action) -> ArgumentHelp? {
            switch value {
            case .save: "Save it; no change if it is already in the list. Safe to repeat."
            case .remove: "Remove it; no change if it is not in the list. Safe to repeat."
            }
        }
    }

    @Argument(help: "The character's id, as `marvel search` prints it.")
    var id: CharacterID

    @Flag var action: Action?

    @OptionGroup var list: ListOption
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func run(in session: Session) async throws -> ExitStatus {
        let result = try await session.client.toggleFavorite(
            id.number,
            desired: desired,
            list: list.list,
            timeout: session.singleCallTimeout
        )
        if session.isJSON {
            try session.printJSON(ToggleFavoriteResponse.self)
            return .done
        }
        let details = await lookUp(in: session)
        let text = details.map { $0.character.name.printable } ?? "character \(id.number)"
        let name = result.isFavorite ? session.style.apply(.favorite, to: "\(Sign.favorite) \(text)") : text
        var sentences = [whatHappened(result, name)]
        if !result.evicted.isEmpty {
            sentences.append("Evicted: \(result.evicted.map(\.textWithID).joined(separator: ", ")).")
        }
        sentences.append("The list \(list.list) is at revision \(result.revision).")
        let footer = Footer(attribution: details?.attribution ?? "")
        try session.print(outcome: [sentences.joined(separator: " ")], footer, ToggleFavoriteResponse.self)
        return .done
    }

    /// After `--save` and `--remove` the earlier state is unknown, except after an eviction.
    private func whatHappened(_ result: ToggleResult, _ name: String) -> String {
        switch (action, result.isFavorite) {
        case (nil, true): "Saved \(name)."
        case (nil, false): "Removed \(name)."
        case (.some, true) where !result.evicted.isEmpty: "Saved \(name)."
        case (.some, true): "\(name) is now a favorite."
        case (.some, false): "\(name) is not a favorite anymore."
        }
    }

    private var desired: DesiredFavorite {
        switch action {
        case .save: .saved
        case .remove: .removed
        case nil: .toggle
        }
    }

    /// The toggle is done, so a failure here must not fail the command.
    private func lookUp(in session: Session) async -> CharacterDetails? {
        try? await session.client.character(id: id.number, list: list.list, timeout: .seconds(2))
    }
}

struct WatchCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Show a list of favorites and follow its changes.",
        usage: "marvel watch [<options>]",
        discussion: HelpText.discussion(
            examples: [
                "marvel watch",
                "marvel watch --list reading --from-revision 7 --json",
            ],
            """
            It runs until Ctrl-C and reconnects if the server restarts. If the server no longer has the changes after a place \
            or a revision, it shows the whole list and the reason. On a pipe, a row has revision, event, id and name; events are \
            listed, empty (a list without favorites), saved, removed, evicted and deleted. With --json, each line is one event.
            """
        )
    )

    // A place may begin with a hyphen.
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Show the changes after this place (`place` in the --json output) instead of the whole list.",
            valueName: "place"
        )
    )
    var from: String?

    @Option(help: ArgumentHelp("Show the changes after this revision instead of the whole list.", valueName: "n"))
    var fromRevision: Int64?

    @Option(help: ArgumentHelp("Stop after this many changes. (default: never)", valueName: "n"))
    var changes: Int?

    @OptionGroup var list: ListOption
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func validate() throws {
        try OptionRange.atLeastOne(changes, "--changes")
        if let fromRevision, fromRevision < 0 {
            throw ValidationError("--from-revision is \(fromRevision); it must not be negative.")
        }
        if from != nil, fromRevision != nil {
            throw ValidationError("Use --from or --from-revision, not both: a place includes its revision.")
        }
    }

    func run(in session: Session) async throws -> ExitStatus {
        var hasAnswered = false
        do {
            try await follow(session, &hasAnswered)
        } catch let error as RPCError where error.code == .cancelled && error.origin == .local {
            // Cancellation is the normal end of a watch.
        } catch let error as RPCError {
            session.report(error, hasAnswered: hasAnswered)
            return status(for: error)
        }
        return .done
    }

    private func follow(_ session: Session, _ hasAnswered: inout Bool) async throws {
        var line = session.statusLine()
        defer { line.clear() }
        var left = changes ?? .max
        for try await event in events(session) {
            line.clear()
            try print(event, in: session)
            if case .changed = event { left -= 1 }
            guard left > 0 else { break }
            if case .interrupted = event { continue }
            hasAnswered = true
            line.show("Watching the list \(list.list). Press Ctrl-C to stop.")
        }
    }

    private func events(_ session: Session) -> FavoritesWatch {
        let timeout = session.options.timeout
        guard let from else {
            return session.client.watchFavorites(list: list.list, from: fromRevision ?? 0, timeout: timeout)
        }
        return session.client.watchFavorites(list: list.list, after: FavoritesPlace(from), timeout: timeout)
    }

    private func print(_ event: FavoritesEvent, in session: Session) throws {
        let report = WatchReport(name: list.list, event: event, session: session)
        if session.isJSON {
            if let message = WatchFavoritesResponse(event) { try session.print(json: message) }
        } else {
            try session.print(page: report.lines, rows: report.rows, report.footer, WatchFavoritesResponse.self)
        }
        if let notice = report.notice(isVerbose: session.options.verbose) { session.warn(notice) }
    }
}

extension WatchFavoritesResponse {
    init?(_ event: FavoritesEvent) {
        switch event {
        case .snapshot(let listed, let reset):
            self.init(
                .snapshot(listed.list, reset: reset),
                attribution: listed.attribution,
                place: listed.place?.text ?? ""
            )
        case .changed(let change, let place): self.init(.changed(change), place: place?.text ?? "")
        case .progress(let revision, let place): self.init(.progress(revision: revision), place: place?.text ?? "")
        case .interrupted: return nil
        }
    }
}

struct FavoritesReport {
    let name: ListName
    let listed: ListedFavorites
    let session: Session

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
        return [session.style.apply(.heading, to: heading), ""]
            + table.lines(for: list.favorites.map(row), lineWidth: session.lineWidth, style: session.style)
    }

    /// For scripts: id, name, and the time of saving.
    var rows: [String] {
        listed.list.favorites.map { favorite in
            let (id, name) = (favorite.character.id, favorite.character.name.printable)
            return "\(id)\t\(session.style.apply(.favorite, to: name))\t\(favorite.savedAt.rfc3339)"
        }
    }

    var footer: Footer? { listed.list.favorites.isEmpty ? nil : Footer(attribution: listed.attribution) }

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

struct WatchReport {
    let name: ListName
    let event: FavoritesEvent
    let session: Session

    var lines: [String] {
        switch event {
        case .snapshot(let listed, _): report(listed).lines
        case .changed(let change, _): [line(for: change)]
        case .progress, .interrupted: []
        }
    }

    /// For scripts: revision, event, and for all events but `empty` and `deleted` the id and the name of the character.
    var rows: [String] {
        switch event {
        case .snapshot(let listed, _):
            let (revision, favorites) = (listed.list.revision, listed.list.favorites)
            return favorites.isEmpty ? ["\(revision)\tempty"] : favorites.map { row(revision, "listed", $0) }
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
        FavoritesReport(name: name, listed: listed, session: session)
    }

    private func row(_ revision: Int64, _ event: String, _ favorite: Favorite) -> String {
        "\(revision)\t\(event)\t\(favorite.character.id)\t\(favorite.character.name.printable)"
    }

    func notice(isVerbose: Bool) -> String? {
        switch event {
        case .snapshot(_, reset: .historyChanged):
            return "The server was restored from a backup, or never reached that revision: this is the current list."
        case .snapshot(_, reset: .compacted):
            return "Some changes are no longer kept for this watch: this is the current list."
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
            parts.append("saved " + session.style.apply(.favorite, to: "\(Sign.favorite) \(saved.textWithID)"))
        }
        if let removed = change.removed { parts.append("removed \(removed.textWithID)") }
        if !change.evicted.isEmpty {
            parts.append("evicted " + change.evicted.map(\.textWithID).joined(separator: ", "))
        }
        if !change.cleared.isEmpty {
            parts.append("removed " + change.cleared.map(\.textWithID).joined(separator: ", "))
        }
        if change.isDeletion { parts.append("the list was deleted") }
        let text = parts.isEmpty ? "" : ": \(parts.joined(separator: "; "))"
        return "Revision \(change.revision)\(text)."
    }
}

extension Favorite {
    fileprivate var textWithID: String { "\(character.name.printable) (id \(character.id))" }
}
