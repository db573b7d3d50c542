import ChildProcesses
import Foundation
import Synchronization
import Testing

/// Servers that are started with sockets that a service manager opened, and replaced over them.
@Suite(.timeLimit(.minutes(10)))
struct RestartTests {
    /// Starts a server as a service manager does. The shell knows the process id that the server will have.
    private func serve(
        _ sockets: [ListeningSocket],
        names: String,
        _ arguments: [String],
        environment: [String: String] = [:]
    ) throws -> RunningProgram {
        let program = RunningProgram.path("marvel-server")
        let variables = ["LISTEN_FDS": "\(sockets.count)", "LISTEN_FDNAMES": names]
        return try RunningProgram(
            "/bin/sh",
            ["-c", "LISTEN_PID=$$ exec \"$0\" \"$@\"", program] + arguments,
            environment: variables.merging(environment) { _, given in given },
            inherited: sockets.map(\.descriptor)
        )
    }

    /// Callers that make each call over a new connection, and try nothing twice, unless the server tells them to.
    private final class Callers: Sendable {
        private struct State {
            var answered = 0
            var failures: [String] = []
            var isOver = false
            var running = 0
        }

        private let state = Mutex(State())

        var answered: Int { state.withLock(\.answered) }
        var failures: [String] { state.withLock(\.failures) }

        /// Begins to call.
        ///
        /// - Parameters:
        ///   - wire: The name of the wire, for messages.
        ///   - call: Makes a call; returns nil if it was answered, or else what happened.
        func begin(_ wire: String, _ call: @escaping @Sendable () throws -> String?) {
            state.withLock { $0.running += 1 }
            Thread.detachNewThread { [self] in
                while !state.withLock(\.isOver) {
                    let failure: String?
                    do {
                        failure = try call()
                    } catch {
                        failure = "\(error)"
                    }
                    // Such a server tells the caller to send the call again.
                    if failure?.contains("DRAINING") == true { continue }
                    state.withLock { state in
                        if let failure { state.failures.append("\(wire): \(failure)") } else { state.answered += 1 }
                    }
                }
                state.withLock { $0.running -= 1 }
            }
        }

        /// Waits until this many more calls are answered, or one has failed.
        func waitForAnswers(_ count: Int) async throws {
            let wanted = answered + count
            while answered < wanted, failures.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        }

        func end() async throws {
            state.withLock { $0.isOver = true }
            while state.withLock(\.running) > 0 { try await Task.sleep(for: .milliseconds(5)) }
        }
    }

    /// A request for a character, in a frame of ttrpc. (PROTOCOL.md)
    private static let frame: [UInt8] = {
        let texts = ["marvel.v1.MarvelService", "GetCharacter"].map { Array($0.utf8) }
        let id: [UInt8] = [0x08, 0xCA, 0xCC, 0x3D]
        let request = [0x0A, UInt8(texts[0].count)] + texts[0] + [0x12, UInt8(texts[1].count)] + texts[1]
        let data = request + [0x1A, UInt8(id.count)] + id
        return [0, 0, 0, UInt8(data.count), 0, 0, 0, 1, 1, 0] + data
    }()

    /// The same request over HTTP.
    private static let post = Array(
        """
        POST /marvel.v1.MarvelService/GetCharacter HTTP/1.1\r
        Host: localhost\r
        Content-Type: application/json\r
        Content-Length: 16\r
        \r
        {"id":"1009610"}
        """.utf8
    )

    @Test func noConnectionIsRefusedWhileServersAreReplacedUnderLoad() async throws {
        let folder = try TemporaryFolder()
        let sockets = [try ListeningSocket(), try ListeningSocket(), try ListeningSocket()]
        let arguments = ["--store", folder.path("favorites.sqlite"), "--set", "limits.drain-timeout=5s"]
        var server = try serve(sockets, names: "framed:http:operations", arguments)
        #expect(try await server.listeningAddress("framed") == "127.0.0.1:\(sockets[0].port)")
        let callers = Callers()
        for _ in 0..<3 {
            callers.begin("framed") { [port = sockets[0].port] in
                let connection = try RawConnection(port: port)
                try connection.send(Self.frame)
                let answer = try connection.receive()
                // The header of a Response, and the payload's field in it: a status would be field 1.
                return answer.count > 10 && answer[8] == 2 && answer[10] == 0x12
                    ? nil : String(decoding: answer, as: UTF8.self)
            }
            callers.begin("HTTP") { [port = sockets[1].port] in
                let connection = try RawConnection(port: port)
                try connection.send(Self.post)
                let answer = String(decoding: try connection.receive(), as: UTF8.self)
                return answer.hasPrefix("HTTP/1.1 200 ") ? nil : answer
            }
            callers.begin("operations") { [port = sockets[2].port] in
                let connection = try RawConnection(port: port)
                try connection.send(Array("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
                let answer = String(decoding: try connection.receive(), as: UTF8.self)
                return answer.hasPrefix("HTTP/1.1 200 ") ? nil : answer.isEmpty ? "closed" : answer
            }
        }
        try await callers.waitForAnswers(100)
        for _ in 0..<3 {
            #expect(await server.stop() == 0)
            server = try serve(sockets, names: "framed:http:operations", arguments)
            try await callers.waitForAnswers(100)
        }
        try await callers.end()
        #expect(callers.failures == [])
        #expect(callers.answered >= 400)
        #expect(await server.stop() == 0)
    }

    /// A socket is the address of its port: the default one is not opened beside it.
    @Test func anAddressIsServedBesideASocket() async throws {
        let folder = try TemporaryFolder()
        let socket = try ListeningSocket()
        let path = "unix:\(folder.path("grpc.sock"))"
        let arguments = ["--http", path, "--operations", "off", "--store", folder.path("s")]
        let server = try serve([socket], names: "framed", arguments)
        #expect(try await server.listeningAddress("http") == path)
        #expect(await server.stop() == 0)
        let listening = try server.logLines().filter { $0.message == "listening" }
        #expect(listening.map { $0.members["address"] as? String } == ["127.0.0.1:\(socket.port)", path])
    }

    @Test func aPortThatIsOffHasNoSocket() async throws {
        let folder = try TemporaryFolder()
        let arguments = ["--framed", "off", "--http", "127.0.0.1:0", "--store", folder.path("s")]
        let server = try serve([try ListeningSocket()], names: "framed", arguments)
        #expect(await server.waitForEnd() == 78)
        #expect(server.errorText.contains("framed.address is off, but the service manager opened a socket"))
    }

    @Test(arguments: [
        (true, "grpc", "must be one of framed, http, operations"),
        (false, "framed", "is not a listening TCP or unix socket"),
    ]) func anUnexpectedSocketEndsTheStart(_ isStream: Bool, _ name: String, _ reason: String) async throws {
        let folder = try TemporaryFolder()
        let server = try serve([try ListeningSocket(isStream: isStream)], names: name, ["--store", folder.path("s")])
        #expect(await server.waitForEnd() == 78)
        #expect(server.errorText.contains(reason), "\(server.errorText)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("s")))
    }
}
