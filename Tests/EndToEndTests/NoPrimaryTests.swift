import Foundation
import MarvelClient
import TestDatabases
import Testing
import WireClients

/// What callers of two servers get while the database that these share is stopped, and after it.
@Suite(
    .timeLimit(.minutes(3)),
    .enabled(if: PostgresServer.installed != nil, "PostgreSQL's server programs are not installed")
)
struct NoPrimaryTests {
    /// Two servers on a database of their own.
    private struct Scene {
        let folder: TemporaryFolder
        let database: PostgresServer
        let servers: [RunningProgram]
        let operations: [String]

        /// The address of a server, as clients name it.
        func address(_ number: Int) -> String { "unix:\(folder.path("framed\(number)"))" }

        /// Runs `marvel` with one of the servers.
        func marvel(
            _ arguments: String...,
            to number: Int = 0
        ) async throws -> (output: String, errors: String) {
            let call = ["--server", address(number)] + arguments
            let result = try await RunningProgram.run("marvel", call)
            return (result.output, result.errors)
        }

        /// Returns the list as `marvel favorites --json` prints it.
        func list(of number: Int = 0) async throws -> [String: Any] {
            let printed = try await marvel("favorites", "--json", to: number)
            let object = try JSONSerialization.jsonObject(with: Data(printed.output.utf8))
            return try #require(object as? [String: Any], "\(printed)")
        }

        /// Returns the number of open watches of a server.
        func watchCount(_ number: Int) async throws -> Int? {
            let metrics = try await page("/metrics", at: operations[number]).body
            let line = metrics.split(separator: "\n").first { $0.hasPrefix("marvel_watches ") }
            return line?.split(separator: " ").last.flatMap { Int($0) }
        }
    }

    private func run(_ body: (Scene) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let database = try await PostgresServer.own()
        let store = try await database.makeDatabase()
        var servers: [RunningProgram] = []
        var operations: [String] = []
        for number in 0...1 {
            let server = try RunningProgram(
                "marvel-server",
                [
                    "--framed", "unix:\(folder.path("framed\(number)"))",
                    "--operations", "127.0.0.1:0", "--store", store,
                ],
                environment: ["STATE_DIRECTORY": folder.path("state\(number)")]
            )
            operations.append(try await server.listeningAddress("operations"))
            servers.append(server)
        }
        let scene = Scene(folder: folder, database: database, servers: servers, operations: operations)
        try await running {
            try await body(scene)
        } finally: {
            for server in servers where !server.hasEnded {
                await server.stop()
            }
            await database.stop()
        }
    }

    @Test func aWatchThatMovesToTheOtherServerContinuesAndItsReaderLearnsNothing() async throws {
        try await run { scene in
            _ = try await scene.marvel("toggle", "1009610")
            let servers = "\(scene.address(0)),\(scene.address(1))"
            let watch = try RunningProgram("marvel", ["--server", servers, "watch", "--json", "--changes", "1"])
            try await wait(for: "a snapshot") { watch.outputText.contains("snapshot") }
            for number in 0...1 {
                try await wait(for: "the change") {
                    (try await scene.list(of: number)["favorites"] as? [Any])?.count == 1
                }
            }
            try await scene.database.pause()
            let first = try await scene.watchCount(0) == 1 ? 0 : 1
            let other = 1 - first
            scene.servers[first].send(SIGKILL)
            await scene.servers[first].waitForEnd()
            try await wait(for: "the watch") { try await scene.watchCount(other) == 1 }
            // It is asked after the watch has moved. When it fails, a question of the watch would have failed too.
            let lists = try await scene.marvel("lists", to: other)
            #expect(lists.output.isEmpty && !lists.errors.isEmpty)
            try await scene.database.resume()
            try await wait(for: "a toggle") {
                try await scene.marvel("-q", "toggle", "1009351", "--save", to: other).errors.isEmpty
            }
            #expect(await watch.waitForEnd() == 0)
            #expect(watch.errorText.isEmpty, "\(watch.errorText)")
            let lines = watch.outputText.split(separator: "\n")
            #expect(lines.count { $0.contains("snapshot") } == 1)
            #expect(lines.last?.contains("1009351") == true)
        }
    }
}
