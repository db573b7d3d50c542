internal import ArgumentParser
internal import Glibc
internal import ProgramSupport
internal import TerminalDevice

/// The root command and the start of the program.
@main
struct Marvel: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "marvel",
        abstract: "Search Marvel characters and keep lists of favorites, on a marvel-rpc server.",
        usage: "marvel [<options>] <subcommand>",
        discussion: """
            The options below may stand before or after the subcommand.

            Exit status: 0 done, 1 anything else, 64 wrong usage, 64 + status code of a call that failed \
            (68 DEADLINE_EXCEEDED, 69 NOT_FOUND, 78 UNAVAILABLE), 130 after Ctrl-C.
            """,
        version: StartUp.version,
        subcommands: [
            SearchCommand.self, SuggestCommand.self, ShowCommand.self, ThumbnailCommand.self, ToggleCommand.self,
            FavoritesCommand.self, WatchCommand.self, ListsCommand.self, DeleteListCommand.self, BrowseCommand.self,
            CreateCommand.self, EditCommand.self, HealthCommand.self, LoadCommand.self,
        ]
    )

    // The parser passes these values on to each subcommand that has a group of the same type, and reads the whole
    // command line for that group. Therefore these options may stand on either side of the subcommand.
    @OptionGroup(title: "Global options") var global: GlobalOptions

    private static func leaveAtOnce(_ status: Int32) {
        Terminal.abandon()
        _exit(status)
    }

    static func main() async {
        StartUp.requireArguments(of: "marvel")
        // A reader that closes the pipe (`marvel search x | head -1`) then causes a failed write instead of a signal.
        signal(SIGPIPE, SIG_IGN)
        let program = Program.live
        let arguments = Array(CommandLine.arguments.dropFirst())
        let run = Task { await program.run(arguments) }
        let interrupts = Interrupts(onFirst: { run.cancel() }, onSecond: { Marvel.leaveAtOnce($0) })
        let status = await run.value
        Glibc.exit(interrupts.status ?? status.rawValue)
    }
}
