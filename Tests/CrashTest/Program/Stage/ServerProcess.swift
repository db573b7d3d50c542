import Foundation
import Glibc
import LongRuns
import MarvelClient

/// marvel-server, running on the stage's store.
final class ServerProcess {
    private let child: SupervisedProcess
    private let cleaner: Cleaner
    private let log: String
    /// The server's own, also if another program runs it.
    let processID: pid_t
    /// Over TCP, on a port of its own.
    let address: ServerAddress

    /// Starts it, and waits until it listens.
    ///
    /// - Parameters:
    ///   - command: What to run.
    ///   - environment: What it finds in its environment beside this program's own.
    ///   - log: Where its log goes.
    ///   - isRun: Whether the command is another program that runs the server.
    ///   - cleaner: Ends it with the run.
    /// - Throws: If it does not start; `ServerRefused` if it ends by itself.
    init(
        _ command: [String],
        environment: [String: String],
        log: String,
        isRun: Bool,
        cleaner: Cleaner
    ) async throws {
        self.cleaner = cleaner
        self.log = log
        let child = try SupervisedProcess(command, environment: environment, output: log, cleaner: cleaner)
        self.child = child
        var address: ServerAddress?
        try await wait(for: "marvel-server to listen", atMost: .seconds(60)) {
            address = try Self.address(in: String(contentsOfFile: log, encoding: .utf8))
            return address != nil || !child.isRunning
        }
        guard let address else {
            cleaner.ended(child.processID)
            throw ServerRefused(status: child.status, words: try String(contentsOfFile: log, encoding: .utf8))
        }
        self.address = address
        guard let processID = isRun ? child.grandchild : child.processID else {
            throw RunError("\(command[0]) runs no server")
        }
        self.processID = processID
        cleaner.started(processID)
    }

    /// With SIGKILL, and waits until it is gone.
    func kill() async throws {
        send(SIGKILL)
        try await child.waitForEnd()
        cleaner.ended(processID)
    }

    /// With SIGTERM, after which it closes its store.
    func stop() async throws {
        if isRunning { send(SIGTERM) }
        try await child.waitForEnd()
        cleaner.ended(processID)
    }

    func send(_ signal: Int32) { Glibc.kill(processID, signal) }

    var isRunning: Bool { child.isRunning }

    /// The last lines of its log.
    var lastWords: String {
        let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").suffix(10).joined(separator: "\n")
    }

    /// Both addresses are logged; that over TCP is wanted. Whole lines only.
    private static func address(in log: String) -> ServerAddress? {
        guard let end = log.lastIndex(of: "\n"), log[..<end].contains(#""address":"unix:"#),
            let address = log[..<end].range(of: #""address":"127.0.0.1:"#)
        else { return nil }
        return ServerAddress("127.0.0.1:" + log[address.upperBound...].prefix(while: \.isNumber))
    }
}

/// marvel-server ended instead of listening.
struct ServerRefused: Error, CustomStringConvertible {
    let status: Int32
    let words: String

    var description: String { "marvel-server ended with status \(status) instead of listening: \(words)" }
}
