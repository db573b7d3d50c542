internal import ArgumentParser
internal import Glibc
internal import ProgramSupport
internal import Terminal

@main
struct Marvel: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "marvel",
        abstract: "Search Marvel characters and keep lists of favorites, on a marvel-rpc server.",
        usage: "marvel [<options>] <subcommand>",
        discussion: HelpText.overview(
            examples: [
                "marvel search spider      # characters whose names begin with it",
                "marvel toggle 1009610     # saves a character, or removes it",
                "marvel favorites",
                "marvel browse             # all of this in a terminal UI",
                "marvel search --help",
            ],
            """
            Options may come before or after the subcommand. On a pipe, results are tab-separated rows, and the \
            attribution of the data goes to standard error.
            """
        ),
        version: StartUp.version,
        subcommands: [
            SearchCommand.self, SuggestCommand.self, ShowCommand.self, ThumbnailCommand.self, ToggleCommand.self,
            FavoritesCommand.self, WatchCommand.self, ListsCommand.self, DeleteListCommand.self, BrowseCommand.self,
            CreateCommand.self, EditCommand.self, HealthCommand.self, LoadCommand.self,
        ]
    )

    // The parser passes these values on to each subcommand with a group of the same type. It reads the whole command
    // line for that group. So these options may be on either side of the subcommand.
    @OptionGroup(title: "Global options") var global: GlobalOptions

    private static func leaveAtOnce(_ status: Int32) {
        Terminal.abandon()
        _exit(status)
    }

    static func main() async {
        StartUp.requireArguments(of: "marvel")
        // Then a reader that closes the pipe (`marvel search x | head -1`) causes a failed write instead of a signal.
        signal(SIGPIPE, SIG_IGN)
        let program = Program.live
        let arguments = Array(CommandLine.arguments.dropFirst())
        let run = Task { await program.run(arguments) }
        let interrupts = Interrupts(onFirst: { run.cancel() }, onSecond: { Marvel.leaveAtOnce($0) })
        let status = await run.value
        Glibc.exit(interrupts.status ?? status.rawValue)
    }
}
