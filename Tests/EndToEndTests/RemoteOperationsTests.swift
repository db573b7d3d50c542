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
    private static func makeToken(in folder: TemporaryFolder) async throws -> String {
        let options = ["--scope", "admin", "--tokens", folder.path("tokens.json")]
        let made = try await succeeded(RunningProgram.run("marvel-server", ["token", "create", "ops"] + options))
        return made.output.trimmingCharacters(in: .newlines)
    }

    /// Starts a server with an operations port in another network. Returns the address of the port.
    private static func serve(
        _ network: FarNetwork,
        _ folder: TemporaryFolder,
        _ arguments: [String]
    ) async throws -> (server: RunningProgram, address: String) {
        let operations = ["--operations", "[\(network.host)]:0", "--store", folder.path("favorites.sqlite")]
        let server = try network.start("marvel-server", ["--framed", "127.0.0.1:0"] + operations + arguments)
        return (server, try await server.listeningAddress("operations"))
    }

    /// Asks for a page, and returns its status.
    private static func status(_ url: String, _ options: [String]) async throws -> String {
        let always = ["--silent", "--max-time", "30", "--noproxy", "*", "--write-out", "\n%{http_code}"]
        return String(try await RunningProgram.run("/usr/bin/curl", always + options + [url]).output.suffix(3))
    }

    @Test func aCertificateReplacesAToken() async throws {
        let certificates = try await TestCertificates()
        let folder = try TemporaryFolder()
        let authority = certificates.authority()
        let admin = try await Self.makeToken(in: folder)
        try await FarNetwork.run { network in
            let own = try await certificates.issue(for: "IP:\(network.host)")
            let (server, address) = try await Self.serve(
                network,
                folder,
                [
                    "--tls-cert", own.certificate, "--tls-key", own.key,
                    "--set", "tls.client-auth=optional", "--set", "tls.client-ca=\(authority)",
                ]
            )
            func status(_ page: String, _ options: String...) async throws -> String {
                try await Self.status("https://\(address)\(page)", ["--cacert", authority] + options)
            }
            for (name, expected) in [("ops", "200"), ("other", "403")] {
                let pair = try await certificates.issue(name, for: "URI:marvel://principal/\(name)")
                #expect(try await status("/metrics", "--cert", pair.certificate, "--key", pair.key) == expected)
            }
            #expect(try await status("/metrics", "--header", "Authorization: Bearer \(admin)") == "200")
            #expect(try await status("/metrics") == "401")
            #expect(try await status("/livez") == "200")
            #expect(server.errorText.contains(#""security":"tls""#))
        }
    }

    /// Nobody else reads the pages, or a token, on the way.
    @Test func inClearTextOtherMachinesSeeProbesOnly() async throws {
        let folder = try TemporaryFolder()
        let header = ["--header", "Authorization: Bearer \(try await Self.makeToken(in: folder))"]
        try await FarNetwork.run { network in
            let (server, address) = try await Self.serve(network, folder, ["--insecure"])
            #expect(try await Self.status("http://\(address)/livez", header) == "200")
            #expect(try await Self.status("http://\(address)/metrics", header) == "403")
            try await server.waitForError(containing: "this address answers only probes from other machines")
        }
    }
}
