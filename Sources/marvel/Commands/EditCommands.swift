internal import ArgumentParser
internal import MarvelClient
internal import MarvelDomain
internal import ProgramSupport
internal import TerminalUI
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

    static let changesSeenWith: String? = "marvel search"

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
        try session.print("Created", result, CreateCharacterResponse.self)
        return .done
    }
}

struct CharacterOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The name, 1 to 200 letters.", valueName: "text"))
    var name: String?

    @Option(help: ArgumentHelp("One paragraph, at most 5000 letters.", valueName: "text"))
    var description: String?

    @Option(help: ArgumentHelp("The number of comics with the character.", valueName: "n"))
    var comics: Int32?

    @Option(help: ArgumentHelp("The number of series with the character.", valueName: "n"))
    var series: Int32?

    @Option(help: ArgumentHelp("The number of stories with the character.", valueName: "n"))
    var stories: Int32?

    @Option(help: ArgumentHelp("The number of events with the character.", valueName: "n"))
    var events: Int32?

    @Option(
        help: ArgumentHelp(
            "A page about the character: wiki=https://... Repeat it for more pages; together they replace the current ones.",
            valueName: "type=url"
        ),
        transform: CharacterOptions.page
    )
    var url: [CharacterURL] = []

    @Option(
        help: ArgumentHelp("A picture of at most 1 MiB: PNG, JPEG or GIF. `-` is standard input.", valueName: "file"),
        completion: .file()
    )
    var picture: String?

    private static func page(_ text: String) throws -> CharacterURL {
        guard let equals = text.firstIndex(of: "=") else {
            throw ValidationError("A page has the form type=url: wiki=https://example.org/page.")
        }
        return CharacterURL(type: String(text[..<equals]), url: String(text[text.index(after: equals)...]))
    }
}

extension CharacterOptions {
    var hasChanges: Bool {
        let counts = [comics, series, stories, events]
        return name != nil || description != nil || picture != nil || !url.isEmpty
            || counts.contains { $0 != nil }
    }
}

extension CharacterChanges {
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

    static let changesSeenWith: String? = "marvel show"

    @Argument(help: "The character's id, as `marvel search` prints it.")
    var id: CharacterID

    @OptionGroup(title: "The character") var character: CharacterOptions

    @Flag(help: "Remove all links of the character.")
    var removeUrls = false

    @Flag(help: "Remove the picture; show the one of the catalog's source again.")
    var removePicture = false

    @Option(
        help: ArgumentHelp(
            "Fail unless the last edit has this revision, as `marvel show` prints it; 0 is no edit. (default: overwrite)",
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
        guard revision.map({ $0 >= 0 }) ?? true else { throw ValidationError("--revision must be at least 0.") }
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
        try session.print("Edited", result, UpdateCharacterResponse.self)
        return .done
    }
}

extension Session {
    fileprivate func print(_ verb: String, _ result: CharacterEditResult, _ response: (some WireMessage).Type) throws {
        let name = style.apply(.heading, to: result.character.name.printable)
        let line = "\(verb) \(name) (id \(result.character.id)). Its edit revision is \(result.editRevision)."
        try print(outcome: [line], Footer(attribution: result.attribution), response)
    }
}
