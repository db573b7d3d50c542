internal import ArgumentParser
internal import MarvelClient
internal import MarvelDomain
internal import ProgramSupport
internal import TerminalUI
internal import WireMessages

struct ListsCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "lists",
        abstract: "Show the lists of favorites on the server.",
        usage: "marvel lists [<prefix>] [<options>]",
        discussion: HelpText.discussion(
            examples: [
                "marvel lists",
                "marvel lists team-",
            ],
            """
            Lists are sorted by name. A list exists from its first favorite until it is deleted. On a pipe, a row has the \
            name, the number of favorites, and the revision.
            """
        )
    )

    @Argument(help: "Only lists whose names begin with this, case-sensitive. (default: all)")
    var prefix = ""

    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    /// The first page is small, so that a person sees it soon.
    private static let pageSizes = (first: 100, others: 1_000)

    func run(in session: Session) async throws -> ExitStatus {
        var table = Table([
            Table.Column("NAME"),
            Table.Column("FAVORITES", .right),
            Table.Column("REVISION", .right),
        ])
        var page = ListsPage(lists: [])
        var count = 0
        repeat {
            page = try await session.client.lists(
                prefix: prefix,
                pageSize: count == 0 ? Self.pageSizes.first : Self.pageSizes.others,
                pageToken: page.nextPageToken,
                timeout: session.singleCallTimeout
            )
            count += page.lists.count
            if session.isJSON {
                let response = MarvelClient.lastResponse?.message(ListListsResponse.self)
                for list in response?.lists ?? [] { try session.print(json: list) }
            } else if !page.lists.isEmpty {
                let rows = page.lists.map(Self.row)
                try session.print(
                    session.printsRows
                        ? table.rows(rows, style: session.style)
                        : table.lines(for: rows, lineWidth: session.lineWidth, style: session.style)
                )
            }
        } while !page.nextPageToken.isEmpty
        if count == 0, !session.isJSON { session.hint(nothing) }
        return .done
    }

    private static func row(_ list: ListInfo) -> [Table.Cell] {
        [
            Table.Cell(list.name.text),
            Table.Cell(String(list.favoriteCount)),
            Table.Cell(String(list.revision), .faint),
        ]
    }

    private var nothing: String {
        prefix.isEmpty ? "There are no lists. `marvel toggle ID` creates one." : "No list name begins with that."
    }
}
