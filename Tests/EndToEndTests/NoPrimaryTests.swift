import Foundation
import MarvelClient
import TestDatabases
import Testing
import WireClients

/// The answers of two servers while their common database is stopped, and after its restart.
@Suite(
    .timeLimit(.minutes(10)),
    .enabled(if: PostgresServer.installed != nil, "PostgreSQL's server programs are not installed")
)
struct NoPrimaryTests {
    /// Returns the number of open watches of a server.
    private func watchCount(_ stand: DatabaseStand, _ number: Int) async throws -> Int? {
        let metrics = try await stand.get("/metrics", of: number).body
        let line = metrics.split(separator: "\n").first { $0.hasPrefix("marvel_watches ") }
        return line?.split(separator: " ").last.flatMap { Int($0) }
    }

    @Test func aWatchThatMovesToTheOtherServerContinuesAndItsReaderLearnsNothing() async throws {
        try await DatabaseStand.run(ownsDatabase: true) { stand in
            _ = try await stand.marvel("toggle", "1009610")
            let watch = try RunningProgram(
                "marvel",
                ["--server", stand.addresses, "watch", "--json", "--changes", "1"]
            )
            try await wait(for: "a snapshot") { watch.outputText.contains("snapshot") }
            for number in 0...1 {
                try await wait(for: "the change") {
                    try await stand.marvel("favorites", "--json", to: number).output.contains("1009610")
                }
            }
            try await stand.database.pause()
            let first = try await watchCount(stand, 0) == 1 ? 0 : 1
            let other = 1 - first
            await stand.end(first, by: SIGKILL)
            try await wait(for: "the watch") { try await watchCount(stand, other) == 1 }
            // It is asked after the watch has moved. When it fails, a question of the watch would have failed too.
            let lists = try await stand.marvel("lists", to: other)
            #expect(lists.output.isEmpty && !lists.errors.isEmpty)
            try await stand.database.resume()
            try await wait(for: "a toggle") {
                try await stand.marvel("-q", "toggle", "1009351", "--save", to: other).errors.isEmpty
            }
            #expect(await watch.waitForEnd() == 0)
            #expect(watch.errorText.isEmpty, "\(watch.errorText)")
            let lines = watch.outputText.split(separator: "\n")
            #expect(lines.count { $0.contains("snapshot") } == 1)
            #expect(lines.last?.contains("1009351") == true)
        }
    }
}
