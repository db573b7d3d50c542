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

/// The errors that our client gets when one side does not accept the other.
@Suite(.enabled(if: TestCertificates.canBeMade), .timeLimit(.minutes(10)))
struct CertificateFailureTests {
    @Test(arguments: ["localhost", "127.0.0.1"])
    func aKnownServerIsCalled(_ host: String) async throws {
        try await SecureServer.run { server, certificates in
            let tls = try ClientTLS(.init(authorities: certificates.authority()))
            #expect(await RPCClient.echo(server.endpoint(host: host), tls) == nil)
            #expect(server.server.count(of: .handshakeFailed) == 0)
        }
    }

    /// The call fails at once with the cause, and is not sent.
    private func expectRefusal(_ error: RPCError?, _ text: String) {
        #expect(error?.code == .unavailable)
        #expect(error?.reason == .serverUnreachable)
        #expect(error?.mayHaveReachedServer == false)
        #expect(error?.cause?.contains(text) == true, "\(error.map { "\($0)" } ?? "no error")")
    }

    @Test func theCauseOfARefusedServerIsNamed() async throws {
        try await SecureServer.run { server, certificates in
            let foreign = try ClientTLS(.init(authorities: certificates.authority(.foreign)))
            expectRefusal(
                await RPCClient.echo(server.endpoint(), foreign),
                "the issuer of the server's certificate is not trusted"
            )
            expectRefusal(
                await RPCClient.echo(server.endpoint(), .system),
                "the issuer of the server's certificate is not trusted"
            )
            try await eventually { server.server.count(of: .handshakeFailed) == 2 }
        }
    }

    @Test func aServerOfAnotherNameIsRefused() async throws {
        let certificates = try await TestCertificates()
        let files = ServerTLSFiles(try await certificates.issue("server", for: "DNS:one.example,DNS:two.example"))
        try await SecureServer.run(files) { server in
            let tls = try ClientTLS(.init(authorities: certificates.authority()))
            let byName = await RPCClient.echo(server.endpoint(), tls)
            expectRefusal(byName, "is not for localhost; it is for one.example, two.example")
            expectRefusal(await RPCClient.echo(server.endpoint(host: "127.0.0.1"), tls), "is not for 127.0.0.1")
        }
    }

    /// A server continues when its certificate ends. This one has another clock than its clients.
    @Test(arguments: [(TestCertificates.Validity.ended, -2), (.begins, 1)])
    func aServerOutOfItsTimeIsRefused(_ time: (validity: TestCertificates.Validity, days: Int)) async throws {
        let certificates = try await TestCertificates()
        let files = ServerTLSFiles(try await certificates.issue("server", time.validity))
        let clock = Foundation.time(nil) + time.days * 86_400 + 3_600
        try await SecureServer.run(files, now: { clock }) { server in
            let tls = try ClientTLS(.init(authorities: certificates.authority()))
            expectRefusal(await RPCClient.echo(server.endpoint(), tls), "the server's certificate is valid from")
        }
    }

    /// Clear text and TLS on one port: each side is told by the other's first bytes.
    @Test func aSideThatSpeaksNoTLSIsNamed() async throws {
        try await SecureServer.run { server, certificates in
            let clear = server.endpoint(isSecure: false)
            expectRefusal(await RPCClient.echo(clear, .system), "the server uses TLS: write its address as tls://")
            try await eventually { server.server.count(of: .handshakeFailed) == 1 }
            try await eventually { server.server.connectionCount == 0 }
        }
        let clear = try await RPCServer.start(
            on: [ListeningEndpoint(.tcp(host: "127.0.0.1", port: 0))],
            services: [],
            logger: .init(label: "test")
        )
        let error = await RPCClient.echo(ServerEndpoint(clear.addresses[0], isSecure: true), .system, retries: false)
        #expect(error?.code == .unavailable)
        #expect(error?.cause?.contains("not use TLS") == true)
        #expect(clear.count(of: .foreignTLS) == 1)
        clear.stop()
        await clear.run()
    }

    @Test func aServerThatRequiresCertificatesNamesWhatItMisses() async throws {
        let certificates = try await TestCertificates()
        var files = ServerTLSFiles(try await certificates.issue())
        (files.clientAuthentication, files.clientAuthorities) = (.required, certificates.authority())
        let good = try await certificates.issue("good", for: "URI:marvel://principal/ops")
        let foreign = try await certificates.issue("bad", for: "URI:marvel://principal/ops", by: .foreign)
        let ended = try await certificates.issue("ended", for: "URI:marvel://principal/ops", .ended)
        func tls(_ pair: TestCertificates.Pair?) throws -> ClientTLS {
            let authorities = certificates.authority()
            return try ClientTLS(.init(authorities: authorities, certificate: pair?.certificate, key: pair?.key))
        }
        try await SecureServer.run(files) { server in
            let endpoint = server.endpoint()
            #expect(await RPCClient.echo(endpoint, try tls(good)) == nil)
            expectRefusal(await RPCClient.echo(endpoint, try tls(nil)), "CERTIFICATE_REQUIRED")
            expectRefusal(await RPCClient.echo(endpoint, try tls(foreign)), "UNKNOWN_CA")
            expectRefusal(await RPCClient.echo(endpoint, try tls(ended)), "CERTIFICATE_EXPIRED")
            try await eventually { server.server.count(of: .handshakeFailed) == 3 }
        }
    }

    /// A client without a certificate is served. A client with a bad one is refused.
    @Test func anOptionalCertificateIsVerified() async throws {
        let certificates = try await TestCertificates()
        var files = ServerTLSFiles(try await certificates.issue())
        (files.clientAuthentication, files.clientAuthorities) = (.optional, certificates.authority())
        let foreign = try await certificates.issue("bad", for: "URI:marvel://principal/ops", by: .foreign)
        let authorities = certificates.authority()
        try await SecureServer.run(files) { server in
            let none = try ClientTLS(.init(authorities: authorities))
            #expect(await RPCClient.echo(server.endpoint(), none) == nil)
            let bad = try ClientTLS(
                .init(authorities: authorities, certificate: foreign.certificate, key: foreign.key)
            )
            expectRefusal(await RPCClient.echo(server.endpoint(), bad), "UNKNOWN_CA")
        }
    }

    /// The files of a client are checked before anything is sent.
    @Test func aClientsFilesAreChecked() async throws {
        let certificates = try await TestCertificates()
        let (one, two) = (try await certificates.issue("one"), try await certificates.issue("two"))
        #expect(throws: StartupError.self) { try ClientTLS(.init(authorities: certificates.path("absent"))) }
        #expect(throws: StartupError.self) { try ClientTLS(.init(authorities: one.key)) }
        #expect(throws: StartupError.self) { try ClientTLS(.init(certificate: one.certificate)) }
        #expect(throws: StartupError.self) { try ClientTLS(.init(certificate: one.certificate, key: two.key)) }
        chmod(one.key, 0o644)
        #expect(throws: StartupError.self) { try ClientTLS(.init(certificate: one.certificate, key: one.key)) }
    }
}
