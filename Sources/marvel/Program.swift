internal import ArgumentParser
internal import Glibc
internal import MarvelClient
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
            Options may come before or after the subcommand. On a pipe, searches and lists are \
            tab-separated rows, and the attribution of the data goes to standard error.
            """
        ),
        version: StartUp.version,
        subcommands: [
            SearchCommand.self, SuggestCommand.self, ShowCommand.self, ThumbnailCommand.self, ToggleCommand.self,
            FavoritesCommand.self, WatchCommand.self, ListsCommand.self, DeleteListCommand.self, BrowseCommand.self,
            CreateCommand.self, EditCommand.self, HealthCommand.self, LoadCommand.self,
        ]
    )

    // The parser passes these values on to each subcommand, so the options may be on either side of it.
    @OptionGroup(title: "Global options") var global: GlobalOptions

    private static func leaveAtOnce(_ status: Int32) {
        Terminal.abandon()
        _exit(status)
    }

    static func main() async {
        StartUp.prepare("marvel")
        // Then a reader that closes the pipe (`marvel search x | head -1`) causes a failed write instead of a signal.
        signal(SIGPIPE, SIG_IGN)
        let program = Program.live
        let arguments = Array(CommandLine.arguments.dropFirst())
        let run = Task { await program.run(arguments) }
        let interrupts = Interrupts(onFirst: { run.cancel() }, onSecond: { Marvel.leaveAtOnce($0) })
        let status = await run.value
        // A terminal that reads nothing is still in raw mode.
        Terminal.abandon()
        Glibc.exit(interrupts.status ?? status.rawValue)
    }
}

struct Program: Sendable {
    var environment: Environment
    var output: any TextOutput
    var errors: any TextOutput
    var input: any TextInput = StandardInput()
    var connect:
        @Sendable (
            _ servers: [ServerEndpoint],
            _ tls: MarvelClient.TLS,
            _ token: String?,
            _ command: any ClientCommand
        ) -> MarvelClient

    static var live: Program {
        Program(
            environment: .process,
            output: FileOutput.standardOutput,
            errors: FileOutput.standardError,
            connect: { servers, tls, token, command in
                MarvelClient(
                    servers: servers,
                    token: token,
                    sendsTokenInClear: Environment.process.sendsTokenInClear,
                    tls: tls,
                    retries: command.retries,
                    readsAhead: command.readsAhead,
                    keepaliveInterval: command.keepaliveInterval
                )
            }
        )
    }

    /// `arguments` lacks the program's name.
    func run(_ arguments: [String]) async -> ExitStatus {
        do {
            try StartUp.refusePasswords(in: arguments)
            let command = try Marvel.parseAsRoot(arguments)
            guard let command = command as? any ClientCommand else { return try runWithoutServer(command) }
            return try await run(command)
        } catch {
            return tell(ofParsing: error)
        }
    }

    // This throws only usage errors, including those in the environment.
    private func run(_ command: any ClientCommand) async throws -> ExitStatus {
        let servers = try command.global.servers(environment)
        let tls = try command.global.tls.read()
        let token = try environment.token()
        let session = Session(
            program: self,
            client: connect(servers, tls, token, command),
            servers: servers,
            token: token,
            tls: tls,
            options: command.global
        )
        let status = await MarvelClient.$traceparent.withValue(environment["TRACEPARENT"]) {
            await MarvelClient.$lastResponse.withValue(LastResponse()) { await run(command, in: session) }
        }
        await session.client.shutdown()
        return status
    }

    private func run(_ command: any ClientCommand, in session: Session) async -> ExitStatus {
        do {
            return try await command.run(in: session)
        } catch let error as RPCError {
            session.report(error, changesSeenWith: type(of: command).changesSeenWith)
            return command.status(for: error)
        } catch OutputError.readerGone {
            return .done
        } catch {
            session.warn(error: "\(error)")
            return .failed
        }
    }

    /// The parser makes the help, and ends by throwing.
    private func runWithoutServer(_ command: any ParsableCommand) throws -> ExitStatus {
        var command = command
        try command.run()
        return .done
    }

    /// Help, version and completion scripts are errors too, but are printed to the output.
    private func tell(ofParsing error: any Error) -> ExitStatus {
        let status = ExitStatus(rawValue: Marvel.exitCode(for: error).rawValue)
        let text = Marvel.fullMessage(for: error) + "\n"
        try? (status == .done ? output : errors).write(text)
        return status
    }
}
