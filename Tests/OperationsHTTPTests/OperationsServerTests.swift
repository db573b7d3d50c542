import Logging
import NIOCore
import OperationsHTTP
import RPCCore
import RPCServer
import Testing
import WireClients

/// The operations port, by real requests.
@Suite(.timeLimit(.minutes(10)))
struct OperationsServerTests {
    @Test func aPageIsServedWithHeadersThatProtectIt() async throws {
        try await RunningOperations.run { server in
            let reply = try await server.get("/")
            #expect(reply.hasPrefix("HTTP/1.1 200 OK\r\n"))
            for header in [
                "Content-Type: text/html; charset=utf-8", "Cache-Control: no-store", "X-Content-Type-Options: nosniff",
                "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
            ] {
                #expect(reply.contains(header + "\r\n"), "\(header)")
            }
            #expect(reply.hasSuffix("</html>\n"))
        }
    }

    @Test func metricsHaveTheContentTypeOfPrometheus() async throws {
        try await RunningOperations.run { server in
            let reply = try await server.get("/metrics")
            #expect(reply.contains("Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n"))
            #expect(reply.hasSuffix("# TYPE marvel_connections gauge\nmarvel_connections 2\n"))
        }
    }

    @Test(arguments: [
        ("GET /livez HTTP/1.1\r\nHost: 127.0.0.1", "200"), ("HEAD /livez HTTP/1.1\r\nHost: 127.0.0.1", "200"),
        ("GET /livez HTTP/1.1\r\nHost: localhost:6162", "200"), ("GET /livez HTTP/1.1\r\nHost: [::1]:6162", "200"),
        ("GET /livez HTTP/1.1\r\nHost: [::ffff:127.0.0.1]:6162", "200"), ("GET /livez HTTP/1.1\r\nHost: [::2]", "403"),
        ("GET /livez HTTP/1.1\r\nHost: example.org", "403"), ("GET /livez HTTP/1.1\r\nHost: a@localhost", "400"),
        ("GET /livez HTTP/1.1\r\nHost: 127.0.0.1.example.org", "403"),
        ("POST /livez HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0", "405"),
        ("GET /nothing HTTP/1.1\r\nHost: 127.0.0.1", "404"),
        ("GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: \(String(repeating: "x", count: 20_000))", ""),
        ("nonsense", ""),
    ])
    func aRequestHasItsStatus(_ head: String, _ status: String) async throws {
        try await RunningOperations.run { server in
            let reply = try await server.exchange(head)
            if status.isEmpty {
                #expect(!reply.hasPrefix("HTTP/1.1 2"))
            } else {
                #expect(reply.hasPrefix("HTTP/1.1 \(status) "), "\(reply.prefix(80))")
            }
            #expect(try await server.get("/livez").hasSuffix("alive\n"), "the server continues")
        }
    }

