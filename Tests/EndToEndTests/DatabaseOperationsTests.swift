import Foundation
import TestDatabases
import Testing
import WireClients

/// What a server tells of its database: health, probes, metrics and the status page.
@Suite(
    .timeLimit(.minutes(3)),
    .enabled(if: PostgresServer.installed != nil, "PostgreSQL's server programs are not installed")
)
struct DatabaseOperationsTests {
    /// A server with a database of its own, and its addresses.
    private struct Scene {
        let folder: TemporaryFolder
        let database: PostgresServer
        let store: String
        let server: RunningProgram
        let operations: String

        func marvel(_ arguments: String...) async throws -> String {
            let call = ["--server", "unix:\(folder.path("framed"))"] + arguments
            let result = try await RunningProgram.run("marvel", call)
            return result.output + result.errors
        }

        func get(_ path: String) async throws -> (status: String, body: String) {
            try await page(path, at: operations)
        }
    }

    private func run(_ body: (Scene) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let database = try await PostgresServer.own()
        let store = try await database.makeDatabase()
        let server = try RunningProgram(
            "marvel-server",
            [
                "--framed", "unix:\(folder.path("framed"))", "--operations", "127.0.0.1:0", "--store", store,
            ],
            environment: ["STATE_DIRECTORY": folder.path("state")]
        )
        let operations = try await server.listeningAddress("operations")
        let scene = Scene(folder: folder, database: database, store: store, server: server, operations: operations)
        try await running {
            try await body(scene)
        } finally: {
            await server.stop()
        }
    }

    /// Searches continue, so the server itself is well, and only its store is not.
    @Test func withoutAPrimaryOnlyTheStoreIsUnhealthy() async throws {
        try await run { scene in
            let good = try await scene.get("/readyz?verbose").body
            #expect(good.contains("[+] store: writable\n"))
            #expect(good.contains("[+] feed: other servers' changes were last checked "))
            let before = try await scene.marvel("health", "marvel.v1.store", "--json")
            #expect(before.contains(#""SERVING""#), "\(before)")
            await scene.database.stop()
            try await wait(for: "NOT_SERVING") {
                try await scene.marvel("health", "marvel.v1.store", "--json").contains("NOT_SERVING")
            }
            let health = try await scene.marvel("health", "--json")
            #expect(health.contains(#""SERVING""#), "\(health)")
            try await wait(for: "a late feed") {
                try await scene.get("/readyz?verbose").body.contains("[!] feed: ")
            }
            let late = try await scene.get("/readyz?verbose")
            #expect(late.status == "200")
            #expect(late.body.contains("[!] store: "))
            #expect(late.body.hasSuffix("ready\n"))
            let metrics = try await scene.get("/metrics").body
            #expect(metrics.contains("marvel_store_writable 0\n"))
            for part in ["writer", "reader", "feed"] {
                #expect(metrics.contains("marvel_store_connected{part=\"\(part)\"} 0\n"))
            }
            let lag = metrics.split(separator: "\n").first { $0.hasPrefix("marvel_feed_lag_seconds ") }
            let age = try #require(lag?.split(separator: " ").last.flatMap { Double($0) })
            #expect(age > 5)
            #expect(try await scene.get("/").body.contains("not connected: writer, reader, feed"))
        }
    }

    @Test func reconnectionsAreCountedAndTheMetricsFitTheRules() async throws {
        try await run { scene in
            for id in ["1009610", "1009351"] { _ = try await scene.marvel("toggle", id, "--save") }
            try await scene.database.endConnections(to: scene.store)
            try await wait(for: "a connection of each part") {
                let page = try await scene.get("/metrics").body
                return ["writer", "reader", "feed"].allSatisfy { part in
                    page.contains("marvel_store_reconnects_total{part=\"\(part)\"} 1\n")
                        && page.contains("marvel_store_connected{part=\"\(part)\"} 1\n")
                }
            }
            let page = try await scene.get("/metrics").body
            #expect(page.contains("marvel_commit_size_bucket{le=\"1\"} 2\n"))
            #expect(page.contains("marvel_commit_size_sum 2\n"))
            let file = scene.folder.path("metrics")
            try page.write(toFile: file, atomically: true, encoding: .utf8)
            let check = Manual.repository.appending(path: "deploy/monitoring/check").path
            let result = try await RunningProgram.run("/usr/bin/python3", [check, file])
            #expect(result.status == 0, "\(result.errors)")
            await scene.database.stop()
        }
    }
}
