import Foundation
import Logging
import NIOCore
import NIOSSL
import RPCClient
import RPCCore
import Synchronization
import TestCertificates
import Testing
import TransportSecurity
import WireClients

@testable import RPCServer

/// The name that a client's certificate proves.
@Suite(.enabled(if: TestCertificates.canBeMade), .timeLimit(.minutes(10)))
struct PrincipalTests {
    /// A handler that notes what the handshake has proven, as an event and as a property.
    private final class Probe: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let found: AsyncStream<SecureHandshake>.Continuation

        init(_ found: AsyncStream<SecureHandshake>.Continuation) { self.found = found }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            guard let handshake = event as? SecureHandshake else { return }
            #expect(context.channel.securedChannel?.handshake == handshake)
            found.yield(handshake)
            context.close(promise: nil)
        }
    }

    /// The server's clock stands at the last second of the certificate, until the call has begun.
    @Test func aConnectionEndsWhenTheCertificateOfItsClientExpires() async throws {
        let certificates = try await TestCertificates()
        var files = ServerTLSFiles(try await certificates.issue())
        (files.clientAuthentication, files.clientAuthorities) = (.optional, certificates.authority())
        let pair = try await certificates.issue("client", for: "URI:marvel://principal/ops")
        let end = try #require(NIOSSLCertificate.fromPEMFile(pair.certificate).first).notValidAfter
        let clock = Mutex(time(nil))
        try await SecureServer.run(files, now: { clock.withLock(\.self) }) { server in
            clock.withLock { $0 = Int(end) }
            let tls = try ClientTLS(
                .init(authorities: certificates.authority(), certificate: pair.certificate, key: pair.key)
            )
            var options = RPCClientOptions()
            options.retries = nil
            let client = RPCClient(
                servers: [server.endpoint()],
                security: tls.security,
                options: options
            )
            let stream = client.serverStream(SecureServer.path("Blocks"), ByteBuffer(integer: UInt32.max))
            var count = 0
            var failure: RPCError?
            do throws(RPCError) {
                for try await _ in stream {
                    count += 1
                    clock.withLock { $0 = Int(end) + 1 }
                }
            } catch { failure = error }
            #expect(count >= 1)
            #expect(failure?.code == .unavailable, "\(String(describing: failure))")
            try await eventually { server.server.connectionCount == 0 }
            await client.shutdown()
        }
    }

    @Test(
        arguments: [
            ("URI:marvel://principal/ops", "marvel://principal/ops"),
            ("DNS:a.example,URI:https://a.example/,URI:marvel://principal/a.b-c_1", "marvel://principal/a.b-c_1"),
            ("DNS:a.example", nil), ("URI:marvel://principal/", nil), ("URI:https://principal/ops", nil),
            ("URI:marvel://principal/one,URI:marvel://principal/two", nil), (nil, nil),
        ] as [(String?, String?)]
    )
    func theURIOfACertificateIsThePrincipal(_ names: String?, _ principal: String?) async throws {
        let certificates = try await TestCertificates()
        var files = ServerTLSFiles(try await certificates.issue())
        (files.clientAuthentication, files.clientAuthorities) = (.optional, certificates.authority())
        let (found, continuation) = AsyncStream.makeStream(of: SecureHandshake.self)
        let wire = ServerWire("probe") { channel, _, _ in
            try channel.pipeline.syncOperations.addHandler(Probe(continuation))
        }
        let tls = try ServerTLS(files, logger: Logger(label: "test"))
        let endpoint = ListeningEndpoint(
            .tcp(host: "127.0.0.1", port: 0),
            wire: wire,
            security: tls.security(for: .framed)
        )
        let server = try await RPCServer.start(on: [endpoint], services: [], logger: Logger(label: "test"))
        var own = ClientTLS.Files(authorities: certificates.authority())
        if let names {
            let pair = try await certificates.issue("client", for: names)
            (own.certificate, own.key) = (pair.certificate, pair.key)
        }
        _ = await RPCClient.echo(
            ServerEndpoint(server.addresses[0], isSecure: true),
            try ClientTLS(own),
            retries: false
        )
        var handshakes = found.makeAsyncIterator()
        let handshake = await handshakes.next()
        #expect(handshake?.principal == principal)
        #expect(handshake?.applicationProtocol == "marvel-rpc/1")
        server.stop()
        await server.run()
    }
}
