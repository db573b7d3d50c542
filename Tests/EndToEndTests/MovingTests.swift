import Foundation
import MarvelClient
import TestDatabases
import Testing
import WireClients

/// Clients of two servers on one database, one of which is killed.
@Suite(
    .timeLimit(.minutes(3)),
    .enabled(if: PostgresServer.installed != nil, "PostgreSQL's server programs are not installed")
)
struct MovingTests {
    /// Two servers on one database, at addresses of their own.
    private final class Pair {
        let folder: TemporaryFolder
        let store: String
        private var programs: [RunningProgram] = []

        init() async throws {
            folder = try TemporaryFolder()
            store = try await PostgresServer.shared().makeDatabase()
            for number in 0...1 { programs.append(try await start(number)) }
        }

        /// The address of a server, as clients name it.
        func address(_ number: Int) -> String { "unix:\(folder.path("framed\(number)"))" }

        /// The address of a server's HTTP port.
        func http(_ number: Int) -> String { "unix:\(folder.path("grpc\(number)"))" }

        var addresses: String { "\(address(0)),\(address(1))" }

        private func start(_ number: Int) async throws -> RunningProgram {
            let program = try RunningProgram(
                "marvel-server",
                [
                    "--framed", address(number), "--http", http(number), "--store", store,
                ],
                environment: ["STATE_DIRECTORY": folder.path("state\(number)")]
            )
            _ = try await program.listeningAddress("http")
            return program
        }

        /// Ends a server by a signal, lets `body` happen without it, and starts it again.
        func without(_ number: Int, endedBy signal: Int32, _ body: () async throws -> Void) async throws {
            programs[number].send(signal)
            await programs[number].waitForEnd()
            try await body()
            programs[number] = try await start(number)
        }

        func toggle(_ id: Int64, through number: Int) async throws {
            let result = try await RunningProgram.run("marvel", ["--server", address(number), "toggle", "\(id)"])
            #expect(result.status == 0, "\(result.errors)")
        }

        private func stop() async {
            for program in programs where !program.hasEnded {
                await program.stop()
            }
        }

        /// Starts two servers, and stops them at the end.
        static func run(_ body: (Pair) async throws -> Void) async throws {
            let pair = try await Pair()
            try await running {
                try await body(pair)
            } finally: {
                await pair.stop()
            }
        }
    }

    private static let ids: [Int64] = [1_009_610, 1_009_351, 1_009_368]

    /// Whichever of the two servers a client uses, it has to move at least once.
    private func endEachServerOnce(_ pair: Pair, by signal: Int32, _ check: (Int64) async throws -> Void) async throws {
        try await pair.toggle(Self.ids[0], through: 0)
        try await check(1)
        for number in 0...1 {
            try await pair.without(number, endedBy: signal) {
                try await pair.toggle(Self.ids[number + 1], through: 1 - number)
                try await check(Int64(number) + 2)
            }
        }
    }

    @Test(arguments: [SIGKILL, SIGTERM])
    func aWatchContinuesAtTheOtherServerAndItsReaderLearnsNothing(endedBy signal: Int32) async throws {
        try await Pair.run { pair in
            let watch = try RunningProgram(
                "marvel",
                ["--server", pair.addresses, "watch", "--json", "--changes", "3"]
            )
            try await wait(for: "a snapshot") { watch.outputText.contains("snapshot") }
            try await endEachServerOnce(pair, by: signal) { revision in
                try await wait(for: "the next line") { changes(in: watch.outputText).last == revision }
            }
            let status = await watch.waitForEnd()
            #expect(status == 0)
            #expect(watch.errorText.isEmpty, "\(watch.errorText)")
            #expect(changes(in: watch.outputText) == [1, 2, 3])
        }
    }

    /// The revisions of the changes that `marvel watch --json` has printed.
    private func changes(in output: String) -> [Int64] {
        output.split(separator: "\n").compactMap { line in
            let event = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            let revision = (event?["changed"] as? [String: Any])?["revision"]
            return (revision as? NSNumber)?.int64Value ?? (revision as? String).flatMap { Int64($0) }
        }
    }

    /// The watch of a client over gRPC that is not of this project resumes after its last place.
    @Test(arguments: [SIGKILL, SIGTERM])
    func aWatchOverGRPCResumesAtTheOtherServer(endedBy signal: Int32) async throws {
        try await Pair.run { pair in
            try await Peers.generatePython(["marvel/v1/marvel"], in: pair.folder)
            let watch = try RunningProgram(
                "/usr/bin/python3",
                [Peers.file("moving_client.py"), pair.folder.url.path, "3", pair.http(0), pair.http(1)]
            )
            try await wait(for: "the next line") { watch.outputText == "snapshot 0\n" }
            try await endEachServerOnce(pair, by: signal) { revision in
                try await wait(for: "the next line") { watch.outputText.hasSuffix("changed \(revision)\n") }
            }
            #expect(await watch.waitForEnd() == 0, "\(watch.errorText)")
            #expect(watch.outputText == "snapshot 0\nchanged 1\nchanged 2\nchanged 3\n")
        }
    }

    @Test func aLiveListStaysLive() async throws {
        try await Pair.run { pair in
            let servers = try (0...1).map { try #require(ServerEndpoint(pair.address($0))) }
            let client = MarvelClient(servers: servers)
            let live = client.liveFavorites()
            _ = await live.first { $0.connection == .live }
            let states = Task {
                var connections: Set<LiveFavorites.Connection> = []
                for await state in live { connections.insert(state.connection) }
                return connections
            }
            try await endEachServerOnce(pair, by: SIGKILL) { revision in
                let state = await live.first { $0.list?.revision == revision }
                #expect(state?.list?.favorites.map(\.character.id) == Array(Self.ids.prefix(Int(revision))))
                let read = try await client.favorites()
                #expect(read.list.revision == revision)
            }
            states.cancel()
            let seen = await states.value
            #expect(seen == [.live])
            await client.shutdown()
        }
    }
}
