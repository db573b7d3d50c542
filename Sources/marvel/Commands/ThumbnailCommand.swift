internal import ArgumentParser
internal import MarvelClient
internal import MarvelDomain
internal import NIOCore
internal import Terminal
internal import TerminalUI
internal import WireMessages

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
