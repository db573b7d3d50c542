import Logging
import NIOCore
import NIOPosix
import OperationsHTTP
import RPCCore
import ServiceLifecycle
import Testing

/// The operations port, by real requests.
@Suite(.timeLimit(.minutes(1)))
struct OperationsServerTests {
    @Test func aPageIsServedWithHeadersThatProtectIt() async throws {
        try await RunningOperations.run { server in
            let reply = try await server.get("/")
            #expect(reply.hasPrefix("HTTP/1.1 200 OK\r\n"))
            for header in [
                "Content-Type: text/html; charset=utf-8", "Cache-Control: no-store", "X-Content-Type-Options: nosniff",
                "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
            ] {
                #expect(reply.contains(header + "\r\n"), "\(header)")
            }
            #expect(reply.hasSuffix("</html>\n"))
        }
    }

    @Test func metricsHaveTheContentTypeOfPrometheus() async throws {
        try await RunningOperations.run { server in
            let reply = try await server.get("/metrics")
            #expect(reply.contains("Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n"))
            #expect(reply.hasSuffix("# TYPE marvel_connections gauge\nmarvel_connections 2\n"))
        }
    }

    @Test(arguments: [
        ("GET /livez HTTP/1.1\r\nHost: 127.0.0.1", "200"), ("HEAD /livez HTTP/1.1\r\nHost: 127.0.0.1", "200"),
        ("GET /livez HTTP/1.1\r\nHost: localhost:6162", "200"), ("GET /livez HTTP/1.1\r\nHost: [::1]:6162", "200"),
        ("GET /livez HTTP/1.1\r\nHost: example.org", "403"),
        ("GET /livez HTTP/1.1\r\nHost: 127.0.0.1.example.org", "403"),
        ("POST /livez HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0", "405"),
        ("GET /nothing HTTP/1.1\r\nHost: 127.0.0.1", "404"),
        ("GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: \(String(repeating: "x", count: 9_000))", ""),
        ("nonsense", ""),
    ])
    func aRequestHasItsStatus(_ head: String, _ status: String) async throws {
        try await RunningOperations.run { server in
            let reply = try await server.exchange(head)
            if status.isEmpty {
                #expect(!reply.hasPrefix("HTTP/1.1 2"))
            } else {
                #expect(reply.hasPrefix("HTTP/1.1 \(status) "), "\(reply.prefix(80))")
            }
            #expect(try await server.get("/livez").hasSuffix("alive\n"), "the server goes on")
        }
    }

    @Test func anAddressInUseIsAStartupError() async throws {
        try await RunningOperations.run { server in
            let second = OperationsServer(
                SamplePages().pages,
                host: "127.0.0.1",
                port: server.port,
                logger: Logger(label: "test")
            )
            let error = await #expect(throws: StartupError.self) { try await second.run() }
            #expect(error?.code == .addressInUse)
        }
    }
}

/// An operations server with made-up pages on a free port of this machine, for as long as a test uses it.
struct RunningOperations {
    let port: Int

    static func run(_ body: @escaping @Sendable (RunningOperations) async throws -> Void) async throws {
        let (addresses, listening) = AsyncStream.makeStream(of: ServerAddress.self)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let server = OperationsServer(SamplePages().pages, host: "127.0.0.1", port: 0, logger: logger) {
            listening.yield($0)
        }
        let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: [server], logger: logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { listening.finish() }
                try await group.run()
            }
            guard case .tcp(_, let port) = await addresses.first(where: { _ in true }) else { throw NotListening() }
            let result: Result<Void, any Error>
            do {
                result = .success(try await body(RunningOperations(port: port)))
            } catch {
                result = .failure(error)
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            try result.get()
        }
    }

    func get(_ path: String) async throws -> String { try await exchange("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1") }

    /// Sends a request, and reads until the server closes the connection.
    func exchange(_ head: String) async throws -> String {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: head + "\r\nConnection: close\r\n\r\n"))
            var text = ""
            for try await buffer in inbound { text += String(buffer: buffer) }
            return text
        }
    }

    private struct NotListening: Error {}
}
