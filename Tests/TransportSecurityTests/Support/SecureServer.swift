import Foundation
import Logging
import NIOCore
import RPCClient
import RPCCore
import RPCServer
import TestCertificates
import Testing
import TransportSecurity
import WireClients

/// A server whose ports speak TLS, with a service for tests.
struct SecureServer {
    enum Port: Sendable, CaseIterable {
        case framed
        case http
    }

    let server: RPCServer
    let tls: ServerTLS

    /// Starts a server, and stops it when `body` has ended. Nothing of its connections may be left then.
    ///
    /// - Parameters:
    ///   - files: The server's certificate.
    ///   - now: The server's clock for certificates.
    ///   - configure: Changes the limits.
    ///   - body: The test.
    /// - Throws: The error of the test, or of the start.
    static func run(
        _ files: ServerTLSFiles,
        now: @escaping @Sendable () -> Int = { time(nil) },
        _ configure: (inout ServerConfiguration) -> Void = { _ in },
        _ body: (SecureServer) async throws -> Void
    ) async throws {
        var configuration = ServerConfiguration.patient
        configuration.drainQuietTime = .milliseconds(20)
        configuration.lingerTimeout = .milliseconds(500)
        configure(&configuration)
        let logger = Logger(label: "test")
        let tls = try ServerTLS(files, logger: logger, now: now)
        let anyPort = ServerAddress.tcp(host: "127.0.0.1", port: 0)
        let server = try await RPCServer.start(
            on: [
                ListeningEndpoint(anyPort, security: tls.security(for: .framed)),
                ListeningEndpoint(anyPort, wire: .http, security: tls.security(for: .http)),
            ],
            services: [Self.service],
            configuration: configuration,
            logger: logger
        )
        try await running {
            try await body(SecureServer(server: server, tls: tls))
        } finally: {
            server.stop()
            await server.run()
            #expect(server.connectionCount == 0)
            #expect(server.unsentByteCount == 0)
            #expect(server.inboundByteCount == 0)
            #expect(server.runningTimerCount == 0)
        }
    }

    /// Makes certificates, and runs a server with a good one.
    static func run(
        _ configure: (inout ServerConfiguration) -> Void = { _ in },
        _ body: (SecureServer, TestCertificates) async throws -> Void
    ) async throws {
        let certificates = try await TestCertificates()
        try await run(ServerTLSFiles(try await certificates.issue()), configure) { try await body($0, certificates) }
    }

    func port(_ port: Port) -> Int {
        guard case .tcp(_, let number) = server.addresses[port == .framed ? 0 : 1] else { return 0 }
        return number
    }

    /// The server as our client names it.
    func endpoint(host: String = "localhost", isSecure: Bool = true) -> ServerEndpoint {
        ServerEndpoint(.tcp(host: host, port: port(.framed)), isSecure: isSecure)
    }

    private static var service: RPCService {
        RPCService(
            name: "test.v1.Test",
            methods: [
                RPCMethod(name: "Echo", kind: .unary, maximumRequestBytes: 200_000) { .last($0.payload) },
                // Answers with as many bytes as the first four bytes say.
                RPCMethod(name: "Sized", kind: .unary) { call in
                    let size = call.payload.getInteger(at: call.payload.readerIndex, as: UInt32.self) ?? 0
                    return .last(ByteBuffer(repeating: 7, count: Int(size)))
                },
                // A stream of as many messages of 10,000 bytes as the first four bytes say.
                RPCMethod(name: "Blocks", kind: .serverStreaming) { call in
                    let count = call.payload.getInteger(at: call.payload.readerIndex, as: UInt32.self) ?? 0
                    return count == 0 ? .end : .source(Blocks(left: Int(count)))
                },
            ]
        )
    }

    static func path(_ method: String) -> MethodPath { MethodPath(service: "test.v1.Test", method: method) }
}

private final class Blocks: MessageSource {
    private let left: Int

    init(left: Int) { self.left = left }

    var place: [String: String] { [:] }

    func next() throws(RPCError) -> Step {
        let message = ByteBuffer(repeating: 7, count: 10_000)
        return .encoded(message, then: left > 1 ? Blocks(left: left - 1) : nil)
    }
}

extension ServerTLSFiles {
    init(_ pair: TestCertificates.Pair) { self.init(certificate: pair.certificate, key: pair.key) }
}

extension RPCClient {
    /// Makes a call on a client of its own.
    ///
    /// - Returns: The error of the call; nil if it had the right answer.
    static func echo(
        _ server: ServerEndpoint,
        _ tls: ClientTLS,
        retries: Bool = true
    ) async -> RPCError? {
        var options = RPCClientOptions()
        options.software = "test"
        options.connectTimeout = .seconds(60)
        if !retries { options.retries = nil }
        let client = RPCClient(servers: [server], security: tls.security, options: options)
        var failure: RPCError?
        do throws(RPCError) {
            let answer = try await client.unary(
                SecureServer.path("Echo"),
                ByteBuffer(string: "hello"),
                timeout: .seconds(60),
                isRepeatable: true
            )
            #expect(String(buffer: answer) == "hello")
        } catch {
            failure = error
        }
        await client.shutdown()
        return failure
    }
}

extension RPCError {
    /// The cause in the details of the error.
    var cause: String? { info?.metadata["cause"] }
}
