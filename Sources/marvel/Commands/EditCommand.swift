internal import ArgumentParser
internal import MarvelClient
internal import MarvelDomain
internal import ProgramSupport
internal import WireMessages

struct EditCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change a character of the catalog, for everyone.",
        usage: "marvel edit <id> [<options>]",
        discussion: HelpText.discussion(
            examples: ["marvel edit 1009664 --description 'The god of thunder.' --comics 2500"],
            """
            For servers whose operator allows it (--allow-edits). Fields without an option stay unchanged. Lists keep \
            the character as it was saved.
            """
        )
    )

    static let changesData = true
    static let changesSeenWith = "marvel show"

    @Argument(help: "The character's number, as `marvel search` prints it.")
    var id: CharacterID

    @OptionGroup(title: "The character") var character: CharacterOptions

    @Flag(help: "Take away all pages about the character.")
    var removeUrls = false

    @Flag(help: "Show the picture of the catalog's source again.")
    var removePicture = false

    @Option(
        help: ArgumentHelp(
            "Fail if there was an edit after this one, which `marvel show` names. (default: overwrite it)",
            valueName: "revision"
        )
    )
    var revision: Int64?

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func validate() throws {
        guard !removeUrls || character.url.isEmpty else { throw ValidationError("--url or --remove-urls, not both.") }
        guard !removePicture || character.picture == nil else {
            throw ValidationError("--picture or --remove-picture, not both.")
        }
        guard revision.map({ $0 > 0 }) ?? true else { throw ValidationError("A revision is 1 or more.") }
        guard removeUrls || removePicture || character.hasChanges else {
            throw ValidationError("Name something to change.")
        }
    }

    func run(in session: Session) async throws -> ExitStatus {
        var changes = try CharacterChanges(character)
        if removeUrls { changes.urls = [] }
        if removePicture { changes.picture = .remove }
        let result = try await session.client.updateCharacter(
            id.number,
            changes,
            editRevision: revision,
            timeout: session.singleCallTimeout
        )
        let report = EditReport(verb: "Edited", result: result, style: session.style)
        try session.print(outcome: report.lines, report.footer, UpdateCharacterResponse.self)
        return .done
    }
}
