import Foundation
import MarvelClient
import TestDatabases
import Testing
import WireClients

/// Servers that keep favorites in one PostgreSQL database.
@Suite(
    .timeLimit(.minutes(3)),
    .enabled(if: PostgresServer.installed != nil, "PostgreSQL's server programs are not installed")
)
struct DatabaseTests {
    /// Starts servers on one database, and stops them at the end.
    private func withServers(
        _ count: Int,
        on store: String,
        _ arguments: [String] = [],
        _ body: ([ServerAddress]) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        var addresses: [ServerAddress] = []
        var servers: [RunningProgram] = []
        for number in 1...count {
            let address = ServerAddress.unix(path: folder.path("socket\(number)"))
            let state = folder.path("state\(number)")
            let server = try RunningProgram(
                "marvel-server",
                ["--framed", "\(address)", "--store", store] + arguments,
                environment: ["STATE_DIRECTORY": state]
            )
            _ = try await server.listeningAddress()
            addresses.append(address)
            servers.append(server)
        }
        try await running {
            try await body(addresses)
        } finally: {
            for server in servers {
                await server.stop()
            }
        }
    }

    @Test func watchersSeeTogglesOfTheOtherServerDespiteLostConnections() async throws {
        let database = try await PostgresServer.shared()
        let store = try await database.makeDatabase()
        try await withServers(2, on: store) { addresses in
            let clients = addresses.map { MarvelClient(servers: [$0]) }
            let live = clients[1].liveFavorites()
            _ = await live.first { $0.connection == .live }
            let ids: [Int64] = [1_009_610, 1_009_351, 1_009_368]
            for (count, id) in zip(1..., ids) {
                try await database.endConnections(to: store)
                _ = try await clients[0].toggleFavorite(id)
                let state = await live.first { $0.list?.revision == Int64(count) }
                #expect(state?.list?.favorites.map(\.character.id) == Array(ids.prefix(count)))
            }
            // What was answered by one is in what the other answers, given the place.
            let answer = try await clients[0].toggleFavorite(ids[0])
            let list = try await clients[1].favorites(atLeast: answer.place)
            #expect(list.list.favorites.map(\.character.id) == Array(ids.dropFirst()))
            for client in clients { await client.shutdown() }
        }
    }

    /// The noted timeline makes it look as if a standby had taken over that may lack commits.
    @Test func serversContinueInANewHistoryAndTellTheirWatchers() async throws {
        let database = try await PostgresServer.shared()
        let store = try await database.makeDatabase()
        try await withServers(2, on: store) { addresses in
            let clients = addresses.map { MarvelClient(servers: [$0]) }
            let old = try await clients[0].toggleFavorite(1_009_610)
            var events = clients[1].watchFavorites(list: .default).makeAsyncIterator()
            _ = try await events.next()
            try await database.run("UPDATE marvel.meta SET timeline = timeline - 1", in: store)
            try await database.endConnections(to: store)
            var reset: SnapshotReset?
            while reset == nil, let event = try await events.next() {
                if case .snapshot(_, reset: let reason) = event { reset = reason }
            }
            #expect(reset == .historyChanged)
            // Whichever server it comes through, and without a new start.
            let base: Int64 = 1 << 32
            for (number, id) in zip(1..., [1_009_351, 1_009_368] as [Int64]) {
                let new = try await clients[number - 1].toggleFavorite(id)
                #expect(new.revision == base + Int64(number))
                let list = try await clients[2 - number].favorites(atLeast: new.place)
                #expect(list.list.revision == new.revision)
                guard case .changed(let change, place: _) = try await events.next() else { continue }
                #expect(change.saved?.character.id == id)
            }
            let error = await #expect(throws: RPCError.self) { try await clients[1].favorites(atLeast: old.place) }
            #expect(error?.reason == .historyChanged)
            for client in clients { await client.shutdown() }
        }
    }

    @Test func anEditThroughOneServerOrByTheOperatorIsShownByTheOther() async throws {
        let database = try await PostgresServer.shared()
        let store = try await database.makeDatabase()
        try await withServers(2, on: store, ["--allow-edits"]) { addresses in
            /// Asks the second server until it answers with a name. Each call starts a program, so some seconds pass.
            func expectShown(_ name: String, by command: String...) async throws {
                var output = ""
                for _ in 0..<100 where !output.contains("\"\(name)\"") {
                    let call = ["--server", "\(addresses[1])"] + command + ["--json"]
                    output = try await RunningProgram.run("marvel", call).output
                }
                #expect(output.contains("\"\(name)\""), "\(output)")
            }
            func change(_ program: String, _ arguments: String...) async throws {
                let result = try await RunningProgram.run(program, arguments)
                #expect(result.status == 0, "\(result.errors)")
            }
            try await change("marvel", "--server", "\(addresses[0])", "create", "--name", "Qwerty-Man")
            try await expectShown("Qwerty-Man", by: "search", "Qwerty-Man")
            try await change("marvel", "--server", "\(addresses[0])", "edit", "1009351", "--name", "Joe Fixit")
            try await expectShown("Joe Fixit", by: "show", "1009351")
            try await change("marvel-server", "revert", store, "1009351")
            try await expectShown("Hulk", by: "show", "1009351")
        }
    }
}
