import Foundation
import TestCertificates
import Testing

/// TLS of the programs as they are shipped, and with clients that are not of this project.
@Suite(.enabled(if: TestCertificates.canBeMade), .timeLimit(.minutes(10)))
struct TLSTests {
    private struct SecureStand {
        let stand: Stand
        let certificates: TestCertificates
        let framed: String
        let http: String

        /// Runs the client, which trusts the server's authority.
        func marvel(_ server: String, _ arguments: String...) async throws -> Ended {
            let global = ["--server", server, "--cacert", certificates.authority()]
            return try await RunningProgram.run("marvel", global + arguments)
        }
    }

    /// Starts a server with TLS on both ports.
    private func withServer(
        _ arguments: (TestCertificates) -> [String] = { _ in [] },
        _ body: (SecureStand) async throws -> Void
    ) async throws {
        let certificates = try await TestCertificates()
        let pair = try await certificates.issue()
        try await Stand.run(
            serverArguments: ["--http", "127.0.0.1:0", "--tls-cert", pair.certificate, "--tls-key", pair.key]
                + arguments(certificates)
        ) { stand in
            let framed = try await stand.server.listeningAddress("framed")
            let http = try await stand.server.listeningAddress("http")
            let secure = SecureStand(stand: stand, certificates: certificates, framed: framed, http: http)
            try await body(secure)
        }
    }

    @Test func theClientSpeaksTLS() async throws {
        try await withServer { secure in
            let server = "tls://\(secure.framed)"
            let search = try await succeeded(secure.marvel(server, "search", "spider"))
            #expect(search.output.contains("Spider-Man"))
            try await succeeded(secure.marvel(server, "load", "--total", "200", "--connections", "3", "--json"))
            let untrusted = try await RunningProgram.run("marvel", ["--server", "tls://\(secure.framed)", "health"])
            #expect(untrusted.status == 1)
            #expect(untrusted.errors.contains("the issuer of the server's certificate is not trusted"))
            let load = try await RunningProgram.run(
                "marvel",
                ["--server", server, "load", "--total", "1"]
            )
            #expect(load.errors.contains("the issuer of the server's certificate is not trusted"))
            #expect(try await secure.stand.server.counters()["handshakeFailed"] ?? 0 > 0)
        }
    }

    @Test func aClientShowsItsCertificate() async throws {
        let required = { (certificates: TestCertificates) in
            ["--set", "tls.client-auth=required", "--set", "tls.client-ca=\(certificates.authority())"]
        }
        try await withServer(required) { secure in
            let server = "tls://\(secure.framed)"
            let pair = try await secure.certificates.issue("client", for: "URI:marvel://principal/ops")
            let without = try await secure.marvel(server, "health")
            #expect(without.status == 1)
            #expect(without.errors.contains("CERTIFICATE_REQUIRED"))
            try await succeeded(secure.marvel(server, "--cert", pair.certificate, "--key", pair.key, "health"))
        }
    }

    /// gRPC's own library insists on the agreement on HTTP/2 in the handshake.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")))
    func thePythonClientOfGRPCMakesCalls() async throws {
        try await withServer { secure in
            let run = try await RunningProgram.run(
                "/usr/bin/python3",
                [Peers.file("tls_client.py"), secure.http, secure.certificates.authority()]
            )
            #expect(run.output == "health SERVING\nunknown authority UNAVAILABLE\n", "\(run.errors)")
        }
    }

    /// A new certificate is found without a signal; a bad one is not served.
    @Test func aNewCertificateIsServed() async throws {
        try await withServer { secure in
            let certificates = secure.certificates
            let served = certificates.path("server")
            func install(_ pair: TestCertificates.Pair) throws {
                for (from, to) in [(pair.key, served + ".key"), (pair.certificate, served + ".pem")] {
                    #expect(rename(from, to) == 0)
                }
            }
            try install(try await certificates.issue("ended", .ended))
            try await secure.stand.server.waitForError(containing: "certificate not replaced, still using the old one")
            try await succeeded(secure.marvel("tls://\(secure.framed)", "health"))
            try install(try await certificates.issue("next", for: "DNS:localhost"))
            try await secure.stand.server.waitForError(containing: "certificate replaced")
            let port = secure.framed.split(separator: ":").last ?? ""
            try await succeeded(secure.marvel("tls://localhost:\(port)", "health"))
            let byAddress = try await secure.marvel("tls://\(secure.framed)", "health")
            #expect(byAddress.errors.contains("is not for 127.0.0.1; it is for localhost"))
        }
    }
}
