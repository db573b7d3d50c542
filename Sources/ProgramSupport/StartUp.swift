package import ArgumentParser
@preconcurrency internal import Glibc
package import Logging
internal import MarvelDomain
internal import RPCCore

package enum StartUp {
    package static let version = "0.1.0"

    package static let logThreshold = LogThreshold(.info)

    /// Swift reads the arguments from proc(5). Without /proc, as in a bare chroot, it returns none.
    package static func prepare(_ program: String) {
        // Otherwise the next file would get the number of a closed standard stream, and what is printed.
        var descriptor: CInt
        repeat { descriptor = open("/dev/null", O_RDONLY) } while (STDIN_FILENO...STDERR_FILENO).contains(descriptor)
        if descriptor >= 0 { close(descriptor) }
        // Every program has at least its own name.
        guard CommandLine.arguments.isEmpty else { return }
        end("\(program): the arguments cannot be read, because /proc is not mounted: mount it and start again.", 1)
    }

    /// An error of the command ends the program with its description, and the status of a `StartupError`, or 1. A
    /// command that `serves` does not start if a process limit is too low.
    package static func main<Root: AsyncParsableCommand>(
        _ root: Root.Type,
        serves: @Sendable (any ParsableCommand) -> Bool = { _ in false }
    ) async {
        let program = Root.configuration.commandName ?? "this program"
        prepare(program)
        let words = Array(CommandLine.arguments.dropFirst())
        do {
            try refusePasswords(in: words)
            var command = try Root.parseAsRoot(words)
            if serves(command) { try ProcessLimits.check() }
            if var waiting = command as? any AsyncParsableCommand {
                try await waiting.run()
            } else {
                try command.run()
            }
            // `print` reports no error.
            guard fflush(stdout) == 0, ferror(stdout) == 0 else {
                end("\(program): standard output cannot be written", ExitCode.failure.rawValue)
            }
        } catch let error as StartupError {
            end("\(program): \(error)", error.exitStatus)
        } catch let error where !(error is ExitCode) && Root.exitCode(for: error) == .failure {
            // An error of the command's work: its description is for the operator.
            end("\(error)", ExitCode.failure.rawValue)
        } catch {
            Root.exit(withError: error)
        }
    }

    /// A parser's message about the word would repeat the password of `scheme://user:password@host`.
    package static func refusePasswords(in words: [String]) throws {
        guard words.contains(where: URLUserInfo.holdsPassword) else { return }
        throw ValidationError("A URL must not contain a password: use the environment or a file.")
    }

    private static func end(_ text: String, _ status: Int32) -> Never {
        // Not through the log, which needs a thread: there may be none.
        _ = Array("\(text)\n".utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
        Glibc.exit(status)
    }

    /// A `StartupError` is logged in one line. `reloads` tells whether `serve` handles SIGHUP; otherwise SIGHUP is
    /// logged and ignored. `serve` returns when the server has stopped.
    package static func run(
        _ program: String,
        logLevel: LogLevel,
        logFormat: LogFormat = .json,
        reloads: Bool = false,
        serve: (Logger) async throws -> Void
    ) async throws {
        // A server outlives the reader of its log.
        signal(SIGPIPE, SIG_IGN)
        logThreshold.level = logLevel.level
        let logger = Logger(label: program) { label in
            LineLogHandler(logFormat, label: label, threshold: logThreshold, metadataProvider: .trace)
        }
        // Supervisors send SIGHUP to ask for a reload, and terminals send it when they close.
        let hangUps = SignalHandler(reloads ? [] : [SIGHUP]) { _ in
            logger.notice("SIGHUP is ignored: restart the program to change its settings")
        }
        defer { withExtendedLifetime(hangUps) {} }
        do {
            try await serve(logger)
        } catch let error as StartupError {
            logger.critical("cannot start", metadata: ["reason": "\(error)"])
            throw ExitCode(error.exitStatus)
        }
    }
}

extension Logger.MetadataProvider {
    fileprivate static var trace: Logger.MetadataProvider {
        Logger.MetadataProvider { TraceParent.current.map { ["trace": "\($0.traceID)"] } ?? [:] }
    }
}
