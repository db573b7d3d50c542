internal import ArgumentParser
internal import MarvelClient
internal import MarvelDomain
internal import TerminalUI
internal import WireMessages

struct SuggestCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "suggest",
        abstract: "Complete a name that is being typed, best first.",
        usage: "marvel suggest <query> [<options>]",
        discussion: HelpText.discussion(
            examples: [
                "marvel suggest spi --limit 5"
            ],
            """
            First come names that begin with the query, then names with a word that begins with it, those with the most \
            comics first. If there are few, similar names follow.
            """
        )
    )

    @Argument(help: "What was typed so far: 1 letter or more; case and accents do not matter.")
    var query: [String]

    @Option(help: ArgumentHelp("Names at most, 1 to 50. (default: 10)", valueName: "n"))
    var limit: Int?

    @OptionGroup(title: "Global options") var global: GlobalOptions

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
        case (_, 0): "No name is like that."
        case (0, _): nil
        case (1, let count) where count > 1: "The last name does not complete that. Did you mean it?"
        case (similarCount, let count) where count > similarCount:
            "The last \(similarCount) names do not complete that. Did you mean one of them?"
        default: "No name completes that. Did you mean:"
        }
    }
}
