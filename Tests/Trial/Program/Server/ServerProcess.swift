import Foundation
import Glibc
import MarvelClient

/// A program that a trial started. It is killed, at the latest, when the trial ends.
final class SupervisedProcess: Sendable {
    private let process = Process()
    private let cleaner: Cleaner

    /// - Parameters:
    ///   - command: The program's path, or its name, and its arguments.
    ///   - environment: Variables beside those of this program.
    ///   - output: The file for all that it writes.
    ///   - cleaner: Ends it with the trial.
    /// - Throws: If it cannot be started.
    init(_ command: [String], environment: [String: String] = [:], output: String, cleaner: Cleaner) throws {
        self.cleaner = cleaner
        try Data().write(to: URL(fileURLWithPath: output))
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
        // The process has its own. One left open for each start would use up the descriptors of a long run.
        defer { try? handle.close() }
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // A child would ignore the signals that this program ignores, to clean up first.
        process.arguments = ["--default-signal=INT,TERM"] + command
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
        cleaner.started(process.processIdentifier)
    }

    /// The program's own, because `env` becomes the program.
    var processID: pid_t { process.processIdentifier }
    var isRunning: Bool { process.isRunning }
    /// 0 if it ended well.
    var status: Int32 { process.terminationStatus }

    func waitForEnd() async throws {
        try await wait(for: "the end of process \(processID)") { !process.isRunning }
        cleaner.ended(processID)
    }
}

/// marvel-server or marvel-gateway, which listens.
final class ServerProcess: Sendable {
    private let child: SupervisedProcess
    /// Its ports on this machine by endpoint.
    private let ports: [String: Int]
    let log: String

    /// Starts it, and waits until it listens.
    ///
    /// - Parameters:
    ///   - command: The program and its arguments.
    ///   - environment: Variables beside those of this program.
    ///   - listeners: The number of its endpoints.
    ///   - log: The file of its log.
    ///   - cleaner: Ends it with the trial.
    /// - Throws: If it does not start; `ServerRefused` if it ends by itself.
    init(
        _ command: [String],
        environment: [String: String] = [:],
        listeners: Int,
        log: String,
        cleaner: Cleaner
    ) async throws {
        self.log = log
        let child = try SupervisedProcess(command, environment: environment, output: log, cleaner: cleaner)
        self.child = child
        var listening: [Substring] = []
        try await wait(for: "\(command[0]) to listen", atMost: .seconds(120)) {
            let text = try String(contentsOfFile: log, encoding: .utf8)
            listening = text.split(separator: "\n").filter {
                $0.hasPrefix(#"{"message":"listening""#) && $0.hasSuffix("}")
            }
            return listening.count == listeners || !child.isRunning
        }
        guard listening.count == listeners else {
            cleaner.ended(child.processID)
            throw ServerRefused(status: child.status, words: try String(contentsOfFile: log, encoding: .utf8))
        }
        let ports = listening.compactMap { line in
            line.firstMatch(of: /"endpoint":"(\w+)","address":"127\.0\.0\.1:(\d+)"/).map {
                (String($0.1), Int($0.2) ?? 0)
            }
        }
        self.ports = Dictionary(ports) { first, _ in first }
    }

    var processID: pid_t { child.processID }
    /// The port of its main endpoint.
    var port: Int { ports["framed"] ?? ports["gateway"] ?? 0 }
    /// The port for HTTP; nil if it has none.
    var httpPort: Int? { ports["http"] }
    var statusPage: String { "http://127.0.0.1:\(ports["operations"] ?? 0)" }
    var address: ServerAddress { .tcp(host: "127.0.0.1", port: port) }
    var isRunning: Bool { child.isRunning }
    var lastWords: String { lastLines(of: log) }

    func send(_ signal: Int32) { kill(processID, signal) }

    /// Sends a signal that ends it, unless it has ended, and waits until it is gone.
    func end(with signal: Int32) async throws {
        if isRunning { send(signal) }
        try await child.waitForEnd()
    }

    /// Stops it.
    ///
    /// - Throws: `RunError` if its exit status is not 0.
    func stop() async throws {
        try await end(with: SIGTERM)
        guard child.status == 0 else { throw RunError("the server ended with status \(child.status): \(lastWords)") }
    }
}

/// The end of a server that was to listen.
struct ServerRefused: Error, CustomStringConvertible {
    let status: Int32
    let words: String

    var description: String { "the server ended with status \(status) instead of listening: \(words)" }
}
