internal import ArgumentParser
internal import MarvelClient
internal import ProgramSupport
internal import Terminal

/// The whole program without the process: it takes arguments, writes text, and returns an exit status.
struct Program: Sendable {
    var environment: Environment
    var output: any TextOutput
    var errors: any TextOutput
    var input: any TextInput = StandardInput()
    /// Makes a client of the servers, with the settings of the command.
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

    /// The arguments do not include the program's name. Returns the exit status of the process.
    func run(_ arguments: [String]) async -> ExitStatus {
        do {
            guard !arguments.contains(where: StartUp.holdsPassword) else { throw StartUp.passwordRefusal }
            let command = try Marvel.parseAsRoot(arguments)
            guard let command = command as? any ClientCommand else { return try runWithoutServer(command) }
            return try await run(command)
        } catch {
            return tell(ofParsing: error, arguments)
        }
    }

    // This throws only usage errors, including those in the environment.
    private func run(_ command: any ClientCommand) async throws -> ExitStatus {
        let servers = try command.global.servers(environment)
        let tls = try command.global.tls.read()
        let token = try environment.token()
        let session = Session(
            self,
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
            let kind = type(of: command)
            session.report(error, mayHaveChanged: kind.changesData, changesSeenWith: kind.changesSeenWith)
            return command.status(for: error)
        } catch OutputError.readerGone {
            return .done
        } catch {
            session.warn(error: "\(error)")
            return .failed
        }
    }

    /// Runs the help, which the parser makes. It ends by throwing.
    private func runWithoutServer(_ command: any ParsableCommand) throws -> ExitStatus {
        var command = command
        try command.run()
        return .done
    }

    /// Prints a parser error. Help, version and completion scripts are errors too, but are printed to the output.
    private func tell(ofParsing error: any Error, _ arguments: [String]) -> ExitStatus {
        let status = ExitStatus(rawValue: Marvel.exitCode(for: error).rawValue)
        if status == .usage,
            let unknown = UnknownSubcommand(
                in: arguments,
                of: Marvel.self,
                optionsWithValue: GlobalOptions.optionsWithValue
            )
        {
            return tell(ofParsing: ValidationError("\(unknown)"), [])
        }
        let text = Marvel.fullMessage(for: error) + "\n"
        try? (status == .done ? output : errors).write(text)
        return status
    }
}
