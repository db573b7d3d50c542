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
        var (token, count) = ("", 0)
        repeat {
            token = page.nextPageToken
            page = try await session.client.lists(
                prefix: prefix,
                pageSize: count == 0 ? Self.pageSizes.first : Self.pageSizes.others,
                pageToken: token,
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
            // A broken server would be asked for ever.
        } while !page.nextPageToken.isEmpty && page.nextPageToken != token
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

struct DeleteListCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete-list",
        abstract: "Delete a list with all its favorites.",
        usage: "marvel delete-list <name> [--yes] [<options>]",
        discussion: HelpText.discussion(
            examples: [
                "marvel delete-list reading",
                "marvel delete-list reading --yes",
            ],
            """
            On a terminal it asks for confirmation. A new list of the same name continues the revisions of the deleted one, so that \
            watchers miss nothing.
            """,
            statuses: [
                ("1", "no such list, or the deletion was not confirmed")
            ]
        )
    )

    static let changesSeenWith: String? = "marvel lists"

    @Argument(help: "The list's name, as `marvel lists` prints it.", transform: ListOption.name)
    var name: ListName

    @Flag(name: .shortAndLong, help: "Do not ask for confirmation. Required if standard input is not a terminal.")
    var yes = false

    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func run(in session: Session) async throws -> ExitStatus {
        guard yes || session.canAsk else {
            session.warn(error: "Standard input is not a terminal: add --yes to delete the list \(name).")
            return .usage
        }
        let contents = try await session.client.favorites(list: name, timeout: session.singleCallTimeout).list
        if !yes, await !session.ask("Delete the list \(name), with \(Self.favorites(contents))?") {
            session.warn("Nothing was deleted.")
            return .failed
        }
        let deletion = try await session.client.deleteList(name, timeout: session.singleCallTimeout)
        if session.isJSON {
            try session.printJSON(DeleteListResponse.self)
        } else if deletion.existed {
            let text = "Deleted the list \(name), with \(Self.favorites(contents))."
            try session.print(
                outcome: ["\(text) The list is now at revision \(deletion.revision)."],
                nil,
                DeleteListResponse.self
            )
        }
        if !deletion.existed { session.report(RPCError(.notFound, "there is no list \(name)")) }
        return deletion.existed ? .done : .failed
    }

    private static func favorites(_ list: FavoritesList) -> String {
        let names = list.favorites.map(\.character.name.printable)
        guard !names.isEmpty else { return "no favorites" }
        let shown = names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", and \(names.count - 5) more" : "")
        return "\(names.count) \(names.count == 1 ? "favorite" : "favorites") (\(shown))"
    }
}
