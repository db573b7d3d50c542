import MarvelClient
import SoakChecks

/// A server that probes call.
struct ProbedServer: Sendable {
    let address: ServerAddress
    let client: MarvelClient
    let grpcClient: MarvelClient
    let usage: Usage

    /// - Throws: If the server has ended.
    init(_ server: Server) throws {
        address = server.address
        client = MarvelClient(servers: [server.address], retries: false)
        grpcClient = MarvelClient(servers: [server.endpoint], retries: false)
        usage = try Usage(server)
    }

    func shutdown() async {
        await client.shutdown()
        await grpcClient.shutdown()
    }
}

/// A server with the settings of a target, started anew in every tenth and called only to measure. What a call costs it
/// is what the same call of the target would cost at that moment if the target had not run for hours: whatever else the
/// machine does counts for both.
final class Control {
    private let start: (_ number: Int) async throws -> Server
    private var number = 0
    private var tenth: Int?
    private var server: Server
    private(set) var probed: ProbedServer

    /// - Parameter start: Starts a server with a store of its own; the number differs from call to call.
    /// - Throws: If it does not start.
    init(start: @escaping (_ number: Int) async throws -> Server) async throws {
        self.start = start
        server = try await start(0)
        probed = try ProbedServer(server)
    }

    /// Puts a new server in the place of that of another tenth.
    ///
    /// - Parameter tenth: Nil in the warm-up.
    /// - Throws: If the old one does not stop with status 0, or the new one does not start.
    func renew(for tenth: Int?) async throws {
        guard tenth != self.tenth else { return }
        self.tenth = tenth
        try await stop()
        number += 1
        server = try await start(number)
        probed = try ProbedServer(server)
    }

    func stop() async throws {
        await probed.shutdown()
        try await server.stop()
    }
}
