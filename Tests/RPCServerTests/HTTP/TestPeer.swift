import HTTPFraming
import RPCServer
import WireClients

/// A client of a test.
protocol TestPeer {
    associatedtype Settings

    /// The settings of most tests.
    static var usualSettings: Settings { get }

    /// Connects to a server, and disconnects when `body` has returned.
    static func connected(
        to server: RPCServer,
        settings: Settings,
        _ body: (inout Self) async throws -> Void
    ) async throws
}

extension TestPeer {
    static func connected(to server: RPCServer, _ body: (inout Self) async throws -> Void) async throws {
        try await connected(to: server, settings: usualSettings, body)
    }

    /// Connects to a server that runs for this test only.
    static func run(
        _ configuration: ServerConfiguration = .patient,
        methods: TestMethods = TestMethods(),
        rules: HTTPRules = HTTPRules(),
        settings: Settings = usualSettings,
        _ body: (RPCServer, inout Self) async throws -> Void
    ) async throws {
        try await TestServer.run(methods, configuration, wires: [.http(rules)]) { server in
            try await connected(to: server, settings: settings) { try await body(server, &$0) }
        }
    }

    /// The same, beside a good client.
    static func runBesideAGoodClient(
        _ configure: (inout ServerConfiguration) -> Void = { _ in },
        methods: TestMethods = TestMethods(),
        settings: Settings = usualSettings,
        _ body: (RPCServer, inout Self) async throws -> Void
    ) async throws {
        try await TestServer.runBesideAGoodClient(methods, configure) { server in
            try await connected(to: server, settings: settings) { try await body(server, &$0) }
        }
    }
}
