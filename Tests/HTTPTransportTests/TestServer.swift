import Framing
import Logging
import RPCCore
import RPCTransport
import Testing

@testable import HTTPTransport

/// A server of `TestMethods` on ports of its own.
enum TestServer {
    /// Starts a server, and stops it when `body` has returned. Nothing may be left of its connections then.
    static func serve(
        _ methods: TestMethods = TestMethods(),
        _ configuration: ServerConfiguration = ServerConfiguration(),
        wires: [Endpoint.Wire] = [.http],
        _ body: (RPCServer) async throws -> Void
    ) async throws {
        let server = try await RPCServer.start(
            on: wires.map { Endpoint(.tcp(host: "127.0.0.1", port: 0), wire: $0) },
            services: [methods.service],
            configuration: configuration,
            logger: Logger(label: "test")
        )
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(server))
        } catch {
            result = .failure(error)
        }
        server.stop()
        await server.run()
        #expect(server.connectionCount == 0)
        #expect(server.unsentByteCount == 0)
        #expect(server.inboundByteCount == 0)
        #expect(server.runningTimerCount == 0)
        while server.runningTaskCount > 0 { await Task.yield() }
        try result.get()
    }
}
