package import ArgumentParser
internal import Glibc
package import Logging
internal import RPCCore

/// The first steps of every program: arguments, log, and one line with the reason if the program cannot start.
package enum StartUp {
    /// The version of the programs of this package.
    package static let version = "0.1.0"

    /// Ends the program if its arguments cannot be read, because it would do something else than requested.
    ///
    /// Swift reads the arguments from proc(5). Without /proc, as in a bare chroot, it returns none.
    ///
    /// - Parameter program: The program's name.
    package static func requireArguments(of program: String) {
        // Every program has at least its own name.
        guard CommandLine.arguments.isEmpty else { return }
        end("\(program): the arguments cannot be read, because /proc is not mounted: mount it and start again.", 1)
    }

    /// Runs a program: parses its arguments, and runs the command that they name.
    package static func main<Root: AsyncParsableCommand>(_ root: Root.Type) async {
        requireArguments(of: Root.configuration.commandName ?? "this program")
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            var command = try parse(root, arguments)
            if var waiting = command as? any AsyncParsableCommand {
                try await waiting.run()
            } else {
                try command.run()
            }
        } catch {
            Root.exit(withError: error)
        }
    }

    private static func parse<Root: ParsableCommand>(
        _ root: Root.Type,
        _ arguments: [String]
    ) throws -> any ParsableCommand {
        do {
            return try Root.parseAsRoot(arguments)
        } catch {
            guard Root.exitCode(for: error) == .validationFailure,
                let unknown = UnknownSubcommand(in: arguments, of: root)
            else { throw error }
            throw ValidationError("\(unknown)")
        }
    }

    private static func end(_ text: String, _ status: Int32) -> Never {
        StandardError.write(Array("\(text)\n".utf8))
        Glibc.exit(status)
    }

    /// Runs a server with a log of JSON lines. A `StartupError` is reported in one line.
    ///
    /// - Parameters:
    ///   - program: The program's name, which is in each line of the log.
    ///   - logLevel: The minimum level of logged events.
    ///   - serve: Starts the server, and returns when it has stopped.
    /// - Throws: Errors of `serve`; for a `StartupError`, which is logged here, the exit status.
    package static func run(
        _ program: String,
        logLevel: LogLevel,
        serve: (Logger) async throws -> Void
    ) async throws {
        let logger = Logger(label: program) { label in JSONLogHandler(label: label, logLevel: logLevel.level) }
        // Supervisors send SIGHUP to ask for a reload, and terminals send it when they close. Nothing can be reloaded yet.
        let hangUps = SignalHandler([SIGHUP]) { _ in
            logger.notice("SIGHUP is ignored: nothing is reloaded, restart the program to change its settings")
        }
        defer { withExtendedLifetime(hangUps) {} }
        do {
            try await serve(logger)
        } catch let error as StartupError {
            logger.critical("cannot start", metadata: ["reason": "\(error)"])
            throw ExitCode.failure
        }
    }
}
