import ChildProcesses
import Foundation
import MarvelClient
import Testing

/// The disk claims a write that it did not make. The store is whole to SQLite, and older: what was
/// acknowledged is lost, and the next start says so, and what.
@Suite(.timeLimit(.minutes(10)), .enabled(if: canTrace))
struct LyingDiskTests {
    /// The writes of a thread to the log: a start has five, a commit more than twenty.
    @Test(arguments: [8, 12, 20]) func lostWritesAreDetectedAtTheNextStart(_ number: Int) async throws {
        let folder = try TemporaryFolder()
        // Made by a server without a fault: what is counted is nearly all of the toggles.
        try await Stand.run(folder: folder) { _ in }
        let acknowledged = try await toggle(on: folder, "pwrite64:retval=4096:when=\(number)")
        try await Stand.run(folder: folder) { stand in
            let client = try client(at: stand.address)
            let stored = try await client.favorites().list.revision
            await client.shutdown()
            // Whoever has seen more continues in another history.
            #expect(stored == 1 << 32)
            let problems = try stand.server.logLines().compactMap { $0.members["problem"] as? String }
            let words = ["list default is at revision ", "acknowledged up to \(acknowledged)", " are lost"]
            #expect(problems.contains { problem in words.allSatisfy(problem.contains) }, "\(problems)")
        }
    }

    /// Toggles at a server whose disk lies, and kills it.
    ///
    /// - Returns: The last revision that was acknowledged.
    private func toggle(on folder: TemporaryFolder, _ injection: String) async throws -> Int64 {
        let store = folder.path("favorites.sqlite")
        let options = ["--trace=pwrite64", "--trace-path=\(store)-wal", "--inject=\(injection)"]
        let server = try RunningProgram.traced(options, store: store)
        let client = try client(at: await server.listeningAddress())
        var acknowledged: Int64 = 0
        for _ in 0..<12 {
            // It may come to read what was never written, and refuse to continue.
            guard let answer = try? await client.toggleFavorite(1_009_610) else { break }
            acknowledged = answer.revision
        }
        await client.shutdown()
        try await server.endTraced(store: store, by: SIGKILL)
        return acknowledged
    }

    private func client(at address: String) throws -> MarvelClient {
        MarvelClient(servers: [try #require(ServerEndpoint(address))], retries: false)
    }
}
