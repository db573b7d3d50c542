import Foundation
import TestDatabases
import Testing

/// Servers that keep favorites in one PostgreSQL database.
@Suite(
    .timeLimit(.minutes(10)),
    .enabled(if: PostgresServer.installed != nil, "PostgreSQL's server programs are not installed")
)
struct DatabaseTests {
    @Test func anEditThroughOneServerOrByTheOperatorIsShownByTheOther() async throws {
        try await DatabaseStand.run(2, ["--allow-edits"]) { stand in
            /// Asks the second server until it answers with a name. Each call starts a program, so some seconds pass.
            func expectShown(_ name: String, by command: String...) async throws {
                var output = ""
                for _ in 0..<100 where !output.contains("\"\(name)\"") {
                    let call = ["--server", stand.address(1)] + command + ["--json"]
                    output = try await RunningProgram.run("marvel", call).output
                }
                #expect(output.contains("\"\(name)\""), "\(output)")
            }
            func change(_ program: String, _ arguments: String...) async throws {
                try await succeeded(RunningProgram.run(program, arguments))
            }
            try await change("marvel", "--server", stand.address(0), "create", "--name", "Qwerty-Man")
            try await expectShown("Qwerty-Man", by: "search", "Qwerty-Man")
            try await change("marvel", "--server", stand.address(0), "edit", "1009351", "--name", "Joe Fixit")
            try await expectShown("Joe Fixit", by: "show", "1009351")
            try await change("marvel-server", "revert", stand.store, "1009351")
            try await expectShown("Hulk", by: "show", "1009351")
        }
    }
}
