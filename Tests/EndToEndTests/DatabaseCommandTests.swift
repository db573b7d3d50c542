import Foundation
import TestDatabases
import Testing

/// The commands for stores in databases, as an operator runs them.
@Suite(
    .timeLimit(.minutes(3)),
    .enabled(if: PostgresServer.installed != nil, "PostgreSQL's server programs are not installed")
)
struct DatabaseCommandTests {
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
            let refused = try await marvelServer("copy", store, address)
            #expect(refused.status == 1)
            #expect(refused.errors.contains("in use by"), "\(refused.errors)")
        }
        let copied = try await succeeded(marvelServer("copy", store, address, "--capacity", "7"))
        #expect(copied.output.hasPrefix("whole\nlists      1, the longest with 2 favorites\n"), "\(copied.output)")
        #expect(copied.output.hasSuffix("\ncapacity   7\n"), "\(copied.output)")

        // The later --store counts.
        try await Stand.run(serverArguments: ["--store", address], folder: folder) { stand in
            let watch = try await stand.marvel("watch", "--from", place, "--json", "--timeout", "2s")
            #expect(watch.output.contains("\"id\":\"1009144\""), "\(watch.output)")
            #expect(!watch.output.contains("\"snapshot\""), "\(watch.output)")
            let refused = try await marvelServer("copy", address, folder.path("back.sqlite"))
            #expect(refused.status == 1)
            #expect(refused.errors.contains("servers are connected"), "\(refused.errors)")
            let check = try await succeeded(marvelServer("check", address, "--json"))
            #expect(check.output.contains("\"keptChangeCount\":2"), "\(check.output)")
            try await succeeded(marvelServer("backup", address, folder.path("backup.sqlite")))
        }
        try await succeeded(marvelServer("restore", folder.path("backup.sqlite"), other))
        let check = try await marvelServer("check", other)
        #expect(check.output.hasPrefix("whole\nlists      1, the longest with 2 favorites\n"), "\(check.output)")
        let again = try await marvelServer("restore", folder.path("backup.sqlite"), other)
        #expect(again.errors.contains("not empty"), "\(again.errors)")
        try await succeeded(marvelServer("copy", address, folder.path("back.sqlite")))
    }

    @Test func listsMoveAsTextBesideARunningServer() async throws {
        let address = try await PostgresServer.shared().makeDatabase()
        let folder = try TemporaryFolder()
        let (file, text) = (folder.path("old.sqlite"), folder.path("lists.jsonl"))
        try await Stand.run(serverArguments: ["--store", file], folder: folder) { stand in
            let saved = try await stand.marvel("toggle", "1009610", "--save", "--list", "team")
            #expect(saved.status == 0)
        }
        #expect(try await marvelServer("lists", file, "--export", text).status == 0)
        try await Stand.run(serverArguments: ["--store", address], folder: folder) { stand in
            let imported = try await marvelServer("lists", address, "--import", text)
            #expect(imported.output == "imported 1 list with 1 favorite\n", "\(imported.errors)")
            let favorites = try await stand.marvel("favorites", "--list", "team", "--json")
            #expect(favorites.output.contains("\"id\":\"1009610\""), "\(favorites)")
            let exported = try await marvelServer("lists", address, "--export", "-")
            #expect(exported.output == (try String(contentsOf: URL(filePath: text), encoding: .utf8)))
            let deleted = try await marvelServer("lists", address, "--delete", "team")
            #expect(deleted.output == "deleted team, at revision 2\n", "\(deleted.errors)")
            // The server is told of it a moment later.
            try await wait(for: "the deletion") {
                try await !stand.marvel("favorites", "--list", "team").output.contains("1009610")
            }
        }
    }

    @Test func editsOfCharactersMoveWithTheirStore() async throws {
        let database = try await PostgresServer.shared()
        var addresses: [String] = []
        for _ in 0..<3 { addresses.append(try await database.makeDatabase()) }
        let folder = try TemporaryFolder()
        let (backup, file) = (folder.path("backup.sqlite"), folder.path("back.sqlite"))
        try await Stand.run(serverArguments: ["--store", addresses[0], "--allow-edits"], folder: folder) { stand in
            #expect(try await stand.marvel("create", "--name", "Qwerty-Man").status == 0)
            #expect(try await stand.marvel("edit", "1009351", "--name", "Joe Fixit").status == 0)
            let backedUp = try await marvelServer("backup", addresses[0], backup)
            #expect(backedUp.output.contains("\nedits      2\n"), "\(backedUp)")
        }
        for arguments in [
            ["copy", addresses[0], addresses[1]], ["restore", backup, addresses[2]], ["copy", addresses[1], file],
        ] {
            let run = try await RunningProgram.run("marvel-server", arguments)
            #expect(run.status == 0 && run.output.contains("\nedits      2\n"), "\(run)")
        }
        for store in addresses[1...] + [file, backup] {
            try await Stand.run(serverArguments: ["--store", store], folder: folder) { stand in
                for name in ["Joe Fixit", "Qwerty-Man"] {
                    let found = try await stand.marvel("search", name, "--json")
                    #expect(found.output.contains("\"name\":\"\(name)\""), "\(store): \(found)")
                }
            }
        }
        let reverted = try await marvelServer("revert", addresses[1], "1009351")
        #expect(reverted.output == "reverted 1009351, at revision 3\n", "\(reverted)")
    }

    @Test func optionsForTheOtherKindOfStoreAreRefused() async throws {
        let address = "postgresql:///x?host=/nonexistent"
        for arguments in [
            ["copy", "a.sqlite", "b.sqlite"], ["copy", address, "b.sqlite", "--capacity", "3"],
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
