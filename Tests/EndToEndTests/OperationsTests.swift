import ChildProcesses
import Foundation
import Testing

/// The operations port of a running server, and its log of calls.
@Suite(.timeLimit(.minutes(10)))
struct OperationsTests {
    /// Starts a server with an operations port, and stops it.
    private func run(
        _ catalog: Stand.Catalog = .builtIn,
        _ arguments: [String] = [],
        _ body: (Stand, String) async throws -> Void
    ) async throws {
        try await Stand.run(catalog, serverArguments: ["--operations", "127.0.0.1:0"] + arguments) { stand in
            try await body(stand, try await stand.server.listeningAddress("operations"))
        }
    }

    /// A server that drains is alive, and not ready: calls go elsewhere, and nobody restarts it.
    @Test func aDrainingServerIsNotReady() async throws {
        // The call that holds the drain takes as long.
        try await run(.gateway(["--any-key", "--latency", "4s"])) { stand, address in
            async let call = stand.marvel("show", "1009664", "--timeout", "60s")
            while total(of: "marvel_tasks", in: try await page("/metrics", at: address).body) < 1 {}
            #expect(try await page("/readyz", at: address).status == "200")
            stand.server.send(SIGTERM)
            while try await page("/readyz", at: address).status == "200" {}
            #expect(try await page("/readyz?verbose", at: address) == ("503", Self.drainingPage))
            #expect(try await page("/livez", at: address).status == "200")
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
            let metrics = try await page("/metrics", at: address).body
            if hasGateway { #expect(metrics.contains("marvel_upstream_budget_remaining 29")) }
            let file = stand.folder.path("metrics")
            try metrics.write(toFile: file, atomically: true, encoding: .utf8)
            let check = Manual.repository.appending(path: "deploy/monitoring/check").path
            let result = try await succeeded(RunningProgram.run("/usr/bin/python3", [check, file]))
            // Without promtool the syntax is not checked, which the output says.
            print(result.output, terminator: "")
        }
    }

    private func total(of metric: String, in page: String) -> Double {
        page.split(separator: "\n").filter { $0.hasPrefix(metric + "{") || $0.hasPrefix(metric + " ") }
            .compactMap { $0.split(separator: " ").last.flatMap { Double($0) } }.reduce(0, +)
    }

    // MARK: Addresses

    /// `--require-tokens` holds for callers on this machine, and so for these pages.
    @Test func withRequiredTokensThePagesNeedOneAndTheProbesNone() async throws {
        try await run(.builtIn, ["--require-tokens"]) { stand, address in
            for path in ["/livez", "/readyz"] { #expect(try await page(path, at: address).status == "200") }
            let refused = try await page("/metrics", at: address)
            #expect(refused.status == "401")
            #expect(refused.body.contains("a token with the scope admin is needed"))
        }
    }

    // MARK: Log

    @Test func aServerDescribesItselfAndEachCall() async throws {
        try await Stand.run(serverArguments: ["--catalog", "synthetic:50"]) { stand in
            func line(_ message: String) throws -> [String: Any] {
                try #require(try stand.server.logLines().first { $0.message == message }).members
            }
            let serving = try line("serving")
            #expect(serving["version"] as? String == "0.1.0")
            #expect(serving["pid"] as? Int == Int(stand.server.processID))
            #expect(serving["store"] as? String == stand.store)
            #expect(serving["catalog"] as? String == "synthetic:50")
            #expect(serving["characters"] as? Int == 50)
            #expect(try line("store opened")["lists"] as? Int == 0)
            try await succeeded(stand.marvel("favorites"))
            try await stand.server.waitForError(containing: #"{"message":"call","#)
            let call = try line("call")
            #expect(call["method"] as? String == "marvel.v1.MarvelService/ListFavorites")
            #expect(call["code"] as? String == "OK")
            #expect((call["ms"] as? Double).map { $0 > 0 } == true)
            #expect((call["bytes"] as? Int).map { $0 > 0 } == true)
            #expect((call["peer"] as? String)?.hasPrefix("127.0.0.1:") == true)
            #expect(call["principal"] as? String == "local")
        }
    }

    @Test(arguments: [true, false]) func aLogForPeopleHasCallsIfTheyAreWanted(_ isWanted: Bool) async throws {
        let folder = try TemporaryFolder()
        let address = "unix:\(folder.path("socket"))"
        let server = try RunningProgram(
            "marvel-server",
            [
                "--framed", address, "--store", folder.path("s"), "--log-format", "text",
                "--set", "operations.access-log=\(isWanted)",
            ]
        )
        try await server.waitForError(containing: "listening endpoint=framed address=\(address)")
        try await succeeded(RunningProgram.run("marvel", ["--server", address, "favorites"]))
        #expect(await server.stop() == 0)
        let last = try #require(server.errorText.split(separator: "\n").last)
        #expect(last.contains(/^[0-9T:.-]+Z NOTICE +stopped$/))
        #expect(server.errorText.contains("ListFavorites") == isWanted, "\(server.errorText)")
    }

    /// Prints the trace of each request.
    private static let gateway = """
        import http.server, sys
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                print(self.headers["traceparent"], file=sys.stderr, flush=True)
                self.send_error(404)
        server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        print('{"message":"listening","address":"127.0.0.1:%d"}' % server.server_port, file=sys.stderr, flush=True)
        server.serve_forever()
        """

    /// The trace in the environment of `marvel` reaches the gateway, with an operation of the server's own.
    @Test func theTraceOfTheClientReachesTheGateway() async throws {
        let gateway = try RunningProgram("/usr/bin/python3", ["-c", Self.gateway])
        let catalog = "http://\(try await gateway.listeningAddress())"
        try await Stand.run(serverArguments: ["--catalog", catalog]) { stand in
            _ = try await RunningProgram.run(
                "marvel",
                ["--server", stand.address, "--no-retry", "--timeout", "20s", "show", "1009664"],
                environment: ["TRACEPARENT": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"]
            )
            let trace = try #require(gateway.errorText.split(separator: "\n").first { $0.hasPrefix("00-") })
            #expect(trace.hasPrefix("00-4bf92f3577b34da6a3ce929d0e0e4736-") && trace.hasSuffix("-01"))
            #expect(!trace.contains("00f067aa0ba902b7"))
            try await stand.server.waitForError(containing: #""trace":"4bf92f3577b34da6a3ce929d0e0e4736""#)
        }
        await gateway.stop()
    }
}
