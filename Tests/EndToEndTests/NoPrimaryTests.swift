import Foundation
import MarvelClient
import TestDatabases
import Testing

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

        /// The address of a server, as clients name it.
        func address(_ number: Int, over wire: String) -> String {
            wire == "grpc" ? "grpc+unix:\(folder.path("grpc\(number)"))" : "unix:\(folder.path("framed\(number)"))"
        }

        /// Runs `marvel` with one of the servers.
        func marvel(
            _ arguments: String...,
            to number: Int = 0,
            over wire: String = "framed"
        ) async throws -> (output: String, errors: String) {
            let call = ["--server", address(number, over: wire)] + arguments
            let result = try await RunningProgram.run("marvel", call)
            return (result.output, result.errors)
        }

        /// Returns the list as `marvel favorites --json` prints it.
        func list(over wire: String) async throws -> [String: Any] {
            let printed = try await marvel("favorites", "--json", over: wire)
            let object = try JSONSerialization.jsonObject(with: Data(printed.output.utf8))
            return try #require(object as? [String: Any], "\(printed)")
        }

        /// Looks often, for half a minute at most.
        func wait(for what: String, until isThere: () async throws -> Bool) async throws {
            for _ in 0..<600 {
                if try await isThere() { return }
                try await Task.sleep(for: .milliseconds(50))
            }
            Issue.record("\(what) did not come")
            throw CancellationError()
        }
    }

    private func run(_ body: (Scene) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let database = try await PostgresServer.own()
        let store = try await database.makeDatabase()
        var servers: [RunningProgram] = []
        for number in 0...1 {
            let server = try RunningProgram(
                "marvel-server",
                [
                    "--framed-address", "unix:\(folder.path("framed\(number)"))",
                    "--grpc-address", "unix:\(folder.path("grpc\(number)"))", "--store", store,
                ],
                environment: ["STATE_DIRECTORY": folder.path("state\(number)")]
            )
            _ = try await server.listeningAddress("http")
            servers.append(server)
        }
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(Scene(folder: folder, database: database, servers: servers)))
        } catch {
            result = .failure(error)
        }
        for server in servers where !server.hasEnded {
            server.send(SIGTERM)
            await server.waitForEnd()
        }
        await database.stop()
        try result.get()
    }

    @Test func aListIsStillAnsweredAndTellsItsAge() async throws {
        try await run { scene in
            _ = try await scene.marvel("toggle", "1009610")
            let saved = try await scene.list(over: "framed")
            #expect(saved["age"] == nil)
            try await scene.database.pause()
            for wire in ["framed", "grpc"] {
                try await scene.wait(for: "an age") {
                    let list = try await scene.list(over: wire)
                    #expect(list["place"] as? String == saved["place"] as? String)
                    #expect((list["favorites"] as? [Any])?.count == 1)
                    let age = (list["age"] as? String).flatMap { Double($0.dropLast()) }
                    return age.map { $0 > 3 } ?? false
                }
                let text = try await scene.marvel("favorites", over: wire)
                #expect(text.output.contains("Spider-Man"))
                #expect(text.errors.hasPrefix("The server's database does not answer: "))
            }
            try await scene.database.resume()
            try await scene.wait(for: "a list without an age") { try await scene.list(over: "framed")["age"] == nil }
            #expect(try await scene.marvel("favorites").errors.isEmpty)
        }
    }
}
