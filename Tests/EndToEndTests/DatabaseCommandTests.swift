import ChildProcesses
import Foundation
import TestDatabases
import Testing

/// The commands for stores in databases, as an operator runs them.
@Suite(
    .timeLimit(.minutes(10)),
    .enabled(if: PostgresServer.installed != nil, "PostgreSQL's server programs are not installed")
)
struct DatabaseCommandTests {
    @Test func aStoreMovesToADatabaseAndBack() async throws {
        let address = try await PostgresServer.shared().makeDatabase()
        let folder = try TemporaryFolder()
        let (old, new, text) = (folder.path("old.sqlite"), folder.path("new.sqlite"), folder.path("lists.jsonl"))
        var place = ""
        try await Stand.run(serverArguments: ["--store", old, "--allow-edits"], folder: folder) { stand in
            let toggle = try await stand.marvel("toggle", "1009610", "--save", "--json").output
            place = try #require(toggle.split(separator: "\"").dropLast().last.map(String.init))
            #expect(try await stand.marvel("create", "--name", "Qwerty-Man").status == 0)
            #expect(try await stand.marvel("edit", "1009351", "--name", "Joe Fixit").status == 0)
        }
        for (from, to) in [(old, address), (address, new)] {
            let exported = try await succeeded(marvelServer("lists", from, "--export", text, "--overwrite"))
            #expect(exported.errors == "exported 1 list with 1 favorite and 2 edits\n")
            let imported = try await succeeded(marvelServer("lists", to, "--import", text))
            #expect(imported.output == "imported 1 list with 1 favorite and 2 edits\n")
        }
        for store in [address, new] {
            try await Stand.run(serverArguments: ["--store", store], folder: folder) { stand in
                for name in ["Joe Fixit", "Qwerty-Man"] {
                    let found = try await stand.marvel("search", name, "--json")
                    #expect(found.output.contains("\"name\":\"\(name)\""), "\(store): \(found)")
                }
                let watch = try await stand.marvel("watch", "--from", place, "--json", "--timeout", "8s")
                #expect(watch.output.hasPrefix("{\"snapshot\""), "\(watch.output)")
                #expect(watch.output.contains("\"reset\":\"RESET_HISTORY_CHANGED\""), "\(watch.output)")
                guard store == address else { return }
                let deleted = try await marvelServer("lists", address, "--delete", "default")
                #expect(deleted.output == "deleted default, at revision 2\n", "\(deleted.errors)")
                // The server is told of it a moment later.
                try await wait(for: "the deletion") {
                    try await !stand.marvel("favorites").output.contains("1009610")
                }
            }
        }
        let reverted = try await marvelServer("revert", address, "1009351")
        #expect(reverted.output == "reverted 1009351, at revision 3\n", "\(reverted)")
    }

    @Test func wrongOptionsOfStoresAreRefused() async throws {
        let address = "postgresql:///x?host=/nonexistent"
        for arguments in [
            ["check", address, "--acknowledge"], ["restore", "a.sqlite", address], ["backup", address, "b.sqlite"],
            ["lists", address], ["lists", "a.sqlite"],
        ] {
            let run = try await RunningProgram.run("marvel-server", arguments)
            #expect(run.status == 64, "\(arguments): \(run.errors)")
        }
        let secret = "postgresql://anna:swordfish@127.0.0.1/x"
        for arguments in [["check", secret], ["backup", secret, "copy.sqlite"]] {
            let run = try await RunningProgram.run("marvel-server", arguments)
            #expect(run.status == 64)
            #expect(!run.errors.contains("swordfish"), "\(run.errors)")
        }
    }
}
