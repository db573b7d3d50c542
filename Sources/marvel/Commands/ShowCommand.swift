internal import ArgumentParser
internal import MarvelClient
internal import MarvelDomain

struct ShowCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show one character.",
        usage: "marvel show <id> [<options>]"
    )

    @Argument(help: "The character's number, as `marvel search` prints it.")
    var id: CharacterID

    @OptionGroup var list: ListOption
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run(in session: Session) async throws -> ExitStatus {
        let details = try await session.client.character(
            id: id.number,
            list: list.list,
            timeout: session.singleCallTimeout
        )
        let report = CharacterReport(details: details, lineWidth: session.lineWidth, style: session.style)
        try session.print(session.isJSON ? [JSONValue(details).line] : report.lines)
        return .done
    }
}
