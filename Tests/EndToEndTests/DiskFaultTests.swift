import ChildProcesses
import Foundation
import MarvelClient
import Testing

/// A disk that is slow. `deploy/trial` has disks that fail.
@Suite(.timeLimit(.minutes(3)), .enabled(if: canTrace))
struct DiskFaultTests {
    @Test func slowCommitsAreLogged() async throws {
        let folder = try TemporaryFolder()
        // Made by a server without a fault: a first start syncs dozens of times.
        try await Stand.run(folder: folder) { _ in }
        let store = folder.path("favorites.sqlite")
        let server = try RunningProgram.traced(
            ["--seccomp-bpf", "--trace=fdatasync", "--inject=fdatasync:delay_enter=1200000"],
            store: store
        )
        let address = try await server.listeningAddress()
        let client = MarvelClient(servers: [try #require(ServerEndpoint(address))], retries: false)
        _ = try await client.toggleFavorite(1_009_610)
        try await server.waitForError(containing: "commits are slow")
        await client.shutdown()
        #expect(try await server.endTraced(store: store, by: SIGTERM) == 0)
    }
}
