import ChildProcesses
import Foundation
import MarvelClient
import TestCertificates
import Testing

/// Secrets of the server and its callers, which no output of a program repeats.
@Suite(.timeLimit(.minutes(10)))
struct SecretsTests {
    /// Everything that was written anywhere, by where.
    private final class Outputs {
        private(set) var texts: [(place: String, text: String)] = []

        func add(_ place: String, _ text: String) { texts.append((place, text)) }

        func add(_ place: String, _ run: Ended) {
            add(place, run.output + run.errors)
        }
    }

    /// A running server with TLS, tokens and a gateway, which logs all that it can.
    private struct Secretive {
        let certificates: TestCertificates
        let pair: TestCertificates.Pair
        let folder: TemporaryFolder
        let gateway: RunningProgram
        let server: RunningProgram
        /// The addresses by the names of the endpoints.
        let addresses: [String: String]
        let token: String
        let admin: String
        /// A token that the server does not know.
        let unknown: String

        /// Runs the client.
        func marvel(_ token: String, _ arguments: String...) async throws -> (Int32, String, String) {
            let global = [
                "--server", "tls://\(addresses["framed"] ?? "")", "--cacert", certificates.authority(), "--verbose",
            ]
            return try await RunningProgram.run(
                "marvel",
                global + ["--no-retry"] + arguments,
                environment: ["MARVEL_TOKEN": token]
            )
        }

        /// Sends a request, and returns the head and the body of the reply.
        func curl(_ url: String, _ token: String?, _ further: [String] = []) async throws -> (Int32, String, String) {
            let header = token.map { ["-H", "Authorization: Bearer \($0)"] } ?? []
            let options = ["-sS", "-i", "--max-time", "30", "--cacert", certificates.authority()]
            return try await RunningProgram.run("/usr/bin/curl", options + header + further + [url])
        }
    }

    @Test(.enabled(if: TestCertificates.canBeMade), arguments: ["json", "text"])
    func noOutputRepeatsASecret(_ format: String) async throws {
        let outputs = Outputs()
        let stand = try await start(format, outputs)
        try await makeCalls(stand, outputs)
        try await readPages(stand, outputs)
        try await reload(stand, outputs)
        await stand.gateway.stop()
        outputs.add("a call without a gateway", try await stand.marvel(stand.token, "search", "thanos"))
        stand.server.send(SIGUSR1)
        try await stand.server.waitForError(containing: "counted")
        #expect(await stand.server.stop() == 0)
        outputs.add("the gateway's log", stand.gateway.errorText + stand.gateway.outputText)
        outputs.add("the server's log", stand.server.errorText + stand.server.outputText)
        try await readSettings(stand, outputs)

        #expect(stand.server.errorText.contains("SearchCharacters"), "calls are logged")
        for (name, secret) in try secrets(of: stand) {
            for (place, text) in outputs.texts {
                #expect(!text.contains(secret), "\(name) is in \(place)")
            }
        }
    }

    /// The secrets, and what only a secret can make: the signature of a request.
    private func secrets(of stand: Secretive) throws -> [(name: String, secret: String)] {
        let key = try String(contentsOfFile: stand.pair.key, encoding: .utf8)
        let keyLines = key.split(separator: "\n").filter { !$0.hasPrefix("-") }
        #expect(keyLines.count >= 2)
        // A part of a token would be one too many.
        let tokens = [stand.token, stand.admin, stand.unknown].map { ("a token", String($0.dropFirst(5).prefix(16))) }
        return tokens + keyLines.map { ("the key of TLS", String($0)) } + [
            ("the key of the gateway", Stand.keys["MARVEL_PRIVATE_KEY"] ?? ""), ("a signature", "hash="),
            ("a password", Self.password), ("a malformed token", Self.malformed),
        ]
    }

    private static let password = "marker-0f9d1c"
    private static let malformed = "malformed-7ab41e"

    // MARK: Steps

