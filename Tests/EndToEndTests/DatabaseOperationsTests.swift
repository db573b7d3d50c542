import ChildProcesses
import Foundation
import TestDatabases
import Testing
import WireClients

/// The state of the database in a server's health, probes, metrics and status page.
@Suite(
    .timeLimit(.minutes(10)),
    .enabled(if: PostgresServer.installed != nil, "PostgreSQL's server programs are not installed")
)
struct DatabaseOperationsTests {
    /// Runs `marvel`, and returns all that it writes.
    private func marvel(_ stand: DatabaseStand, _ arguments: String...) async throws -> String {
        let result = try await RunningProgram.run("marvel", ["--server", stand.address(0)] + arguments)
        return result.output + result.errors
    }

    /// Searches continue, so the server itself is well, and only its store is not.
    @Test func withoutAPrimaryOnlyTheStoreIsUnhealthy() async throws {
        try await DatabaseStand.run(1, ownsDatabase: true) { stand in
            let good = try await stand.get("/readyz?verbose").body
            #expect(good.contains("[+] store: writable\n"))
            #expect(good.contains("[+] feed: other servers' changes were last checked "))
            let before = try await marvel(stand, "health", "marvel.v1.store", "--json")
            #expect(before.contains(#""SERVING""#), "\(before)")
            await stand.database.stop()
            try await wait(for: "NOT_SERVING") {
                try await marvel(stand, "health", "marvel.v1.store", "--json").contains("NOT_SERVING")
            }
            let health = try await marvel(stand, "health", "--json")
            #expect(health.contains(#""SERVING""#), "\(health)")
            try await wait(for: "a late feed") {
                try await stand.get("/readyz?verbose").body.contains("[!] feed: ")
            }
            let late = try await stand.get("/readyz?verbose")
            #expect(late.status == "200")
            #expect(late.body.contains("[!] store: "))
            #expect(late.body.hasSuffix("ready\n"))
            let metrics = try await stand.get("/metrics").body
            #expect(metrics.contains("marvel_store_writable 0\n"))
            for part in ["writer", "reader", "feed"] {
                #expect(metrics.contains("marvel_store_connected{part=\"\(part)\"} 0\n"))
            }
            let lag = metrics.split(separator: "\n").first { $0.hasPrefix("marvel_feed_lag_seconds ") }
            let age = try #require(lag?.split(separator: " ").last.flatMap { Double($0) })
            #expect(age > 5)
            #expect(try await stand.get("/").body.contains("not connected: writer, reader, feed"))
        }
    }

    @Test func reconnectionsAreCountedAndTheMetricsFitTheRules() async throws {
        try await DatabaseStand.run(1, ownsDatabase: true) { stand in
            for id in ["1009610", "1009351"] { _ = try await marvel(stand, "toggle", id, "--save") }
            try await stand.database.endConnections(to: stand.store)
            try await wait(for: "a connection of each part") {
                let page = try await stand.get("/metrics").body
                return ["writer", "reader", "feed"].allSatisfy { part in
                    page.contains("marvel_store_reconnects_total{part=\"\(part)\"} 1\n")
                        && page.contains("marvel_store_connected{part=\"\(part)\"} 1\n")
                }
            }
            let page = try await stand.get("/metrics").body
            let file = stand.folder.path("metrics")
            try page.write(toFile: file, atomically: true, encoding: .utf8)
            let check = Manual.repository.appending(path: "deploy/monitoring/check").path
            try await succeeded(RunningProgram.run("/usr/bin/python3", [check, file]))
        }
    }
}
