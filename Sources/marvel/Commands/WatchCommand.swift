internal import ArgumentParser
internal import MarvelClient
internal import MarvelDomain
internal import ProgramSupport
internal import WireMessages

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
            listed, saved, removed, evicted and deleted. With --json, each line is one event.
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
        if let changes, changes < 1 { throw ValidationError("--changes is \(changes); it must be at least 1.") }
        if let fromRevision, fromRevision < 0 {
            throw ValidationError("--from-revision is \(fromRevision); it must not be negative.")
        }
        if from != nil, fromRevision != nil {
            throw ValidationError("Use --from or --from-revision, not both: a place includes its revision.")
        }
    }

    func run(in session: Session) async throws -> ExitStatus {
        do {
            try await follow(session)
        } catch let error as RPCError where error.code == .cancelled && error.origin == .local {
            // Cancellation is the normal end of a watch.
        }
        return .done
    }

    private func follow(_ session: Session) async throws {
        var line = session.statusLine()
        defer { line.clear() }
        var left = changes ?? .max
        for try await event in events(session) {
            line.clear()
            try print(event, in: session)
            if case .changed = event { left -= 1 }
            guard left > 0 else { break }
            if case .interrupted = event { continue }
            line.show("Watching the list \(list.list). Press Ctrl-C to stop.")
        }
    }

    private func events(_ session: Session) -> FavoritesWatch {
        let timeout = session.options.timeout?.duration
        guard let from else {
            return session.client.watchFavorites(list: list.list, from: fromRevision ?? 0, timeout: timeout)
        }
        return session.client.watchFavorites(list: list.list, after: FavoritesPlace(from), timeout: timeout)
    }

    private func print(_ event: FavoritesEvent, in session: Session) throws {
        let report = WatchReport(
            name: list.list,
            event: event,
            lineWidth: session.lineWidth,
            style: session.style
        )
        if session.isJSON {
            if let message = WatchFavoritesResponse(event) { try session.print(json: message) }
        } else {
            try session.print(page: report.lines, rows: report.rows, report.footer, WatchFavoritesResponse.self)
        }
        if let notice = report.notice(isVerbose: session.options.verbose) { session.warn(notice) }
    }
}

extension WatchFavoritesResponse {
    /// Nil for an event that is not from the server.
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
