import ChildProcesses
import Foundation
import Testing

/// Stores in which a stranger has put more than a server does.
@Suite(.timeLimit(.minutes(10)), .enabled(if: FileManager.default.isExecutableFile(atPath: python)))
struct StrangeStoreTests {
    /// Runs SQL on a store that a server may have open.
    private func execute(_ sql: String, on store: String) async throws {
        let program = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])"
        try await succeeded(RunningProgram.run(python, ["-c", program, store, sql]))
    }

    /// SQLite evaluates this index within one function, which nothing interrupts.
    @Test func anEndlessStatementDoesNotKeepTheServerFromStopping() async throws {
        let folder = try TemporaryFolder()
        let server = try RunningProgram(
            "marvel-server",
            [
                "--framed", "127.0.0.1:0", "--store", folder.path("favorites.sqlite"), "--set",
                "limits.drain-timeout=1s",
            ]
        )
        let address = try await server.listeningAddress()
        let hang = "instr(hex(zeroblob(2000000)), hex(zeroblob(500000)) || '1') + revision"
        try await execute("CREATE INDEX hang ON changes ((\(hang)))", on: folder.path("favorites.sqlite"))
        let toggle = ["--server", address, "toggle", "1009610", "--timeout", "1s"]
        #expect(try await RunningProgram.run("marvel", toggle).status == 68)
        server.send(SIGTERM)
        #expect(await server.waitForEnd() == 1)
        #expect(server.errorText.contains("the server stopped without closing its store"), "\(server.errorText)")
    }
}

private let python = "/usr/bin/python3"