    /// Probes prove nothing; for all else, also for what is not there, the sender is checked.
    @Test(arguments: [
        (
            AccessFailure.tokenMissing, "401 Unauthorized", "scope admin",
            #"Bearer realm="marvel-server", scope="admin""#
        ),
        (.tokenInvalid, "401 Unauthorized", "not valid", #"Bearer realm="marvel-server", error="invalid_token""#),
        (.tokenExpired, "401 Unauthorized", "has expired", #"Bearer realm="marvel-server", error="invalid_token""#),
        (.tokenInClear, "403 Forbidden", "only over TLS", ""),
        (
            .scopeMissing(principal: "reader", scope: "admin"), "403 Forbidden", "reader lacks the scope admin",
            #"Bearer realm="marvel-server", error="insufficient_scope", scope="admin""#
        ),
    ])
    func aSenderWithoutTheScopeSeesProbesOnly(
        _ failure: AccessFailure,
        _ status: String,
        _ text: String,
        _ challenge: String
    ) async throws {
        let access: OperatorCheck = { given, _ in given == ["Bearer right"] ? nil : OperatorRefusal(failure) }
        try await RunningOperations.run(access: access) { server in
            for page in ["/livez", "/readyz", "/readyz?verbose"] {
                #expect(try await server.get(page).hasPrefix("HTTP/1.1 200 "), "\(page)")
            }
            for page in ["/", "/metrics", "/version", "/connections", "/connections?limit=0", "/livez/", "/nothing"] {
                let reply = try await server.get(page)
                #expect(reply.hasPrefix("HTTP/1.1 \(status)\r\n"), "\(page)")
                #expect(reply.contains(text))
                #expect(reply.contains("WWW-Authenticate: \(challenge)\r\n") == !challenge.isEmpty)
                // Only that has a browser ask for the token.
                let basic = "WWW-Authenticate: Basic realm=\"marvel-server\", charset=\"UTF-8\"\r\n"
                #expect(reply.contains(basic) == status.hasPrefix("401"))
            }
            let right = try await server.exchange(
                "GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer right"
            )
            #expect(right.hasPrefix("HTTP/1.1 200 "))
        }
    }

    /// A browser sends the token as a password, with any name.
    @Test(arguments: [
        ("Basic OnJpZ2h0", "200 OK"), ("basic  YW55Ym9keTpyaWdodA==", "200 OK"), ("Basic YW55Ym9keTp3cm9uZw==", "401"),
        ("Basic cmlnaHQ=", "401"), ("Basic ?", "401"), ("Basic", "401"), ("Basic /zpyaWdodA==", "401"),
    ])
    func aTokenMayBeAPassword(_ credentials: String, _ status: String) async throws {
        let access: OperatorCheck = { given, _ in given == ["Bearer right"] ? nil : OperatorRefusal(.tokenInvalid) }
        try await RunningOperations.run(access: access) { server in
            let reply = try await server.exchange("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: \(credentials)")
            #expect(reply.hasPrefix("HTTP/1.1 \(status)"), "\(reply.prefix(80))")
        }
    }

    /// A stranger opens hundreds of connections and finishes no request. Probes are answered all the same.
    @Test func halfOpenRequestsKeepNoProbeWaiting() async throws {
        try await RunningOperations.run { server in
            try await server.expectProbesAreAnswered(besides: 400, sending: "GET /metrics HTTP/1.1\r\nHo")
        }
    }

    /// A stranger sends wrong tokens on more connections than the port takes. Each waits for its refusal.
    @Test func refusalsThatAreDelayedKeepNoProbeWaiting() async throws {
        let access: OperatorCheck = { _, _ in OperatorRefusal(.tokenInvalid, delay: .seconds(60)) }
        try await RunningOperations.run(access: access) { server in
            let request = "GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
            try await server.expectProbesAreAnswered(besides: 200, sending: request)
        }
    }
}

/// An operations server with made-up pages on a free port of this machine, for as long as a test uses it.
struct RunningOperations {
    private let server: RPCServer

    static func run(
        access: @escaping OperatorCheck = { _, _ in nil },
        _ body: @Sendable (RunningOperations) async throws -> Void
    ) async throws {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let wire = OperationsServer.wire(SamplePages().pages, access: access)
        let endpoint = ListeningEndpoint(.tcp(host: "127.0.0.1", port: 0), wire: wire)
        let server = try await OperationsServer.start(on: [endpoint], logger: logger)
        defer { server.stop() }
        try await body(RunningOperations(server: server))
        server.stop()
        await server.run()
    }

    func get(_ path: String) async throws -> String { try await exchange("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1") }

    /// Expects that probes are answered beside some connections, each of which sends a text and stays open.
    func expectProbesAreAnswered(besides count: Int, sending text: String) async throws {
        var strangers: [RawSocket] = []
        for _ in 0..<count {
            let stranger = try await RawSocket.connect(to: server.addresses[0])
            stranger.post(ByteBuffer(string: text))
            strangers.append(stranger)
        }
        for _ in 0..<20 { #expect(try await get("/livez").hasSuffix("alive\n")) }
        for stranger in strangers { try? await stranger.close() }
    }

    /// Sends a request, and reads until the server closes the connection.
    func exchange(_ head: String) async throws -> String {
        try await RawSocket.exchange(head + "\r\nConnection: close\r\n\r\n", with: server.addresses[0])
    }
}
