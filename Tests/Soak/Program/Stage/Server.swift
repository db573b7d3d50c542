import CrashTestChecks
import Foundation
import Glibc
import LongRuns
import MarvelClient
import SoakChecks

/// A program of this project that runs and has said where it listens.
final class Server: Sendable {
    private let child: SupervisedProcess
    let log: String
    let address: ServerAddress
    /// The HTTP port; nil if it has none.
    let httpPort: Int?
    let processID: pid_t

    /// Starts it, and waits until it listens.
    ///
    /// - Parameters:
    ///   - command: The program and its arguments.
    ///   - environment: What it finds in its environment beside this program's own.
    ///   - log: The file of its log.
    ///   - cleaner: Ends it with the run.
    /// - Throws: If it ends instead.
    init(_ command: [String], environment: [String: String], log: String, cleaner: Cleaner) async throws {
        let child = try SupervisedProcess(command, environment: environment, output: log, cleaner: cleaner)
        self.child = child
        self.log = log
        processID = child.processID
        // They are announced in this order.
        let count = command.contains("--http") ? 2 : 1
        var ports: [Int] = []
        try await wait(for: "\(command[0]) to listen", atMost: .seconds(120)) {
            ports = Server.ports(in: try String(contentsOfFile: log, encoding: .utf8))
            return ports.count == count || !child.isRunning
        }
        guard ports.count == count else {
            throw RunError("\(command[0]) ended: \(try String(contentsOfFile: log, encoding: .utf8))")
        }
        address = .tcp(host: "127.0.0.1", port: ports[0])
        httpPort = count == 2 ? ports[1] : nil
    }

    var port: Int {
        guard case .tcp(_, let port) = address else { return 0 }
        return port
    }

    /// The server by gRPC, if it has an HTTP port.
    var endpoint: ServerEndpoint {
        guard let httpPort else { return ServerEndpoint(address) }
        return ServerEndpoint(.tcp(host: "127.0.0.1", port: httpPort), wire: .grpc)
    }

    var isRunning: Bool { child.isRunning }

    func send(_ signal: Int32) { child.send(signal) }

    func stop() async throws {
        if isRunning { send(SIGTERM) }
        try await child.waitForEnd()
        guard child.status == 0 else { throw RunError("the server ended with status \(child.status): \(lastWords)") }
    }

    /// Sends a signal that would end a process that neither handles nor ignores it.
    ///
    /// - Returns: Whether it was sent.
    func sendIfHandled(_ signal: Int32) -> Bool {
        let status = (try? String(contentsOfFile: "/proc/\(processID)/status", encoding: .utf8)) ?? ""
        let isHandled = ["SigCgt", "SigIgn"].contains { SignalMask($0, inStatus: status)?.contains(signal) ?? false }
        if isHandled { send(signal) }
        return isHandled
    }

    /// The last lines of its log.
    var lastWords: String {
        let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").suffix(10).joined(separator: "\n")
    }

    private static func ports(in log: String) -> [Int] {
        guard let end = log.lastIndex(of: "\n") else { return [] }
        return log[..<end].ranges(of: #""address":"127.0.0.1:"#)
            .compactMap { Int(log[$0.upperBound...].prefix(while: \.isNumber)) }
    }
}
