import Foundation
import Logging
import NIOCore
import RPCCore
import Synchronization
import TestCertificates
import Testing
import TransportSecurity

@testable import RPCTransport

/// The name that a client's certificate proves.
@Suite(.enabled(if: TestCertificates.canBeMade), .timeLimit(.minutes(1)))
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
