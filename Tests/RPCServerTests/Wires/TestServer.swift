import HTTPFraming
import Logging
import NIOCore
import RPCCore
import Synchronization
import Testing
import WireClients

@testable import RPCServer

/// The callers of connections.
struct Callers: Sendable {
    let caller: CallerOfAddress

    static let byAddress = Callers { CallerAccounts.Caller($0) }
    /// Every connection is one caller's.
    static let one = Callers { _ in .address(.ipv4(1)) }
}

/// Servers on free ports.
enum TestServer {
    /// Starts a server, and stops it when `body` has ended. Nothing of its connections may be left then.
    static func run(
        _ methods: TestMethods = TestMethods(),
        _ configuration: ServerConfiguration = .patient,
        services: [RPCService]? = nil,
        wires: [ServerWire] = [.http],
        at address: ServerAddress = .tcp(host: "127.0.0.1", port: 0),
        access: AccessControl = AccessControl(),
        callers: Callers = .byAddress,
        accessLog: (any AccessLog)? = nil,
        logger: Logger = Logger(label: "test"),
        _ body: (RPCServer) async throws -> Void
    ) async throws {
        let server = try await RPCServer.start(
            on: wires.map { ListeningEndpoint(address, wire: $0) },
            services: services ?? [methods.service, TestPictures.service],
            configuration: configuration,
            access: access,
            caller: callers.caller,
            accessLog: accessLog,
            logger: logger
        )
        try await running {
            try await body(server)
        } finally: {
            methods.stubbornMayEnd()
            methods.holdsMayEnd()
            server.stop()
            await server.run()
            #expect(server.connectionCount == 0)
            #expect(server.unsentByteCount == 0)
            #expect(server.inboundByteCount == 0)
            #expect(server.runningTimerCount == 0)
            try await eventually { server.runningTaskCount == 0 }
        }
    }

    /// Starts a server, and lets `body` do what it wants while a good client makes one call after the other on a connection
    /// of its own. All of them have to succeed, and there has to be one after the end of `body`.
    static func runBesideAGoodClient(
        _ methods: TestMethods = TestMethods(),
        _ configure: (inout ServerConfiguration) -> Void = { _ in },
        _ body: (RPCServer) async throws -> Void
    ) async throws {
        try await run(methods, .with(configure)) { server in
            let isOver = Atomic(false)
            async let calls = goodCalls(on: server) { isOver.load(ordering: .relaxed) }
            let result: Result<Void, any Error>
            do { result = .success(try await body(server)) } catch { result = .failure(error) }
            isOver.store(true, ordering: .relaxed)
            let failures = try await calls
            #expect(failures == 0, "the good client is not affected")
            try result.get()
        }
    }

    /// Makes calls until there is nothing more to wait for, and one more.
    ///
    /// - Returns: The number of those that failed.
    private static func goodCalls(on server: RPCServer, until isOver: @Sendable () -> Bool) async throws -> Int {
        var failures = 0
        try await HTTP2Peer.connected(to: server) { peer in
            var isLast = false
            while !isLast {
                isLast = isOver()
                let answer = try await peer.call("Echo", [1, 2, 3])
                if answer.status != .ok || answer.data.readableBytes != 8 { failures += 1 }
            }
        }
        return failures
    }
}

extension ServerConfiguration {
    /// Returns the usual configuration with a change.
    static func with(_ change: (inout ServerConfiguration) -> Void) -> ServerConfiguration {
        var configuration = ServerConfiguration.patient
        change(&configuration)
        return configuration
    }
}
