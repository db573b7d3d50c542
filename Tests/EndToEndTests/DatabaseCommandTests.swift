import Foundation
import TestDatabases
import Testing

/// The commands for stores in databases, as an operator runs them.
@Suite(
    .timeLimit(.minutes(3)),
    .enabled(if: PostgresServer.installed != nil, "PostgreSQL's server programs are not installed")
)
struct DatabaseCommandTests {
    private func server(_ arguments: String...) async throws -> (status: Int32, output: String, errors: String) {
        try await RunningProgram.run("marvel-server", arguments)
    }

    @Test func aStoreIsMovedToADatabaseWithItsWatchersAndBackedUpThere() async throws {
        let database = try await PostgresServer.shared()
        let (address, other) = (try await database.makeDatabase(), try await database.makeDatabase())
        let folder = try TemporaryFolder()
        let store = folder.path("favorites.sqlite")
        var place = ""
        try await Stand.run(folder: folder) { stand in
            let toggle = try await stand.marvel("toggle", "1009610", "--save", "--json").output
            place = try #require(toggle.split(separator: "\"").dropLast().last.map(String.init))
            #expect(try await stand.marvel("toggle", "1009144", "--save").status == 0)
            let refused = try await server("copy", store, address)
            #expect(refused.status == 1)
            #expect(refused.errors.contains("in use by"), "\(refused.errors)")
        }
        let copied = try await server("copy", store, address, "--capacity", "7")
        #expect(copied.status == 0, "\(copied.errors)")
        #expect(copied.output.hasPrefix("whole\nlists      1, the longest with 2 favorites\n"), "\(copied.output)")
        #expect(copied.output.hasSuffix("\ncapacity   7\n"), "\(copied.output)")

        // The later --store counts.
        try await Stand.run(serverArguments: ["--store", address], folder: folder) { stand in
            let watch = try await stand.marvel("watch", "--from", place, "--json", "--timeout", "2s")
            #expect(watch.output.contains("\"id\":\"1009144\""), "\(watch.output)")
            #expect(!watch.output.contains("\"snapshot\""), "\(watch.output)")
            let refused = try await server("copy", address, folder.path("back.sqlite"))
            #expect(refused.status == 1)
            #expect(refused.errors.contains("servers are connected"), "\(refused.errors)")
            let check = try await server("check", address, "--json")
            #expect(check.status == 0, "\(check.errors)")
            #expect(check.output.contains("\"keptChangeCount\":2"), "\(check.output)")
            let backup = try await server("backup", address, folder.path("backup.sqlite"))
            #expect(backup.status == 0, "\(backup.errors)")
        }
        let restored = try await server("restore", folder.path("backup.sqlite"), other)
        #expect(restored.status == 0, "\(restored.errors)")
        let check = try await server("check", other)
        #expect(check.output.hasPrefix("whole\nlists      1, the longest with 2 favorites\n"), "\(check.output)")
        let again = try await server("restore", folder.path("backup.sqlite"), other)
        #expect(again.errors.contains("not empty"), "\(again.errors)")
        let back = try await server("copy", address, folder.path("back.sqlite"))
        #expect(back.status == 0, "\(back.errors)")
    }

    @Test func editsOfCharactersMoveWithTheirStore() async throws {
        let database = try await PostgresServer.shared()
        var addresses: [String] = []
        for _ in 0..<4 { addresses.append(try await database.makeDatabase()) }
        let folder = try TemporaryFolder()
        let edited = try await server("edit", "--new", "--name", "Qwerty-Man", "--store", addresses[0])
        #expect(edited.status == 0, "\(edited.errors)")
        _ = try await server("edit", "1009351", "--name", "Joe Fixit", "--store", addresses[0])
        let shown = try await server("edit", "1009351", "--store", addresses[0]).output
        func expectEdits(_ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation) async throws {
            let edit = try await RunningProgram.run("marvel-server", ["edit", "1009351"] + arguments)
            #expect(edit.output == shown && shown.contains("Joe Fixit"), "\(edit)", sourceLocation: sourceLocation)
        }
        let copied = try await server("copy", addresses[0], addresses[1])
        #expect(copied.status == 0, "\(copied.errors)")
        try await expectEdits("--store", addresses[1])

        let (backup, file) = (folder.path("backup.sqlite"), folder.path("favorites.sqlite"))
        let backedUp = try await server("backup", addresses[1], backup)
        #expect(backedUp.errors.contains("edits of 2 characters are in \(backup).edits"), "\(backedUp.errors)")
        try await expectEdits("--edits", backup + ".edits")
        #expect(try await server("backup", addresses[1], backup, "--overwrite").status == 0)
        let restored = try await server("restore", backup, addresses[2])
        #expect(restored.status == 0, "\(restored.errors)")
        try await expectEdits("--store", addresses[2])

        let moved = try await server("copy", addresses[2], file, "--edits", folder.path("edits.sqlite"))
        #expect(moved.status == 0, "\(moved.errors)")
        try await expectEdits("--store", file)
        let missing = try await server("copy", file, addresses[3], "--edits", folder.path("other.sqlite"))
        #expect(missing.status == 1 && missing.errors.contains("there is no file of edits"), "\(missing.errors)")
        let back = try await server("copy", file, addresses[3], "--edits", folder.path("edits.sqlite"))
        #expect(back.status == 0, "\(back.errors)")
        try await expectEdits("--store", addresses[3])
        let again = try await server("restore", backup, addresses[3])
        #expect(again.errors.contains("not empty"), "\(again.errors)")
    }

    @Test func whatFitsNotTheKindOfStoreIsRefused() async throws {
        let address = "postgresql:///x?host=/nonexistent"
        for arguments in [
            ["copy", "a.sqlite", "b.sqlite"], ["copy", address, "b.sqlite", "--capacity", "3"],
            ["copy", address, address, "--edits", "e.sqlite"],
            ["check", address, "--acknowledge"], ["restore", "a.sqlite", address, "--overwrite"],
            ["restore", "a.sqlite", "b.sqlite", "--capacity", "3"], ["lists", address],
        ] {
            let run = try await RunningProgram.run("marvel-server", arguments)
            #expect(run.status == 64, "\(arguments): \(run.errors)")
        }
        for command in ["check", "backup", "copy"] {
            let secret = "postgresql://anna:swordfish@127.0.0.1/x"
            let further = command == "check" ? [] : ["copy.sqlite"]
            let run = try await RunningProgram.run("marvel-server", [command, secret] + further)
            #expect(run.status == 64)
            #expect(run.errors.contains("password") && !run.errors.contains("swordfish"), "\(run.errors)")
        }
    }
}
