import ChildProcesses
import Foundation
import TestDatabases
import Testing
import WireClients

/// Servers that keep their lists in one PostgreSQL database, each at sockets of its own.
final class DatabaseStand {
    let folder: TemporaryFolder
    let database: PostgresServer
    let store: String
    private let arguments: [String]
    private(set) var servers: [RunningProgram] = []

    private init(_ database: PostgresServer, _ arguments: [String]) async throws {
        folder = try TemporaryFolder()
        self.database = database
        store = try await database.makeDatabase()
        self.arguments = arguments
    }

    /// Starts servers, runs `body`, and stops them at the end.
    ///
    /// - Parameters:
    ///   - count: The number of servers.
    ///   - ownsDatabase: Whether the test stops the database server, which others then do not use.
    ///   - arguments: Further arguments of each server.
    ///   - body: The test.
    /// - Throws: What the test threw.
    static func run(
        _ count: Int = 2,
        ownsDatabase: Bool = false,
        _ arguments: [String] = [],
        _ body: (DatabaseStand) async throws -> Void
    ) async throws {
        let database = ownsDatabase ? try await PostgresServer.own() : try await PostgresServer.shared()
        let stand = try await DatabaseStand(database, arguments)
        try await running {
            for number in 0..<count { stand.servers.append(try await stand.start(number)) }
            try await body(stand)
        } finally: {
            for server in stand.servers where !server.hasEnded { await server.stop() }
            if ownsDatabase { await database.stop() }
        }
    }

    private func start(_ number: Int) async throws -> RunningProgram {
        let server = try RunningProgram(
            "marvel-server",
            ["--framed", address(number), "--http", http(number), "--operations", "127.0.0.1:0", "--store", store]
                + arguments,
            environment: ["STATE_DIRECTORY": folder.path("state\(number)")]
        )
        _ = try await server.listeningAddress("operations")
        return server
    }

    /// The address of a server, as clients name it.
    func address(_ number: Int) -> String { "unix:\(folder.path("framed\(number)"))" }

    /// The address of a server's HTTP port.
    func http(_ number: Int) -> String { "unix:\(folder.path("grpc\(number)"))" }

    /// The addresses of two servers, as a client that may use both names them.
    var addresses: String { "\(address(0)),\(address(1))" }

    /// Runs `marvel` with one of the servers.
    func marvel(_ arguments: String..., to number: Int = 0) async throws -> Ended {
        try await RunningProgram.run("marvel", ["--server", address(number)] + arguments)
    }

    /// Asks a server for a page of its operations port.
    func get(_ path: String, of number: Int = 0) async throws -> (status: String, body: String) {
        try await page(path, at: servers[number].listeningAddress("operations"))
    }

    func end(_ number: Int, by signal: Int32) async {
        servers[number].send(signal)
        await servers[number].waitForEnd()
    }

    /// Ends a server by a signal, lets `body` happen without it, and starts it again.
    func without(_ number: Int, endedBy signal: Int32, _ body: () async throws -> Void) async throws {
        await end(number, by: signal)
        try await body()
        servers[number] = try await start(number)
    }
}