    private func start(_ format: String, _ outputs: Outputs) async throws -> Secretive {
        let (certificates, folder) = (try await TestCertificates(), try TemporaryFolder())
        let pair = try await certificates.issue()
        func token(_ file: String, _ name: String, _ scopes: String...) async throws -> String {
            let made = try await RunningProgram.run(
                "marvel-server",
                ["token", "create", name, "--tokens", folder.path(file)] + scopes.flatMap { ["--scope", $0] }
            )
            outputs.add("the note of a new token", made.errors)
            return made.output.trimmingCharacters(in: .newlines)
        }
        let token1 = try await token("tokens.json", "caller", "catalog:read", "lists:write:*")
        let admin = try await token("tokens.json", "operator", "admin")
        let unknown = try await token("other.json", "stranger", "admin")
        let gateway = try RunningProgram(
            "marvel-gateway",
            ["--address", "127.0.0.1:0", "--log-level", "debug"],
            environment: Stand.keys
        )
        let server = try RunningProgram(
            "marvel-server",
            [
                "--framed", "127.0.0.1:0", "--http", "127.0.0.1:0", "--require-tokens",
                "--operations", "127.0.0.1:0", "--store", folder.path("favorites.sqlite"),
                "--tls-cert", pair.certificate, "--tls-key", pair.key, "--log-level", "debug", "--log-format", format,
                "--set", "operations.slow-call=1ms", "--catalog", "http://\(try await gateway.listeningAddress())",
            ],
            environment: Stand.keys
        )
        var addresses: [String: String] = [:]
        for endpoint in ["framed", "http", "operations"] {
            try await server.waitForError(
                containing: format == "json" ? #""endpoint":"\#(endpoint)""# : "endpoint=\(endpoint)"
            )
            let line = server.errorText.split(separator: "\n").first {
                $0.contains("listening") && $0.contains(/endpoint[=":]+/) && $0.contains(endpoint)
            }
            addresses[endpoint] = line?.firstMatch(of: /address[=":]+([0-9.]+:[0-9]+)/).map { String($0.1) }
        }
        try #require(addresses.count == 3)
        return Secretive(
            certificates: certificates,
            pair: pair,
            folder: folder,
            gateway: gateway,
            server: server,
            addresses: addresses,
            token: token1,
            admin: admin,
            unknown: unknown
        )
    }

    /// Calls that succeed and that fail, over both ports, with right and wrong tokens.
    private func makeCalls(_ stand: Secretive, _ outputs: Outputs) async throws {
        let search = try await stand.marvel(stand.token, "search", "spider")
        #expect(search.0 == 0, "\(search.2)")
        outputs.add("a search", search)
        outputs.add("a toggle", try await stand.marvel(stand.token, "toggle", "1009664", "--save"))
        outputs.add("an unknown character", try await stand.marvel(stand.token, "show", "1"))
        outputs.add("a call without the scope", try await stand.marvel(stand.token, "lists"))
        let refused = try await stand.marvel(stand.unknown, "search", "spider")
        #expect(refused.2.contains("TOKEN_INVALID"), "\(refused.2)")
        outputs.add("a call with an unknown token", refused)
        outputs.add("a malformed token", try await stand.marvel(Self.malformed, "favorites"))
        // The client of the library sends what it is given.
        let client = MarvelClient(
            servers: [try #require(ServerEndpoint("tls://\(stand.addresses["framed"] ?? "")"))],
            token: Self.malformed,
            tls: try MarvelClient.TLS(authorities: stand.certificates.authority()),
            retries: false
        )
        let error = await #expect(throws: RPCError.self) { try await client.favorites() }
        #expect(error?.reason == .tokenInvalid)
        outputs.add("an error of the library", error.map { "\($0) \(String(reflecting: $0))" } ?? "")
        outputs.add("the client", String(reflecting: client))
        await client.shutdown()
        let url = "https://\(stand.addresses["http"] ?? "")/marvel.v1.MarvelService/SearchCharacters"
        for token in [stand.token, stand.unknown, Self.malformed] {
            for body in [#"{"query":"spider"}"#, "{"] {
                let reply = try await stand.curl(url, token, ["-H", "Content-Type: application/json", "-d", body])
                #expect(reply.1.hasPrefix("HTTP/"), "\(reply.2)")
                outputs.add("a reply over HTTP", reply)
            }
        }
    }

    private func readPages(_ stand: Secretive, _ outputs: Outputs) async throws {
        for page in ["/", "/metrics", "/connections", "/version", "/readyz?verbose", "/nothing"] {
            for token in [stand.admin, stand.token, stand.unknown, Self.malformed] {
                let url = "http://\(stand.addresses["operations"] ?? "")\(page)"
                let reply = try await stand.curl(url, token)
                if token == stand.admin, page != "/nothing" { #expect(reply.1.contains(" 200 "), "\(page)") }
                outputs.add("the page \(page)", reply)
            }
        }
    }

    /// Reloads that succeed, and ones that fail because of a file with a secret.
    private func reload(_ stand: Secretive, _ outputs: Outputs) async throws {
        let tokens = stand.folder.path("tokens.json")
        chmod(tokens, 0o644)
        stand.server.send(SIGHUP)
        try await stand.server.waitForError(containing: "has mode 0644")
        chmod(tokens, 0o600)
        let next = try await stand.certificates.issue("next")
        // The certificate of another key.
        #expect(rename(next.certificate, stand.pair.certificate) == 0)
        stand.server.send(SIGHUP)
        try await stand.server.waitForError(containing: "does not belong to the certificate")
    }

    /// The settings as they are shown, and texts about URLs with passwords.
    private func readSettings(_ stand: Secretive, _ outputs: Outputs) async throws {
        let shown = try await RunningProgram.run(
            "marvel-server",
            ["config", "--tls-key", stand.pair.key, "--tls-cert", stand.pair.certificate],
            environment: Stand.keys.merging(["MARVEL_TOKEN": stand.token]) { first, _ in first }
        )
        #expect(shown.status == 0 && shown.output.contains("MARVEL_TOKEN"), "\(shown.errors)")
        outputs.add("the settings", shown)
        let url = "http://user:\(Self.password)@127.0.0.1:1"
        let file = stand.folder.path("config.yaml")
        try "catalog: \(url)\n".write(toFile: file, atomically: true, encoding: .utf8)
        let attempts: [(String, [String], [String: String])] = [
            ("marvel-server", ["--catalog", url], [:]), ("marvel-server", ["--catalog=\(url)"], [:]),
            ("marvel-server", [], ["MARVEL_CATALOG": url]), ("marvel-server", ["--config", file], [:]),
            ("marvel-server", ["config", "--config", file], [:]), ("marvel-gateway", ["--catalog", url], [:]),
            ("marvel-server", ["--store", "postgresql://user:\(Self.password)@127.0.0.1/x"], [:]),
            ("marvel-server", ["--store", "postgresql://127.0.0.1/x?password=\(Self.password)"], [:]),
            // A slash in a password has to be %2F.
            ("marvel-server", ["--store", "postgresql://user:x/\(Self.password)@127.0.0.1/x"], [:]),
            ("marvel-server", ["config"], ["MARVEL_STORE": "postgresql://user:1/\(Self.password)@127.0.0.1/x"]),
            ("marvel", ["--server", "tls://user:\(Self.password)@host:1", "health"], [:]),
            ("marvel", ["health"], ["MARVEL_SERVER": "tls://user:\(Self.password)@host:1"]),
        ]
        for (program, arguments, environment) in attempts {
            let run = try await RunningProgram.run(program, arguments, environment: environment)
            #expect(run.status == 64 || run.status == 78, "\(program): \(run.status)")
            #expect(run.errors.contains("password"), "\(program): \(run.errors)")
            outputs.add("a refused URL", run)
        }
    }

    // MARK: Memory

    /// A server that crashes leaves no file with its memory, whatever the limits that it was started with.
    @Test func noCoreFileIsWritten() async throws {
        let folder = try TemporaryFolder()
        let server = try RunningProgram(
            "/bin/sh",
            [
                "-c", #"ulimit -c unlimited; cd "$0"; exec "$@""#, folder.path(""),
                RunningProgram.path("marvel-server"),
                "--framed", "127.0.0.1:0", "--store", folder.path("favorites.sqlite"),
            ],
            // Where the toolchain is installed, it would look for the symbols of a debug build for minutes.
            environment: ["SWIFT_BACKTRACE": "enable=no"]
        )
        _ = try await server.listeningAddress("framed")
        let limits = try String(contentsOfFile: "/proc/\(server.processID)/limits", encoding: .utf8)
        let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
        #expect(line.split(separator: " ").suffix(3) == ["0", "0", "bytes"])
        server.send(SIGSEGV)
        #expect(await server.waitForEnd() == 128 + SIGSEGV)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path(""))
        #expect(!left.contains { $0.hasPrefix("core") }, "\(left)")
    }

    /// The kernel gives the files of such a process below /proc to root: other processes of its user do not read its memory.
    @Test(.enabled("Only root can run a program as another user.") { await OtherUser.canRunPrograms })
    func otherProcessesOfTheUserCannotReadTheMemory() async throws {
        let folder = try TemporaryFolder()
        chown(folder.path(""), OtherUser.id, OtherUser.id)
        let program = [RunningProgram.path("marvel-server"), "--framed", "127.0.0.1:0", "--store", folder.path("s")]
        let server = try RunningProgram(OtherUser.setpriv, OtherUser.options + program)
        _ = try await server.listeningAddress("framed")
        let reader = ["--bounding-set=-all", "--inh-caps=-all", "/usr/bin/cat", "/proc/\(server.processID)/environ"]
        let own = try await RunningProgram.run(OtherUser.setpriv, OtherUser.options + reader)
        #expect(own.status == 1 && own.errors.contains("Permission denied"), "\(own.errors)")
        #expect(await server.stop() == 0)
    }
}
