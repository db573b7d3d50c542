import Foundation
import MarvelClient
import NIOCore
import RPCClient
import RPCCore
import Testing

/// The operations port of a running server, and its log of calls.
@Suite(.timeLimit(.minutes(3)))
struct OperationsTests {
    /// Starts a server with an operations port, and stops it.
    private func run(
        _ catalog: Stand.Catalog = .builtIn,
        _ arguments: [String] = [],
        _ body: (Stand, String) async throws -> Void
    ) async throws {
        try await Stand.run(catalog, serverArguments: ["--operations", "127.0.0.1:0"] + arguments) { stand in
            try await stand.server.waitForError(containing: #""endpoint":"operations","address":""#)
            let lines = try stand.server.logLines()
            let line = try #require(lines.first { $0.members["endpoint"] as? String == "operations" })
            try await body(stand, try #require(line.members["address"] as? String))
        }
    }

    private func get(_ page: String, at address: String) async throws -> (status: String, body: String) {
        let curl = try await RunningProgram.run(
            "/usr/bin/curl",
            ["--silent", "--show-error", "--max-time", "30", "--write-out", "%{http_code}", "http://\(address)\(page)"]
        )
        #expect(curl.status == 0, "\(curl.errors)")
        return (String(curl.output.suffix(3)), String(curl.output.dropLast(3)))
    }

    @Test func probesAnswer() async throws {
        try await run { stand, address in
            #expect(try await get("/livez", at: address) == ("200", "alive\n"))
            #expect(try await get("/readyz", at: address) == ("200", "ready\n"))
            let verbose = try await get("/readyz?verbose", at: address).body
            #expect(verbose.contains("[+] catalog: 1439 characters\n"))
            #expect(verbose.contains("[+] store: "))
            #expect(try await get("/version", at: address).body.contains("\"version\":\""))
        }
    }

    /// A server that drains is alive, and not ready: calls go elsewhere, and nobody restarts it.
    @Test func aDrainingServerIsNotReady() async throws {
        // The call that holds the drain takes as long.
        try await run(.gateway(["--any-key", "--latency", "3s"])) { stand, address in
            async let call = stand.marvel("show", "1009664")
            while total(of: "marvel_tasks", in: try await get("/metrics", at: address).body) < 1 {}
            #expect(try await get("/readyz", at: address).status == "200")
            stand.server.send(SIGTERM)
            while try await get("/readyz", at: address).status == "200" {}
            #expect(try await get("/readyz?verbose", at: address) == ("503", Self.drainingPage))
            #expect(try await get("/livez", at: address).status == "200")
            #expect(try await call.status == 0, "the call finishes")
        }
    }

    private static let drainingPage = """
        [+] catalog: asked of a gateway
        [-] serving: draining
        [+] store: writable
        [+] gateway: called on demand
        not ready

        """

    /// Every metric that a rule or a panel names is there, and the page is what Prometheus reads.
    @Test(arguments: [false, true])
    func theRulesAndTheDashboardFitThePage(_ hasGateway: Bool) async throws {
        try await run(hasGateway ? .gateway(["--any-key"]) : .builtIn) { stand, address in
            _ = try await stand.marvel("search", "spider")
            _ = try await stand.marvel("toggle", "1009664", "--save")
            let page = try await get("/metrics", at: address).body
            if hasGateway { #expect(page.contains("marvel_upstream_budget_remaining 29")) }
            let file = stand.folder.path("metrics")
            try page.write(toFile: file, atomically: true, encoding: .utf8)
            let check = Manual.repository.appending(path: "deploy/monitoring/check").path
            let result = try await RunningProgram.run("/usr/bin/python3", [check, file])
            #expect(result.status == 0, "\(result.errors)")
            // Without promtool the syntax is not checked, which the output says.
            print(result.output, terminator: "")
        }
    }

    /// No text of a peer is a label, however many peers make up.
    @Test func hostileNamesMakeOneMetricSeries() async throws {
        try await run { stand, address in
            var options = RPCClientOptions()
            options.retries = nil
            let client = RPCClient(addresses: [try #require(ServerAddress(stand.address))], options: options)
            // Fewer than end the connection.
            for number in 0..<150 {
                let name = "hostile\(number)\"} 1\n"
                let path = MethodPath(service: number % 2 == 0 ? "marvel.v1.MarvelService" : name, method: name)
                _ = try? await client.unary(path, ByteBuffer())
            }
            await client.shutdown()
            let page = try await get("/metrics", at: address).body
            #expect(!page.contains("hostile"))
            let calls = page.split(separator: "\n").filter { $0.hasPrefix("marvel_calls_total") }
            #expect(calls.count == 1)
            #expect(
                calls.first?.contains(#"rpc_method="_OTHER",rpc_response_status_code="UNIMPLEMENTED"} 150"#) == true
            )
        }
    }

    /// The port has an event loop of its own, and reads counters without a lock.
    @Test func pagesAreServedUnderLoad() async throws {
        try await run { stand, address in
            async let load = stand.marvel("load", "--duration", "2s", "--warmup", "0", "--connections", "4")
            var last = -1.0
            for page in ["/metrics", "/", "/connections", "/livez", "/metrics"] {
                let reply = try await get(page, at: address)
                #expect(reply.status == "200", "\(page)")
                guard page == "/metrics" else { continue }
                let count = total(of: "marvel_calls_total", in: reply.body)
                #expect(count >= last, "a counter never falls")
                last = count
            }
            #expect(try await load.status == 0)
            #expect(total(of: "marvel_calls_total", in: try await get("/metrics", at: address).body) > 0)
        }
    }

    private func total(of metric: String, in page: String) -> Double {
        page.split(separator: "\n").filter { $0.hasPrefix(metric + "{") || $0.hasPrefix(metric + " ") }
            .compactMap { $0.split(separator: " ").last.flatMap { Double($0) } }.reduce(0, +)
    }

    // MARK: Addresses

    @Test func aPortForOtherMachinesNeedsTLS() async throws {
        let folder = try TemporaryFolder()
        let result = try await RunningProgram.run(
            "marvel-server",
            ["--framed", "127.0.0.1:0", "--store", folder.path("s"), "--operations", "0.0.0.0:0"]
        )
        #expect(result.status == 78)
        #expect(result.errors.contains("0.0.0.0:0 is reachable from other machines without TLS"))
    }

    /// Who distrusts callers on this machine distrusts them here too.
    @Test func withRequiredTokensThePagesNeedOneAndTheProbesNone() async throws {
        try await run(.builtIn, ["--require-tokens"]) { stand, address in
            for page in ["/livez", "/readyz"] { #expect(try await get(page, at: address).status == "200") }
            let refused = try await get("/metrics", at: address)
            #expect(refused.status == "401")
            #expect(refused.body.contains("a token with the scope admin is needed"))
        }
    }

    @Test func aPortThatIsOffIsClosed() async throws {
        try await Stand.run(serverArguments: ["--operations", "off", "--http", "off"]) { stand in
            _ = try await stand.marvel("search", "thor")
            let listening = try stand.server.logLines().filter { $0.message == "listening" }
            #expect(listening.map { $0.members["endpoint"] as? String } == ["framed"])
        }
    }

    @Test func theStatusPageMayHaveAUnixSocket() async throws {
        let folder = try TemporaryFolder()
        // A server that was killed leaves its socket behind.
        for _ in 0..<2 {
            try await Stand.run(serverArguments: ["--operations", "unix:\(folder.path("operations"))"]) { stand in
                #expect(try await stand.server.listeningAddress("operations") == "unix:\(folder.path("operations"))")
                let page = try await RunningProgram.run(
                    "/usr/bin/curl",
                    ["-sf", "--unix-socket", folder.path("operations"), "http://localhost/readyz"]
                )
                #expect(page.status == 0, "\(page.errors)")
                stand.server.send(SIGKILL)
            }
        }
    }

    // MARK: Log

    @Test func eachCallIsOneLogLine() async throws {
        try await Stand.run { stand in
            _ = try await stand.marvel("show", "1009664")
            try await stand.server.waitForError(containing: #"{"message":"call","#)
            let lines = try stand.server.logLines().filter { $0.message == "call" }
            let name = "marvel.v1.MarvelService/GetCharacter"
            let line = try #require(lines.first { $0.members["method"] as? String == name })
            #expect(line.members["code"] as? String == "OK")
            #expect((line.members["ms"] as? Double).map { $0 > 0 } == true)
            #expect((line.members["bytes"] as? Int).map { $0 > 0 } == true)
            #expect((line.members["peer"] as? String)?.hasPrefix("127.0.0.1:") == true)
            #expect(line.members["principal"] as? String == "local")
        }
    }

    @Test func aLogForPeopleHasTheSameFacts() async throws {
        let folder = try TemporaryFolder()
        let server = try RunningProgram(
            "marvel-server",
            [
                "--framed", "127.0.0.1:0", "--store", folder.path("s"), "--log-format", "text",
                "--set", "operations.access-log=false",
            ]
        )
        try await server.waitForError(containing: "listening endpoint=framed address=127.0.0.1:")
        server.send(SIGTERM)
        #expect(await server.waitForEnd() == 0)
        let last = try #require(server.errorText.split(separator: "\n").last)
        #expect(last.contains(/^[0-9T:.-]+Z NOTICE +stopped$/))
        #expect(!server.errorText.contains(" call "))
    }

    /// The trace of a caller reaches the gateway, and the lines of the log.
    @Test func aTraceParentIsContinued() async throws {
        try await run(.gateway(["--any-key"])) { stand, address in
            var metadata = Metadata()
            metadata.append("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
            let client = RPCClient(addresses: [try #require(ServerAddress(stand.address))])
            let path = MethodPath(service: "marvel.v1.MarvelService", method: "GetCatalogInfo")
            _ = try await client.unary(path, ByteBuffer(), metadata: metadata)
            await client.shutdown()
            try await stand.server.waitForError(containing: #""trace":"4bf92f3577b34da6a3ce929d0e0e4736""#)
        }
    }

    /// The trace in the environment of `marvel` reaches the gateway, with an operation of the server's own.
    @Test func theTraceOfTheClientReachesTheGateway() async throws {
        let (gateway, folder) = (try ListeningSocket(), try TemporaryFolder())
        let server = try RunningProgram(
            "marvel-server",
            ["--framed", "127.0.0.1:0", "--store", folder.path("favorites.sqlite")]
                + ["--catalog", "http://127.0.0.1:\(gateway.port)"],
            environment: Stand.keys
        )
        async let request = gateway.answerOnce(
            "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        )
        let address = try await server.listeningAddress("framed")
        _ = try await RunningProgram.run(
            "marvel",
            ["--server", address, "--no-retry", "--timeout", "20s", "show", "1009664"],
            environment: ["TRACEPARENT": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"]
        )
        let header = try #require(try await request.split(separator: "\r\n").first { $0.hasPrefix("traceparent: ") })
        #expect(header.hasPrefix("traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-") && header.hasSuffix("-01"))
        #expect(!header.contains("00f067aa0ba902b7"))
        try await server.waitForError(containing: #""trace":"4bf92f3577b34da6a3ce929d0e0e4736""#)
        server.send(SIGTERM)
        #expect(await server.waitForEnd() == 0)
    }
}
