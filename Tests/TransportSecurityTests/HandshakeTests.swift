import ChildProcesses
import Foundation
import NIOCore
import NIOPosix
import RPCClient
import RPCCore
import RPCServer
import TestCertificates
import Testing
import TransportSecurity
import WireClients

/// Peers that do not complete a handshake, or want what is not given, and the protocols that are agreed on.
@Suite(.enabled(if: TestCertificates.canBeMade), .timeLimit(.minutes(10)))
struct HandshakeTests {
    typealias Port = SecureServer.Port

    /// The beginning of a handshake of 512 bytes.
    private static let halfHello: [UInt8] = [0x16, 3, 1, 2, 0, 1, 0, 1, 0xFC, 3, 3, 1, 2, 3, 4, 5]

    /// Sends bytes over a bare socket, and waits for the server to close it.
    ///
    /// - Returns: What the server has sent.
    private func send(_ bytes: [UInt8], to port: Int) async throws -> [UInt8] {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            // The server may have closed it already.
            if !bytes.isEmpty { try? await outbound.write(ByteBuffer(bytes: bytes)) }
            var received: [UInt8] = []
            do { for try await part in inbound { received += part.readableBytesView } } catch is IOError {}
            return received
        }
    }

    @Test(arguments: Port.allCases)
    func aHandshakeThatDoesNotEndIsEnded(_ port: Port) async throws {
        try await SecureServer.run {
            $0.frameTimeout = .milliseconds(300)
        } _: { server, certificates in
            for bytes in [[], Array(Self.halfHello.prefix(3)), Self.halfHello] {
                #expect(try await send(bytes, to: server.port(port)).isEmpty)
            }
            try await eventually { server.server.count(of: .frameTimeout) == 3 }
            let tls = try ClientTLS(.init(authorities: certificates.authority()))
            #expect(await RPCClient.echo(server.endpoint(), tls) == nil)
        }
    }

    /// The time for the first request includes the handshake.
    @Test(arguments: Port.allCases)
    func aPeerThatSaysNothingAfterItsHandshakeIsClosed(_ port: Port) async throws {
        try await SecureServer.run {
            $0.frameTimeout = .seconds(2)
        } _: { server, certificates in
            let peer = try await TLSPeer.connect(to: server.port(port), certificates)
            try await eventually { peer.hasGoodbye }
            #expect(server.server.count(of: .frameTimeout) == 1)
            await peer.close()
        }
    }

    @Test(
        arguments: Port.allCases,
        [[0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0], Array("GET / HTTP/1.1\r\n\r\n".utf8), Array(repeating: 0x80, count: 20)]
    )
    func clearTextIsRefusedAndCounted(_ port: Port, _ bytes: [UInt8]) async throws {
        try await SecureServer.run { server, _ in
            let answer = try await send(bytes, to: server.port(port))
            // Nothing, or an alert of TLS.
            #expect(answer.isEmpty || answer.first == 0x15)
            try await eventually { server.server.count(of: .handshakeFailed) == 1 }
        }
    }

    // MARK: openssl

    private func sClient(
        _ port: Int,
        _ certificates: TestCertificates,
        _ arguments: [String],
        input: String? = "Q\n"
    ) async throws -> (status: Int32, output: String) {
        let run = try await ChildProcess.run(
            TestCertificates.openssl,
            ["s_client", "-connect", "127.0.0.1:\(port)", "-CAfile", certificates.authority()] + arguments,
            input: input
        )
        return (run.status, run.output + run.errors)
    }

    @Test func theProtocolsOfEachPortAreAgreedOn() async throws {
        try await SecureServer.run { server, certificates in
            let wanted: [(Port, [String], String)] = [
                (.framed, ["-alpn", "marvel-rpc/1"], "ALPN protocol: marvel-rpc/1"),
                (.framed, ["-alpn", "h2"], "No ALPN negotiated"), (.framed, [], "No ALPN negotiated"),
                (.http, ["-alpn", "h2,http/1.1"], "ALPN protocol: h2"),
                (.http, ["-alpn", "http/1.1,h2"], "ALPN protocol: h2"),
                (.http, ["-alpn", "http/1.1"], "ALPN protocol: http/1.1"), (.http, [], "No ALPN negotiated"),
            ]
            for (port, arguments, text) in wanted {
                let run = try await sClient(server.port(port), certificates, arguments)
                #expect(run.output.contains(text), "\(arguments): \(run.output)")
                #expect(run.output.contains("Verify return code: 0 (ok)"))
            }
        }
    }

    @Test(
        arguments: [
            ("-tls1", false), ("-tls1_1", false), ("-tls1_2", true), ("-tls1_3", true),
        ]
    )
    func versionsFrom12OnAreSpoken(_ version: String, _ isSpoken: Bool) async throws {
        try await SecureServer.run { server, certificates in
            let arguments = [version, "-cipher", "DEFAULT@SECLEVEL=0"]
            let run = try await sClient(server.port(.framed), certificates, arguments)
            #expect(run.output.contains("Cipher is (NONE)") != isSpoken, "\(run.output)")
            try await eventually { server.server.count(of: .handshakeFailed) == (isSpoken ? 0 : 1) }
        }
    }

    /// The others would let whoever changes bytes on their way learn from the answers.
    @Test(arguments: Port.allCases)
    func onlyCiphersThatAuthenticateAreSpoken(_ port: Port) async throws {
        try await SecureServer.run { server, certificates in
            let suites = [
                ("ECDHE-ECDSA-AES128-GCM-SHA256", true), ("ECDHE-ECDSA-AES256-GCM-SHA384", true),
                ("ECDHE-ECDSA-CHACHA20-POLY1305", true), ("ECDHE-ECDSA-AES128-SHA", false),
                ("ECDHE-ECDSA-AES256-SHA", false), ("ECDHE-ECDSA-AES128-SHA256", false),
                ("ECDHE-ECDSA-AES256-SHA384", false),
            ]
            for (suite, isSpoken) in suites {
                let run = try await sClient(server.port(port), certificates, ["-tls1_2", "-cipher", suite])
                #expect(run.output.contains("Cipher is \(isSpoken ? suite : "(NONE)")"), "\(suite): \(run.output)")
            }
        }
    }

    /// A session that is resumed does not verify the certificate of its client again.
    @Test(arguments: [ServerTLSFiles.ClientAuthentication.optional, .required])
    func noSessionOfAClientWithACertificateIsResumed(
        _ authentication: ServerTLSFiles.ClientAuthentication
    ) async throws {
        let certificates = try await TestCertificates()
        var files = ServerTLSFiles(try await certificates.issue())
        (files.clientAuthentication, files.clientAuthorities) = (authentication, certificates.authority())
        let pair = try await certificates.issue("client", for: "URI:marvel://principal/ops")
        try await SecureServer.run(files) { server in
            let run = try await sClient(
                server.port(.framed),
                certificates,
                ["-tls1_2", "-reconnect", "-cert", pair.certificate, "-key", pair.key]
            )
            #expect(run.output.contains("New, TLSv1.2"), "\(run.output)")
            #expect(!run.output.contains("Reused"), "\(run.output)")
        }
    }

    /// s_client asks for another handshake when it reads an R.
    @Test(arguments: Port.allCases)
    func renegotiationEndsTheConnection(_ port: Port) async throws {
        try await SecureServer.run { server, certificates in
            let run = try await sClient(server.port(port), certificates, ["-tls1_2"], input: "R\n")
            #expect(run.output.contains("RENEGOTIATING"))
            #expect(run.status != 0, "\(run.output)")
            try await eventually { server.server.connectionCount == 0 }
            let tls = try ClientTLS(.init(authorities: certificates.authority()))
            #expect(await RPCClient.echo(server.endpoint(), tls) == nil)
        }
    }

    /// Data before the end of a handshake needs a session that is resumed, and that permits it: such a request could be
    /// sent again by anybody.
    @Test(arguments: Port.allCases)
    func noSessionIsOfferedForEarlyData(_ port: Port) async throws {
        try await SecureServer.run { server, certificates in
            let session = certificates.path("session")
            let connect = "s_client -connect 127.0.0.1:\(server.port(port)) -tls1_3 -sess_out \(session)"
            // Tickets would follow the handshake.
            let run = try await ChildProcess.run(
                "/bin/sh",
                ["-c", "(sleep 0.3; echo Q) | \(TestCertificates.openssl) \(connect)"]
            )
            #expect((run.output + run.errors).contains("Early data was not sent"), "\(run)")
            #expect(!FileManager.default.fileExists(atPath: session))
        }
    }

    // MARK: Agreement and wire

    @Test(arguments: [("http/1.1", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), ("h2", "GET / HTTP/1.1\r\n\r\n")])
    func aVersionThatWasNotAgreedOnIsRefused(_ agreed: String, _ bytes: String) async throws {
        try await SecureServer.run { server, certificates in
            let peer = try await TLSPeer.connect(to: server.port(.http), certificates, protocols: [agreed])
            try await peer.send(bytes)
            try await eventually { peer.hasGoodbye }
            #expect(server.server.count(of: .protocolError) == 1)
            #expect(peer.receivedByteCount == 0)
            await peer.close()
        }
    }

    /// Requests are answered after their client has closed its side, whether it said goodbye or not.
    @Test(arguments: [true, false])
    func aHalfClosedPeerGetsItsAnswers(_ saysGoodbye: Bool) async throws {
        try await SecureServer.run { server, certificates in
            let peer = try await TLSPeer.connect(to: server.port(.framed), certificates)
            try await peer.call("Sized", 300_000)
            try await peer.closeOutput(saysGoodbye: saysGoodbye)
            try await eventually { peer.receivedByteCount > 300_000 }
            try await eventually { peer.hasGoodbye }
            try await eventually { server.server.connectionCount == 0 }
            #expect(server.server.count(of: .handshakeFailed) == 0)
            await peer.close()
        }
    }
}
