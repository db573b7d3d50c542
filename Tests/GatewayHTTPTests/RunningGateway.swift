import RPCCore
import RPCServer
import WireClients

@testable import GatewayHTTP

/// A gateway on a free port of this machine, for as long as a test uses it.
struct RunningGateway: Sendable {
    let port: Int
    let log: RecordedLog
    private let server: RPCServer

    static func with<Result: Sendable>(
        _ fixture: GatewayFixture = GatewayFixture(),
        _ use: @Sendable (RunningGateway) async throws -> Result
    ) async throws -> Result {
        let log = RecordedLog()
        let server = try await GatewayServer.start(
            fixture.gateway(),
            at: .tcp(host: "127.0.0.1", port: 0),
            logger: log.logger
        )
        defer { server.stop() }
        guard case .tcp(_, let port) = server.addresses.first else { throw NotListening() }
        let result = try await use(RunningGateway(port: port, log: log, server: server))
        server.stop()
        await server.run()
        return result
    }

    func stop() { server.stop() }

    /// Sends bytes, and reads until the gateway closes the connection.
    func exchange(_ request: String) async throws -> RawReply {
        RawReply(all: try await RawSocket.exchange(request, with: server.addresses[0]))
    }

    func firstAnswerIsLogged() async throws {
        while !log.lines.contains(where: { $0.contains("answered") }) { try await Task.sleep(for: .milliseconds(1)) }
    }

    private struct NotListening: Error {}
}

/// An HTTP answer as it came, or several behind each other; the parts are those of the first.
struct RawReply: Sendable {
    let all: String

    private var head: Substring { all.firstRange(of: "\r\n\r\n").map { all[..<$0.lowerBound] } ?? all[...] }
    var body: String { all.firstRange(of: "\r\n\r\n").map { String(all[$0.upperBound...]) } ?? "" }
    var statusLine: String { head.split(separator: "\r\n").first.map(String.init) ?? "" }

    subscript(name: String) -> String? {
        for line in head.split(separator: "\r\n").dropFirst() {
            guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == name else { continue }
            return String(line[colon...].dropFirst().drop { $0 == " " })
        }
        return nil
    }
}
