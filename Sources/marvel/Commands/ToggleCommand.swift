internal import ArgumentParser
internal import MarvelClient
internal import MarvelDomain
internal import WireMessages

struct ToggleCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "toggle",
        abstract: "Save a character to a list, or remove it if it is there.",
        usage: "marvel toggle <id> [--save | --remove] [<options>]",
        discussion: HelpText.discussion(
            examples: [
                "marvel toggle 1009664",
                "marvel toggle 1009664 --save --list reading",
            ],
            """
            Saving to a full list evicts its oldest favorite, and the output names it.
            """
        )
    )

    static let changesData = true

    /// The state to set, instead of reversing the current state.
    enum Action: String, EnumerableFlag {
        case save
        case remove

        static func help(for value: Action) -> ArgumentHelp? {
            switch value {
            case .save: "Save it; no change if it is already in the list. Safe to repeat."
            case .remove: "Remove it; no change if it is not in the list. Safe to repeat."
            }
        }
    }

    @Argument(help: "The character's id, as `marvel search` prints it.")
    var id: CharacterID

    @Flag var action: Action?

    @OptionGroup var list: ListOption
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func run(in session: Session) async throws -> ExitStatus {
        let result = try await session.client.toggleFavorite(
            id.number,
            desired: desired,
            list: list.list,
            timeout: session.singleCallTimeout
        )
        if session.isJSON {
            try session.printJSON(ToggleFavoriteResponse.self)
            return .done
        }
        let report = ToggleReport(
            id: id.number,
            details: await lookUp(in: session),
            action: action,
            list: list.list,
            result: result,
            style: session.style
        )
        try session.print(outcome: report.lines, report.footer, ToggleFavoriteResponse.self)
        return .done
    }

    private var desired: DesiredFavorite {
        switch action {
        case .save: .saved
        case .remove: .removed
        case nil: .toggle
        }
    }

    /// The toggle is done, so a failure here must not fail the command.
    private func lookUp(in session: Session) async -> CharacterDetails? {
        try? await session.client.character(id: id.number, list: list.list, timeout: .seconds(2))
    }
}
