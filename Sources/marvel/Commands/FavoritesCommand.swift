internal import ArgumentParser
internal import MarvelClient
internal import MarvelDomain
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
        let report = FavoritesReport(
            name: list.list,
            listed: listed,
            lineWidth: session.lineWidth,
            style: session.style
        )
        try session.print(page: report.lines, rows: report.rows, report.footer, ListFavoritesResponse.self)
        if let notice = report.notice { session.warn(notice) }
        return .done
    }
}
