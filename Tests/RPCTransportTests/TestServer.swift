import Foundation
import Logging
import NIOCore
import RPCCore
import RPCTransport
import Testing

/// A server of the test service on a free port, stopped when the test's closure ends.
struct TestServer {
    enum Transport: CaseIterable, Sendable {
        case tcp
        case unix
    }

    let service: TestService
    let server: RPCServer

    var address: ServerAddress { server.addresses[0] }

    static func run(
        over transport: Transport = .tcp,
        _ configure: (inout ServerConfiguration) -> Void = { _ in },
        _ body: (TestServer) async throws -> Void
    ) async throws {
        var configuration = ServerConfiguration()
        configuration.drainTimeout = .seconds(30)
        // Of plain peers that a test leaves connected.
        configuration.drainQuietTime = .milliseconds(20)
        configure(&configuration)
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).sock").path
        let service = TestService()
        let server = try await RPCServer.start(
            on: [Endpoint(transport == .tcp ? .tcp(host: "127.0.0.1", port: 0) : .unix(path: path))],
            services: [service.service],
            configuration: configuration,
            logger: Logger(label: "test")
        )
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(TestServer(service: service, server: server)))
        } catch {
            result = .failure(error)
        }
        service.waitMayEnd.set()
        service.stubbornMayEnd.set()
        server.stop()
        await server.run()
        // After every test: only tasks may end a little later than their connections.
        #expect(server.connectionCount == 0)
        #expect(server.unsentByteCount == 0)
        #expect(server.runningTimerCount == 0)
        #expect(server.inboundByteCount == 0)
        try await eventually { server.runningTaskCount == 0 }
        try? FileManager.default.removeItem(atPath: path)
        try result.get()
    }

    /// Runs a client of this server and closes it afterwards.
    func withClient(
        options: RPCClientOptions = RPCClientOptions(),
        _ body: (RPCClient) async throws -> Void
    ) async throws {
        let client = RPCClient(addresses: [address], options: options)
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(client))
        } catch {
            result = .failure(error)
        }
        await client.shutdown()
        try result.get()
    }
}

extension TestServer {
    /// A good client's call, on a connection of its own.
    func echoOnce() async throws -> String {
        var answer = ""
        try await withClient { answer = try await $0.echo("x") }
        return answer
    }
}

extension RPCClient {
    /// What `Echo` answers: the request, if all is well.
    func echo(_ request: ByteBuffer) async throws -> ByteBuffer {
        try await unary(TestService.path("Echo"), request)
    }

    func echo(_ text: String) async throws -> String {
        String(buffer: try await echo(ByteBuffer(string: text)))
    }
}
