import Foundation
import MarvelClient
import Testing

/// A disk that is slow. `deploy/trial` has disks that fail.
@Suite(.timeLimit(.minutes(3)), .enabled(if: FileManager.default.isExecutableFile(atPath: strace)))
struct DiskFaultTests {
    @Test func slowCommitsAreLogged() async throws {
        let folder = try TemporaryFolder()
        // Made by a server without a fault: a first start syncs dozens of times.
        try await Stand.run(folder: folder) { _ in }
        let server = try RunningProgram(
            strace,
            [
                "--follow-forks", "--output=/dev/null", "--seccomp-bpf", "--trace=fdatasync",
                "--inject=fdatasync:delay_enter=1200000",
                RunningProgram.folder.appending(path: "marvel-server").path,
                "--framed", "127.0.0.1:0", "--store", folder.path("favorites.sqlite"),
            ]
        )
        let address = try await server.listeningAddress()
        let client = MarvelClient(servers: [try #require(ServerAddress(address))], retries: false)
        _ = try await client.toggleFavorite(1_009_610)
        try await server.waitForError(containing: "commits are slow")
        await client.shutdown()
        let line = try #require(try server.logLines().first { $0.message == "serving" })
        kill(pid_t(try #require(line.members["pid"] as? Int)), SIGTERM)
        #expect(await server.waitForEnd() == 0)
    }
}

private let strace = "/usr/bin/strace"
