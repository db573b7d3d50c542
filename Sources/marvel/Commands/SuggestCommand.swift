internal import ArgumentParser
internal import MarvelClient
internal import MarvelDomain
internal import TerminalUI
internal import WireMessages

struct SuggestCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "suggest",
        abstract: "Complete a name as you type it.",
        usage: "marvel suggest <query> [<options>]",
        discussion: HelpText.discussion(
            examples: [
                "marvel suggest spi --limit 5"
            ],
            """
            Names that begin with the query come first, then names with a word that begins with it, those with the most \
            comics first. If few match, similar names follow.
            """
        )
    )

    @Argument(help: "The text to complete: at least 1 letter. Case and accents are ignored.")
    var query: [String]

    @Option(help: ArgumentHelp("The maximum number of names, 1 to 50. (default: 10)", valueName: "n"))
    var limit: Int?

    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func validate() throws {
        if let limit, !(1...50).contains(limit) { throw ValidationError("--limit is \(limit); it must be 1 to 50.") }
    }

    func run(in session: Session) async throws -> ExitStatus {
        let suggestions = try await session.client.suggestNames(
            query.joined(separator: " "),
            limit: limit ?? 0,
            timeout: session.singleCallTimeout
        )
        if let hint = SuggestCommand.hint(on: suggestions) { session.hint(hint) }
        let names = suggestions.names.map(\.printable)
        try session.print(
            page: names,
            rows: names,
            names.isEmpty ? nil : Footer(attribution: suggestions.attribution),
            SuggestNamesResponse.self
        )
        return .done
    }

    /// Standard output has only the names, for scripts, so the hint tells which do not complete the typed text.
    private static func hint(on suggestions: NameSuggestions) -> String? {
        let similarCount = suggestions.suggestions.count { $0.match == .fuzzy }
        return switch (similarCount, suggestions.names.count) {
        case (_, 0): "No name matches."
        case (0, _): nil
        case (1, let count) where count > 1: "The last name is only similar. Did you mean it?"
        case (similarCount, let count) where count > similarCount:
            "The last \(similarCount) names are only similar. Did you mean one of them?"
        default: "No name matches. Did you mean:"
        }
    }
}
