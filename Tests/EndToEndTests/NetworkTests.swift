import ChildProcesses
import Foundation
import MarvelClient
import RPCClient
import RPCCore
import Testing

/// Peers that are gone and never said so.
@Suite(
    .timeLimit(.minutes(10)),
    .enabled("Only root can make network namespaces.") { await FarNetwork.isPossible }
)
struct NetworkTests {
    /// Between them is a call that waits for a minute, and nothing else would end it before. It takes the 10 s that are the
    /// least time between two Pings.
    @Test func bothSidesNoticeThatTheCableIsCut() async throws {
        try await FarNetwork.run { network in
            let folder = try TemporaryFolder()
            let gateway = try network.start(
                "marvel-gateway",
                ["--address", "127.0.0.1:0", "--any-key", "--latency", "1m"]
            )
            let server = try network.start(
                "marvel-server",
                [
                    "--framed", "[\(network.host)]:0", "--store", folder.path("s"),
                    "--insecure", "--set", "access.anonymous-scopes=catalog:read",
                    "--catalog", "http://\(try await gateway.listeningAddress())",
                    "--set", "limits.keepalive-interval=10s", "--set", "limits.keepalive-timeout=1s",
                ]
            )
            let address = try #require(ServerAddress(try await server.listeningAddress()))
            let client = MarvelClient(channel: RPCClient(addresses: [address], options: Self.options), retries: false)
            let call = Task { try await client.character(id: 1_009_610, timeout: .seconds(100)) }
            try await server.waitForCounters { $0["runningTasks"] == 1 }

            try await network.cutCable()
            let error = await #expect(throws: RPCError.self) { try await call.value }
            #expect(error?.code == .unavailable, "its deadline is far away")
            #expect(error?.reason == .connectionLost)
            // Its call is stopped with it, although the gateway has not answered.
            try await server.waitForCounters { $0["openConnections"] == 0 && $0["runningTasks"] == 0 }
            await client.shutdown()
        }
    }

    /// The default ports are free there, because nobody else uses them.
    @Test func anAddressChangesItsOwnPortOnly() async throws {
        try await FarNetwork.run { network in
            let folder = try TemporaryFolder()
            let file = folder.path("s.yaml")
            try "framed: {address: [127.0.0.1:7160]}\n".write(toFile: file, atomically: true, encoding: .utf8)
            let server = try network.start("marvel-server", ["--config", file, "--store", folder.path("s")])
            for (endpoint, address) in [("framed", "127.0.0.1:7160"), ("http", "127.0.0.1:6161")] {
                #expect(try await server.listeningAddress(endpoint) == address)
            }
            #expect(try await server.listeningAddress("operations") == "127.0.0.1:6162")
        }
    }

    private static var options: RPCClientOptions {
        var options = RPCClientOptions()
        options.retries = nil
        options.keepaliveInterval = .seconds(10)
        options.keepaliveTimeout = .seconds(1)
        return options
    }
}
