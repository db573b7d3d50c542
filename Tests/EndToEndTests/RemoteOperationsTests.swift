import ChildProcesses
import Foundation
import TestCertificates
import Testing

/// The operations port at an address that other machines can reach.
@Suite(
    .enabled("Only root can make network namespaces.") { await FarNetwork.isPossible },
    .enabled(if: TestCertificates.canBeMade),
    .timeLimit(.minutes(10))
)
struct RemoteOperationsTests {
    /// A running server, and the way to its pages.
    private struct Remote {
        let server: RunningProgram
        /// The address of the port, as in an URL.
        let address: String
        let authority: String

        /// Asks for a page. The body has the header of the reply before it.
        func get(_ page: String, token: String? = nil, _ further: [String] = []) async throws -> String {
            let header = token.map { ["--header", "Authorization: Bearer \($0)"] } ?? []
            let run = try await RunningProgram.run(
                "/usr/bin/curl",
                ["--silent", "--show-error", "--max-time", "30", "--noproxy", "*", "--cacert", authority, "--include"]
                    + header + further + ["https://\(address)\(page)"]
            )
            return run.output + run.errors
        }
    }

    /// Starts a server with TLS in another network.
    private func withServer(
        _ arguments: (TestCertificates) -> [String] = { _ in [] },
        _ body: (Remote, TestCertificates, _ token: (String, String) async throws -> String) async throws -> Void
    ) async throws {
        let certificates = try await TestCertificates()
        let folder = try TemporaryFolder()
        let store = folder.path("favorites.sqlite")
        func token(_ name: String, _ scope: String) async throws -> String {
            let made = try await succeeded(
                marvelServer(
                    "token",
                    "create",
                    name,
                    "--scope",
                    scope,
                    "--tokens",
                    folder.path("tokens.json")
                )
            )
            return made.output.trimmingCharacters(in: .newlines)
        }
        try await FarNetwork.run { network in
            let pair = try await certificates.issue(for: "IP:\(network.host)")
            _ = try await token("first", "catalog:read")
            let server = try network.start(
                "marvel-server",
                ["--framed", "127.0.0.1:0", "--operations", "[\(network.host)]:0", "--store", store]
                    + ["--tls-cert", pair.certificate, "--tls-key", pair.key] + arguments(certificates)
            )
            let address = try await server.listeningAddress("operations")
            let remote = Remote(server: server, address: address, authority: certificates.authority())
            try await body(remote, certificates, token)
        }
    }

    @Test func probesNeedNoTokenAndPagesTheScopeAdmin() async throws {
        try await withServer { remote, _, token in
            for page in ["/livez", "/readyz"] {
                #expect(try await remote.get(page).hasPrefix("HTTP/1.1 200 "), "\(page)")
            }
            let reader = try await token("reader", "catalog:read")
            let admin = try await token("prometheus", "admin")
            try await remote.server.waitForError(containing: #""message":"tokens loaded","count":3"#)
            for page in ["/", "/metrics", "/version", "/connections", "/nothing"] {
                let stranger = try await remote.get(page)
                #expect(stranger.hasPrefix("HTTP/1.1 401 "), "\(page)")
                #expect(stranger.contains("WWW-Authenticate: Bearer "), "\(page)")
                #expect(try await remote.get(page, token: "wrong").contains(#"error="invalid_token""#))
                let denied = try await remote.get(page, token: reader)
                #expect(denied.hasPrefix("HTTP/1.1 403 ") && denied.hasSuffix("reader lacks the scope admin\n"))
                let status = page == "/nothing" ? 404 : 200
                #expect(try await remote.get(page, token: admin).hasPrefix("HTTP/1.1 \(status) "), "\(page)")
            }
            #expect(remote.server.errorText.contains(#""security":"tls""#))
            #expect(!remote.server.errorText.contains("there is no TLS"))
        }
    }

    @Test func aCertificateReplacesAToken() async throws {
        let optional = { (certificates: TestCertificates) in
            ["--set", "tls.client-auth=optional", "--set", "tls.client-ca=\(certificates.authority())"]
        }
        try await withServer(optional) { remote, certificates, token in
            let admin = try await token("ops", "admin")
            try await remote.server.waitForError(containing: #""message":"tokens loaded","count":2"#)
            let pairs = [
                try await certificates.issue("ops", for: "URI:marvel://principal/ops"),
                try await certificates.issue("other", for: "URI:marvel://principal/other"),
            ]
            for (pair, status) in zip(pairs, ["200", "403"]) {
                let reply = try await remote.get("/metrics", ["--cert", pair.certificate, "--key", pair.key])
                #expect(reply.hasPrefix("HTTP/1.1 \(status) "), "\(reply.prefix(200))")
            }
            #expect(try await remote.get("/metrics", token: admin).hasPrefix("HTTP/1.1 200 "))
        }
    }

    /// Nobody else reads the pages, or a token, on the way.
    @Test func inClearTextOtherMachinesSeeProbesOnly() async throws {
        let folder = try TemporaryFolder()
        let store = folder.path("favorites.sqlite")
        let admin = try await marvelServer(
            "token",
            "create",
            "ops",
            "--scope",
            "admin",
            "--tokens",
            folder.path("tokens.json")
        )
        try await FarNetwork.run { network in
            let server = try network.start(
                "marvel-server",
                ["--framed", "127.0.0.1:0", "--operations", "[\(network.host)]:0", "--insecure"]
                    + ["--store", store]
            )
            let address = try await server.listeningAddress("operations")
            func status(_ page: String) async throws -> String {
                let token = admin.output.trimmingCharacters(in: .newlines)
                let options = ["--silent", "--max-time", "30", "--noproxy", "*", "--write-out", "\n%{http_code}"]
                let run = try await RunningProgram.run(
                    "/usr/bin/curl",
                    options + ["--header", "Authorization: Bearer \(token)", "http://\(address)\(page)"]
                )
                return String(run.output.suffix(3))
            }
            #expect(try await status("/livez") == "200")
            #expect(try await status("/metrics") == "403")
            try await server.waitForError(containing: "this address answers only probes from other machines")
        }
    }
}
