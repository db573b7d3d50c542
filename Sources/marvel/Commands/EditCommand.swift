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
            The server must run with --allow-edits. Fields without an option stay unchanged. Favorites lists keep \
            the character as it was saved.
            """
        )
    )

    static let changesData = true
    static let changesSeenWith = "marvel show"

    @Argument(help: "The character's id, as `marvel search` prints it.")
    var id: CharacterID

    @OptionGroup(title: "The character") var character: CharacterOptions

    @Flag(help: "Remove all links of the character.")
    var removeUrls = false

    @Flag(help: "Remove the picture; show the one of the catalog's source again.")
    var removePicture = false

    @Option(
        help: ArgumentHelp(
            "Fail unless the character is at this edit revision, as `marvel show` prints it. (default: overwrite)",
            valueName: "revision"
        )
    )
    var revision: Int64?

    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func validate() throws {
        guard !removeUrls || character.url.isEmpty else {
            throw ValidationError("Use --url or --remove-urls, not both.")
        }
        guard !removePicture || character.picture == nil else {
            throw ValidationError("Use --picture or --remove-picture, not both.")
        }
        guard revision.map({ $0 > 0 }) ?? true else { throw ValidationError("--revision must be at least 1.") }
        guard removeUrls || removePicture || character.hasChanges else {
            throw ValidationError("Nothing to change: add an option such as --description.")
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
