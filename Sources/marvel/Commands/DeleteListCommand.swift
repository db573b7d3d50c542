internal import ArgumentParser
internal import MarvelClient
internal import MarvelDomain
internal import TerminalUI
internal import WireMessages

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

    static let changesData = true
    static let changesSeenWith = "marvel lists"

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
        } else {
            session.warn(error: "There is no list \(name).")
        }
        return deletion.existed ? .done : .failed
    }

    /// The number of favorites, and the names of the first ones.
    private static func favorites(_ list: FavoritesList) -> String {
        let names = list.favorites.map(\.character.name.printable)
        guard !names.isEmpty else { return "no favorites" }
        let shown = names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", and \(names.count - 5) more" : "")
        return "\(names.count) \(names.count == 1 ? "favorite" : "favorites") (\(shown))"
    }
}
