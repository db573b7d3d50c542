import Foundation
import Logging
import NIOCore
import RPCClient
import RPCCore
import RPCServer
import Testing
import WireClients

/// A server of the test service on a free port, stopped when the test's closure ends.
struct TestServer {
    /// A kind of address, and of wire.
    enum Transport: CaseIterable, Sendable {
        case tcp
        case unix
        /// gRPC over TCP.
        case grpc

        /// One address with each wire.
        static let wires = [Transport.tcp, .grpc]

        var wire: TestWire { self == .grpc ? .grpc : .framed }
    }

    /// The callers of connections.
    struct Callers: Sendable {
        let caller: CallerOfAddress

        static let byAddress = Callers { CallerAccounts.Caller($0) }
        /// Every connection is one caller's.
        static let one = Callers { _ in .address(.ipv4(1)) }
    }

    let service: TestService
    let server: RPCServer
    let transport: Transport

    var address: ServerAddress { server.addresses[0] }

    /// Runs a server with a client.
    static func serve(
        over transport: Transport = .tcp,
        callers: Callers = .byAddress,
        _ configure: (inout ServerConfiguration) -> Void = { _ in },
        _ body: (TestServer, WireClient) async throws -> Void
    ) async throws {
        try await run(over: transport, callers: callers, configure) { server in
            try await server.withClient { try await body(server, $0) }
        }
    }

    /// Runs a server to which a peer is connected.
    static func run(
        over transport: Transport = .tcp,
        callers: Callers = .byAddress,
        _ configure: (inout ServerConfiguration) -> Void = { _ in },
        _ body: (TestServer, RawPeer) async throws -> Void
    ) async throws {
        try await run(over: transport, callers: callers, configure) { server in
            try await body(server, try await RawPeer.connect(to: server.address))
        }
    }

    static func run(
        over transport: Transport = .tcp,
        callers: Callers = .byAddress,
        log: RecordedCalls? = nil,
        _ configure: (inout ServerConfiguration) -> Void = { _ in },
        _ body: (TestServer) async throws -> Void
    ) async throws {
        var configuration = ServerConfiguration.patient
        configuration.drainTimeout = .seconds(30)
        // Of plain peers that a test leaves connected.
        configuration.drainQuietTime = .milliseconds(20)
        configure(&configuration)
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).sock").path
        let service = TestService()
        let server = try await RPCServer.start(
            on: [
                ListeningEndpoint(
                    transport == .unix ? .unix(path: path) : .tcp(host: "127.0.0.1", port: 0),
                    wire: transport == .grpc ? .http : .framed
                )
            ],
            services: [service.service],
            configuration: configuration,
            caller: callers.caller,
            accessLog: log,
            logger: Logger(label: "test")
        )
        try await running {
            try await body(TestServer(service: service, server: server, transport: transport))
        } finally: {
            service.waitMayEnd.set()
            server.stop()
            await server.run()
            // After every test: only tasks may end a little later than their connections.
            #expect(server.connectionCount == 0)
            #expect(server.unsentByteCount == 0)
            #expect(server.runningTimerCount == 0)
            #expect(server.inboundByteCount == 0)
            try await eventually { server.runningTaskCount == 0 }
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    /// Makes our own client, of addresses where the framed wire is spoken.
    func client(of addresses: [ServerAddress], options: RPCClientOptions = RPCClientOptions()) -> RPCClient {
        RPCClient(addresses: addresses, options: options)
    }

    /// Runs a client of this server and closes it afterwards.
    func withClient(
        options: RPCClientOptions = RPCClientOptions(),
        _ body: (WireClient) async throws -> Void
    ) async throws {
        let client = WireClient(transport.wire, at: address, options: options)
        try await running {
            try await body(client)
        } finally: {
            await client.shutdown()
        }
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
    /// Answers a call of `Echo`: with the request, if all is well.
    func echo(_ request: ByteBuffer) async throws -> ByteBuffer {
        try await unary(TestService.path("Echo"), request)
    }

    func echo(_ text: String) async throws -> String {
        String(buffer: try await echo(ByteBuffer(string: text)))
    }
}

extension WireClient {
    func echo(_ request: ByteBuffer) async throws -> ByteBuffer {
        try await unary(TestService.path("Echo"), request)
    }

    func echo(_ text: String) async throws -> String {
        String(buffer: try await echo(ByteBuffer(string: text)))
    }
}
