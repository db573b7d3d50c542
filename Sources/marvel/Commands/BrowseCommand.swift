internal import ArgumentParser
internal import Browse
internal import Glibc
internal import MarvelClient
internal import ProgramSupport
internal import Terminal
internal import TerminalUI

struct BrowseCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "browse",
        abstract: "Search and save favorites in a terminal UI that updates live.",
        usage: "marvel browse [<options>]",
        discussion: HelpText.discussion(
            examples: [
                "marvel browse",
                "marvel browse --grid --list reading",
            ],
            """
            There are two tabs, Search and Favorites. Tab switches between them, ? shows all keys, q quits. Pictures \
            are Kitty graphics if the terminal supports them, and half blocks otherwise.
            """,
            variables: [
                ("XDG_STATE_HOME", "the folder for recent searches"),
                ("TERM, COLORTERM", "the colors that the terminal supports"),
            ]
        )
    )

    /// A background of the window.
    enum Background: String, ExpressibleByArgument, CaseIterable {
        case auto, dark, light

        var theme: Theme.Background? {
            switch self {
            case .auto: nil
            case .dark: .dark
            case .light: .light
            }
        }
    }

    @Flag(help: "Show no pictures.")
    var noImages = false

    @Flag(help: "Leave clicks and the wheel to the terminal.")
    var noMouse = false

    @Flag(help: "Show a grid of cards instead of a list.")
    var grid = false

    @Option(help: ArgumentHelp("The window's background; auto asks the terminal.", valueName: "which"))
    var background = Background.auto

    @OptionGroup var list: ListOption
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    /// No: a page is fetched when the screen comes near it.
    var readsAhead: Bool { false }

    /// It is short, because the screen must show soon that the server is down.
    var keepaliveInterval: Duration { .seconds(10) }

    func run(in session: Session) async throws -> ExitStatus {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1, session.environment["TERM"] != "dumb" else {
            session.warn(error: "marvel browse needs a terminal. `marvel search` and `marvel toggle` work without one.")
            return .usage
        }
        let end = try await runOnScreen(session, TerminalReader(descriptor: STDIN_FILENO))
        for name in end.unanswered {
            session.warn("It is unknown whether \(name) was changed: see `marvel favorites`.")
        }
        return end.signal.map { ExitStatus(rawValue: 128 + $0) } ?? .done
    }

    private func runOnScreen(_ session: Session, _ reader: TerminalReader) async throws -> BrowseScreen.End {
        let modes = TerminalModes(hasMouse: !noMouse, title: "marvel browse")
        let terminal = Terminal(output: .standardOutput, modes: modes)
        let model = BrowseModel(size: terminal.size, style: grid ? .grid : .list, showsPictures: !noImages)
        let settings = TerminalDisplay.Settings(
            depth: session.style.isColored ? ColorDepth { session.environment[$0] } : .none,
            background: background.theme,
            showsPictures: !noImages
        )
        let app = BrowseViewModel(model, services: services(session), clock: ContinuousClock())
        return try await BrowseScreen(terminal: terminal, reader: reader, settings: settings, app: app).run()
    }

    private func services(_ session: Session) -> ClientServices {
        ClientServices(
            client: session.client,
            servers: session.servers,
            list: list.list,
            timeout: session.singleCallTimeout,
            recentSearches: RecentSearchesFile(session.environment)
        )
    }
}
