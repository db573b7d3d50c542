import Foundation
import Testing

/// The durability of acknowledged changes after any end of the process.
@Suite(.timeLimit(.minutes(3)))
struct DurabilityTests {
    @Test func favoritesSurviveAKill() async throws {
        let folder = try TemporaryFolder()
        for (round, id) in ["1009610", "1009368", "1009351"].enumerated() {
            try await Stand.run(folder: folder) { stand in
                let toggle = try await stand.marvel("toggle", id, "--save")
                #expect(toggle.status == 0, "\(toggle.errors)")
                stand.server.send(SIGKILL)
            }
            try await Stand.run(folder: folder) { stand in
                let favorites = try await stand.marvel("favorites", "--json")
                #expect(favorites.output.contains("\"id\":\"\(id)\""))
                #expect(favorites.output.contains("\"revision\":\"\(round + 1)\""), "\(favorites.output)")
            }
        }
    }

    /// With `synchronous=NORMAL` a commit in WAL mode syncs nothing; with FULL each one does.
    @Test func everyToggleIsSyncedBeforeItIsAcknowledged() async throws {
        let folder = try TemporaryFolder()
        let trace = folder.path("trace")
        let server = try RunningProgram(
            "/usr/bin/strace",
            [
                "--follow-forks", "--output=\(trace)", "--trace=fdatasync,fsync", "--seccomp-bpf",
                RunningProgram.folder.appending(path: "marvel-server").path,
                "--framed", "127.0.0.1:0", "--store", folder.path("favorites.sqlite"),
            ]
        )
        let address = try await server.listeningAddress()
        let before = try syncs(trace)
        let toggles = 10
        for _ in 0..<toggles {
            let toggle = try await RunningProgram.run("marvel", ["toggle", "1009610", "--server", address])
            #expect(toggle.status == 0, "\(toggle.errors)")
        }
        #expect(try syncs(trace) - before >= toggles)
        // Stopped by its own id, which the store's lock names: strace would leave its child running.
        let lock = try String(contentsOfFile: folder.path("favorites.sqlite.lock"), encoding: .utf8)
        let processID = try #require(Int32(lock.split(separator: " ")[1]))
        kill(processID, SIGTERM)
        await server.waitForEnd()
    }

    private func syncs(_ trace: String) throws -> Int {
        try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n").count { $0.contains("sync(") }
    }
}
