import Foundation
import MarvelClient
import TestDatabases
import Testing

/// Servers on one database in front of one gateway, and the calls that they make to it together.
@Suite(
    .timeLimit(.minutes(3)),
    .enabled(if: PostgresServer.installed != nil, "PostgreSQL's server programs are not installed")
)
struct SharedCallsTests {
    private static let callsPerDay = 60

    /// A server with a folder of its own, as on another machine.
    private struct Replica {
        let program: RunningProgram
        let address: ServerAddress

        init(_ number: Int, gateway: String, store: String, in folder: TemporaryFolder) async throws {
            address = .unix(path: folder.path("socket\(number)"))
            program = try RunningProgram(
                "marvel-server",
                [
                    "--framed", "\(address)", "--store", store, "--catalog", gateway,
                    "--set", "gateway.calls-per-day=\(SharedCallsTests.callsPerDay)",
                ],
                environment: Stand.keys.merging(["STATE_DIRECTORY": folder.path("state\(number)")]) { $1 }
            )
            _ = try await program.listeningAddress()
        }

        /// Searches for names that nobody has searched for, each through a connection of its own, because one connection
        /// gets no more than half of the calls.
        ///
        /// - Returns: The reason why the first search that failed did; nil if none did.
        func search(_ numbers: Range<Int>) async throws -> ErrorReason? {
            for number in numbers {
                let client = MarvelClient(servers: [address], retries: false)
                do {
                    for try await _ in client.searchCharacters("name \(number)", maxPages: 1) {}
                    await client.shutdown()
                } catch {
                    await client.shutdown()
                    return error.reason ?? .upstreamFailed
                }
            }
            return nil
        }

        func calls() async throws -> Int { try #require(try await program.counters()["upstreamCall"]) }

        func stop() async {
            program.send(SIGTERM)
            await program.waitForEnd()
        }
    }

    /// The gateway refuses calls beyond the budget, so a server that made one would get another error.
    @Test func allServersTogetherMakeNoMoreCallsThanOneMay() async throws {
        let database = try await PostgresServer.shared()
        let store = try await database.makeDatabase()
        let folder = try TemporaryFolder()
        let gateway = try RunningProgram(
            "marvel-gateway",
            ["--address", "127.0.0.1:0", "--rate-limit", "\(Self.callsPerDay)/24h"],
            environment: Stand.keys
        )
        let url = "http://\(try await gateway.listeningAddress())"
        let first = try await Replica(1, gateway: url, store: store, in: folder)
        let second = try await Replica(2, gateway: url, store: store, in: folder)
        #expect(try await first.search(0..<40) == nil, "one server alone makes most of the calls")
        #expect(try await first.calls() == 40)
        // Both want the rest.
        async let firstReason = first.search(100..<150)
        async let secondReason = second.search(200..<250)
        #expect(try await firstReason == .budgetSpent)
        #expect(try await secondReason == .budgetSpent)
        let made = (try await first.calls(), try await second.calls())
        #expect(made.0 + made.1 <= Self.callsPerDay && made.0 + made.1 >= Self.callsPerDay - 2)
        #expect(made.1 > 0)
        await first.stop()
        await second.stop()
        let claimed = try await database.run("SELECT sum(count) FROM marvel.upstream_calls", in: store)
        #expect(claimed == "\(made.0 + made.1)", "what was not made is given back")

        // A server that starts again knows the calls of both, without the cache file of one.
        let third = try await Replica(3, gateway: url, store: store, in: folder)
        #expect(try await third.search(300..<303) == .budgetSpent)
        await third.stop()
        gateway.send(SIGTERM)
        await gateway.waitForEnd()
    }

    @Test func withoutTheDatabaseAServerMakesTheCallsThatItHasReserved() async throws {
        let database = try await PostgresServer.own()
        let store = try await database.makeDatabase()
        let folder = try TemporaryFolder()
        let gateway = try RunningProgram("marvel-gateway", ["--address", "127.0.0.1:0"], environment: Stand.keys)
        let url = "http://\(try await gateway.listeningAddress())"
        let server = try await Replica(1, gateway: url, store: store, in: folder)
        #expect(try await server.search(0..<1) == nil)
        await database.stop()
        #expect(try await server.search(100..<200) == .upstreamUnavailable)
        #expect(try await server.calls() <= 3)
        // An answer that is kept needs no call.
        #expect(try await server.search(0..<1) == nil)
        await server.stop()
        gateway.send(SIGTERM)
        await gateway.waitForEnd()
    }
}
