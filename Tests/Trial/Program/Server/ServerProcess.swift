import Foundation
import Glibc
import MarvelClient

/// marvel-server or marvel-gateway, which listens. It is killed, at the latest, when the trial ends.
final class ServerProcess: Sendable {
    private let process: Process
    private let cleaner: Cleaner
    /// Its ports on this machine by endpoint.
    private let ports: [String: Int]
    let log: String

    /// Starts it, and waits until it listens.
    ///
    /// - Parameters:
    ///   - command: The program's path, or its name, and its arguments.
    ///   - environment: Variables beside those of this program.
    ///   - listeners: The number of its endpoints.
    ///   - log: The file for all that it writes.
    ///   - cleaner: Ends it with the trial.
    /// - Throws: If it does not start; `ServerRefused` if it ends by itself.
    init(
        _ command: [String],
        environment: [String: String] = [:],
        listeners: Int,
        log: String,
        cleaner: Cleaner
    ) async throws {
        let process = try Process.start(command, environment: environment, log: log)
        cleaner.started(process.processIdentifier)
        (self.process, self.cleaner, self.log) = (process, cleaner, log)
        var listening: [Substring] = []
        try await wait(for: "\(command[0]) to listen", atMost: .seconds(120)) {
            let text = try String(contentsOfFile: log, encoding: .utf8)
            listening = text.split(separator: "\n").filter {
                $0.hasPrefix(#"{"message":"listening""#) && $0.hasSuffix("}")
            }
            return listening.count == listeners || !process.isRunning
        }
        guard listening.count == listeners else {
            cleaner.ended(process.processIdentifier)
            throw ServerRefused(
                status: process.terminationStatus,
                words: try String(contentsOfFile: log, encoding: .utf8)
            )
        }
        let ports = listening.compactMap { line in
            line.firstMatch(of: /"endpoint":"(\w+)","address":"127\.0\.0\.1:(\d+)"/).map {
                (String($0.1), Int($0.2) ?? 0)
            }
        }
        self.ports = Dictionary(ports) { first, _ in first }
    }

    /// The program's own, because `env` becomes the program.
    var processID: pid_t { process.processIdentifier }
    /// The port of its main endpoint.
    var port: Int { ports["framed"] ?? ports["gateway"] ?? 0 }
    /// The port for HTTP; nil if it has none.
    var httpPort: Int? { ports["http"] }
    var statusPage: String { "http://127.0.0.1:\(ports["operations"] ?? 0)" }
    var address: ServerAddress { .tcp(host: "127.0.0.1", port: port) }
    var isRunning: Bool { process.isRunning }
    var lastWords: String { lastLines(of: log) }

    func send(_ signal: Int32) { kill(processID, signal) }

    /// Sends a signal that ends it, unless it has ended, and waits until it is gone.
    func end(with signal: Int32) async throws {
        if isRunning { send(signal) }
        try await wait(for: "the end of process \(processID)") { !isRunning }
        cleaner.ended(processID)
    }

    /// Stops it.
    ///
    /// - Throws: `RunError` if its exit status is not 0.
    func stop() async throws {
        try await end(with: SIGTERM)
        let status = process.terminationStatus
        guard status == 0 else { throw RunError("the server ended with status \(status): \(lastWords)") }
    }
}

extension Process {
    fileprivate static func start(_ command: [String], environment: [String: String], log: String) throws -> Process {
        try Data().write(to: URL(fileURLWithPath: log))
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: log))
        // The process has its own. One left open for each start would use up the descriptors of a long run.
        defer { try? handle.close() }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // A child would ignore the signals that this program ignores, to clean up first.
        process.arguments = ["--default-signal=INT,TERM"] + command
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
        return process
    }
}

/// The end of a server that was to listen.
struct ServerRefused: Error, CustomStringConvertible {
    let status: Int32
    let words: String

    var description: String { "the server ended with status \(status) instead of listening: \(words)" }
}
