internal import ArgumentParser
internal import MarvelClient
internal import MarvelDomain
internal import ProgramSupport
internal import WireMessages

struct CreateCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Add a character to the catalog.",
        usage: "marvel create --name <text> [<options>]",
        discussion: HelpText.discussion(
            examples: ["marvel create --name Qwerty-Man --description 'A man of letters.'"],
            "The server must run with --allow-edits. Searches find it immediately."
        )
    )

    static let changesData = true
    static let changesSeenWith = "marvel search"

    @OptionGroup(title: "The character") var character: CharacterOptions

    @Option(help: ArgumentHelp("Its id. (default: the server picks one)", valueName: "n"))
    var id: CharacterID?

    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func validate() throws {
        guard character.name != nil else { throw ValidationError("--name is missing.") }
    }

    func run(in session: Session) async throws -> ExitStatus {
        let result = try await session.client.createCharacter(
            try CharacterChanges(character),
            id: id?.number,
            timeout: session.singleCallTimeout
        )
        let report = EditReport(verb: "Created", result: result, style: session.style)
        try session.print(outcome: report.lines, report.footer, CreateCharacterResponse.self)
        return .done
    }
}

extension CharacterChanges {
    /// - Throws: `InputFile.Failure`.
    init(_ options: CharacterOptions) throws {
        let maximum = 1_024 * 1_024
        self.init(
            name: options.name,
            description: options.description,
            comicCount: options.comics,
            seriesCount: options.series,
            storyCount: options.stories,
            eventCount: options.events,
            urls: options.url.isEmpty ? nil : options.url,
            picture: try options.picture.map { .set(try InputFile.read($0, maximum: maximum)) }
        )
    }
}
