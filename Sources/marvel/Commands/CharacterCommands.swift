internal import ArgumentParser
internal import MarvelClient
internal import MarvelDomain
internal import NIOCore
internal import ProgramSupport
internal import Terminal
internal import TerminalUI
internal import WireMessages

struct ShowCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show one character.",
        usage: "marvel show <id> [<options>]",
        discussion: HelpText.discussion(
            examples: ["marvel show 1009664"],
            "On a pipe, a row has a name and a value."
        )
    )

    @Argument(help: "The character's id, as `marvel search` prints it.")
    var id: CharacterID

    @OptionGroup var list: ListOption
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func run(in session: Session) async throws -> ExitStatus {
        let details = try await session.client.character(
            id: id.number,
            list: list.list,
            timeout: session.singleCallTimeout
        )
        let footer = Footer(attribution: details.attribution, freshness: details.freshness)
        try session.print(
            page: page(details, session),
            rows: Facts(facts(details, withTexts: true)).rows,
            footer,
            GetCharacterResponse.self
        )
        return .done
    }

    // MARK: The character

    private func page(_ details: CharacterDetails, _ session: Session) -> [String] {
        let (name, text) = (details.character.name.printable, details.character.description.printable)
        let title =
            details.isFavorite
            ? session.style.apply(.favorite, to: "\(Sign.favorite) \(name)") + " (favorite)"
            : session.style.apply(.heading, to: name)
        let description = text.isEmpty ? [] : [""] + text.wrapped(toWidth: session.lineWidth)
        return [title] + description + [""] + Facts(facts(details), style: session.style).lines
    }

    private func facts(_ details: CharacterDetails, withTexts: Bool = false) -> [(name: String, value: String)] {
        let character = details.character
        var facts: [(name: String, value: String)] = [("id", String(character.id))]
        if withTexts {
            facts += [
                ("name", character.name.printable), ("description", character.description.printable),
                ("favorite", details.isFavorite ? "yes" : "no"),
            ]
        }
        facts += [
            ("comics", character.text(of: character.comicCount)),
            ("series", character.otherText(of: character.seriesCount)),
            ("stories", character.otherText(of: character.storyCount)),
            ("events", character.otherText(of: character.eventCount)),
        ]
        if let modified = character.modified { facts.append(("modified", modified.readable)) }
        if details.editRevision > 0 { facts.append(("edited", "revision \(details.editRevision)")) }
        return facts + character.urls.map { ($0.type.printable, $0.url.printable) }
    }
}

extension MarvelCharacter {
    func text(of count: Int32) -> String {
        let isUnknown = [comicCount, seriesCount, storyCount, eventCount].allSatisfy { $0 == 0 }
        return isUnknown ? "unknown" : String(count)
    }

    /// A comic is part of a series: if all of these are 0, the source has only comics (the built-in catalog).
    fileprivate func otherText(of count: Int32) -> String {
        let isUnknown = [seriesCount, storyCount, eventCount].allSatisfy { $0 == 0 }
        return isUnknown ? "unknown" : String(count)
    }
}

struct ThumbnailCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "thumbnail",
        abstract: "Save the picture of a character to a file.",
        usage: "marvel thumbnail <id> --output <file> [<options>]",
        discussion: HelpText.discussion(
            examples: [
                "marvel thumbnail 1009664 --variant standard_large --output thor.png",
                "marvel thumbnail 1009664 --output - > thor.png",
            ],
            """
            The variants are those of the Marvel API: standard_small, standard_medium, standard_large (140x140), standard_xlarge, \
            standard_fantastic, standard_amazing; portrait_ and landscape_ ones; detail.
            """
        )
    )

    @Argument(help: "The character's id, as `marvel search` prints it.")
    var id: CharacterID

    @Option(help: ArgumentHelp("The file to write; `-` is standard output.", valueName: "file"))
    var output: String

    @Option(
        help: ArgumentHelp("The size of the picture. (default: the full picture)", valueName: "variant"),
        transform: ThumbnailCommand.imageVariant
    )
    var variant = ImageVariant.full

    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    private var isStandardOutput: Bool { output == "-" }

    func validate() throws {
        guard !output.isEmpty else { throw ValidationError("--output must be a file name, or -.") }
        if isStandardOutput, global.json {
            throw ValidationError("Use --output - or --json, not both: both write to standard output.")
        }
    }

    func run(in session: Session) async throws -> ExitStatus {
        if isStandardOutput, session.output.isTerminal {
            throw CommandError(
                "a picture cannot be printed on a terminal: name a file with --output, or use a pipe"
            )
        }
        let picture = try await session.client.thumbnail(
            of: id.number,
            variant: variant,
            timeout: session.singleCallTimeout
        )
        guard !isStandardOutput else {
            try session.output.write(picture.bytes)
            return .done
        }
        do throws(ResultFile.Failure) {
            try ResultFile.write(picture.bytes, to: output)
        } catch {
            throw CommandError("cannot write \(output): \(error.reason)")
        }
        guard session.isJSON, var response = MarvelClient.lastResponse?.message(GetThumbnailResponse.self) else {
            let footer = Footer(attribution: picture.attribution, freshness: picture.freshness)
            try session.print(outcome: lines(on: picture), footer, GetThumbnailResponse.self)
            return .done
        }
        // The picture is in the file.
        response.data = ByteBuffer()
        try session.print(json: response)
        return .done
    }

    private func lines(on picture: CharacterPicture) -> [String] {
        var lines = ["Saved \(output.printable): \(picture.mediaType.printable), \(picture.bytes.count) bytes."]
        if picture.variant != variant {
            let name = picture.variant.map { $0 == .full ? "the full picture" : $0.rawValue } ?? "another size"
            lines.append("This is \(name): the requested variant was not available.")
        }
        if picture.isPlaceholder {
            lines.append("The source has no picture of this character; this is its placeholder.")
        }
        return lines
    }

    private static func imageVariant(_ word: String) throws -> ImageVariant {
        guard let variant = ImageVariant(rawValue: word), variant != .full else {
            let words = ImageVariant.allCases.map(\.rawValue).filter { !$0.isEmpty }.joined(separator: ", ")
            throw ValidationError("Unknown variant. The variants are \(words).")
        }
        return variant
    }
}
