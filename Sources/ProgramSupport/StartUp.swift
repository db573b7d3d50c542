internal import ArgumentParser
package import Logging
internal import RPCCore

/// How a server program begins: with a log of JSON lines, where it also says in one line why it cannot.
package enum StartUp {
    /// - Parameters:
    ///   - program: Its name, which each line of the log bears.
    ///   - logLevel: What to log.
    ///   - serve: Starts the server, and returns when it has stopped.
    /// - Throws: What `serve` throws; after a `StartupError` the exit status, as it has been told.
    package static func run(
        _ program: String,
        logLevel: LogLevel,
        serve: (Logger) async throws -> Void
    ) async throws {
        let logger = Logger(label: program) { label in JSONLogHandler(label: label, logLevel: logLevel.level) }
        do {
            try await serve(logger)
        } catch let error as StartupError {
            logger.critical("cannot start", metadata: ["reason": "\(error)"])
            throw ExitCode.failure
        }
    }
}
