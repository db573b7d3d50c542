import ChildProcesses
import Foundation
import Testing

/// `marvel-server check` and `marvel-server backup`, beside a server and without one.
@Suite(.timeLimit(.minutes(10)))
struct StoreCommandTests {
    @Test func aStoreInUseIsCheckedAndBackedUpAndTheCopyServes() async throws {
        let copies = try TemporaryFolder()
        let copy = copies.path("favorites.sqlite")
        try await Stand.run { stand in
            #expect(try await stand.marvel("toggle", "1009610", "--save").status == 0)
            let check = try await succeeded(marvelServer("check", stand.store))
            #expect(check.output.hasPrefix("whole\nlists      1, the longest with 1 favorites\n"), "\(check.output)")

            #expect(try await stand.marvel("toggle", "1009144", "--save").status == 0)
            let small = try await marvelServer("check", stand.store, "--capacity", "1")
            #expect(small.status == 1, "the option is the subcommand's, though a server has one of that name")

            try await succeeded(marvelServer("backup", stand.store, copy))
            let again = try await marvelServer("backup", stand.store, copy)
            #expect(again.status == 1)
            #expect(again.errors.contains("exists and was not replaced"))
            try await succeeded(marvelServer("backup", "--overwrite", stand.store, copy))
        }
        try await Stand.run(folder: copies) { stand in
            let favorites = try await stand.marvel("favorites", "--json")
            #expect(favorites.output.contains("\"id\":\"1009610\""), "\(favorites.output)")
        }
    }

    /// Deleted without a server, and a watch continues over it.
    @Test func aListIsDeletedAndItsWatchersAreNotified() async throws {
        let folder = try TemporaryFolder()
        let store = folder.path("favorites.sqlite")
        var place = ""
        try await Stand.run(folder: folder) { stand in
            let toggle = try await stand.marvel("toggle", "1009610", "--save", "--json").output
            place = try #require(toggle.split(separator: "\"").dropLast().last.map(String.init))
            let refused = try await marvelServer("lists", store, "--delete", "default")
            #expect(refused.status == 1)
            #expect(refused.errors.contains("in use by"), "\(refused.errors)")
        }
        let deleted = try await marvelServer("lists", store, "--delete", "default")
        #expect(deleted.output == "deleted default, at revision 2\n", "\(deleted.errors)")
        let unknown = try await marvelServer("lists", store, "--delete", "default")
        #expect(unknown.status == 1)
        #expect(unknown.errors == "no list default in \(store)\n")
        try await Stand.run(folder: folder) { stand in
            let watch = try await stand.marvel("watch", "--from", place, "--json", "--changes", "1")
            #expect(watch.output.contains("\"deleted\":true"), "\(watch.output)")
            #expect(watch.output.contains("\"revision\":\"2\""), "\(watch.output)")
        }
    }

    /// Exported beside a server, and imported where none has the store open.
    @Test func listsAreExportedAndImported() async throws {
        let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
        let (store, text) = (folder.path("favorites.sqlite"), folder.path("lists.jsonl"))
        try await Stand.run(folder: folder) { stand in
            for id in ["1009610", "1009144"] {
                #expect(try await stand.marvel("toggle", id, "--save", "--list", "team").status == 0)
            }
            let exported = try await marvelServer("lists", store, "--export", text)
            #expect(exported.errors == "exported 1 list with 2 favorites\n")
            #expect(exported.output == "")
            let again = try await marvelServer("lists", store, "--export", text)
            #expect(again.status == 1)
            #expect(again.errors.contains("exists and was not replaced"), "\(again.errors)")
            try await succeeded(marvelServer("lists", store, "--export", text, "--overwrite"))
            let refused = try await marvelServer("lists", store, "--import", text)
            #expect(refused.status == 1)
            #expect(refused.errors.contains("in use by"), "\(refused.errors)")
        }
        let copy = other.path("favorites.sqlite")
        let imported = try await marvelServer("lists", copy, "--import", text)
        #expect(imported.output == "imported 1 list with 2 favorites\n", "\(imported.errors)")
        let streamed = try await marvelServer("lists", copy, "--export", "-")
        #expect(streamed.output == (try String(contentsOf: URL(filePath: text), encoding: .utf8)))
        try Data("{}\n".utf8).write(to: URL(filePath: text))
        let broken = try await marvelServer("lists", copy, "--import", text)
        #expect(broken.status == 1)
        #expect(broken.errors.contains("\(text), line 1: favorites is missing"), "\(broken.errors)")
        #expect(try await marvelServer("lists", copy, "--import", text, "--export", text).status == 64)
        try await Stand.run(folder: other) { stand in
            let favorites = try await stand.marvel("favorites", "--list", "team", "--json")
            #expect(favorites.output.contains("\"id\":\"1009144\""), "\(favorites.output)")
        }
    }

    /// The place of a change that the copy does not have, shown to the restored server: the whole list and the reason, not
    /// a change of the same number.
    @Test func aWatchAfterARestoreGetsTheListAndTheReason() async throws {
        let folder = try TemporaryFolder()
        let copy = folder.path("copy.sqlite")
        var place = ""
        try await Stand.run(folder: folder) { stand in
            #expect(try await stand.marvel("toggle", "1009610", "--save").status == 0)
            #expect(try await marvelServer("backup", stand.store, copy).status == 0)
            let toggle = try await stand.marvel("toggle", "1009144", "--save", "--json").output
            place = try #require(toggle.split(separator: "\"").dropLast().last.map(String.init))
            let refused = try await marvelServer("restore", copy, stand.store)
            #expect(refused.status == 1)
            #expect(refused.errors.contains("a store exists at \(stand.store)"), "\(refused.errors)")
        }
        let store = folder.path("favorites.sqlite")
        try FileManager.default.removeItem(atPath: store)
        try await succeeded(marvelServer("restore", copy, store))
        try await Stand.run(folder: folder) { stand in
            for id in ["1009368", "1009220"] {
                #expect(try await stand.marvel("toggle", id, "--save").status == 0)
            }
            let watch = try await stand.marvel("watch", "--from", place, "--json", "--timeout", "8s")
            let first = watch.output.split(separator: "\n").first ?? ""
            #expect(first.hasPrefix("{\"snapshot\""), "\(watch)")
            #expect(first.contains("\"reset\":\"RESET_HISTORY_CHANGED\""), "\(first)")
            #expect(first.contains("\"revision\":\"4294967298\""), "\(first)")
            let favorites = try await stand.marvel("favorites", "--list", "other", "--json").output
            let other = favorites.split(separator: "\"").dropLast().last.map(String.init) ?? ""
            let wrong = try await stand.marvel("watch", "--from", other)
            #expect(wrong.status == 67, "\(wrong)")
        }
    }

    /// The store is older than its witness.
    @Test func aLossIsReportedAtEachStartUntilItIsAcknowledged() async throws {
        let folder = try TemporaryFolder()
        let store = folder.path("favorites.sqlite")
        try await Stand.run(folder: folder) { _ in }
        try Data("changes 3 last default 3 1 ".utf8).write(to: URL(filePath: store + ".witness"))
        for isKnown in [false, false, true] {
            if isKnown {
                let check = try await succeeded(marvelServer("check", store, "--acknowledge"))
                #expect(check.errors.contains("acknowledged: found 20"), "\(check.errors)")
            }
            try await Stand.run(folder: folder) { stand in
                let problems = try stand.server.logLines().compactMap { $0.members["problem"] as? String }
                #expect(problems.contains { $0.contains("the changes after 0 are lost") } == !isKnown, "\(problems)")
            }
            #expect(try await marvelServer("check", store).status == (isKnown ? 0 : 1))
        }
    }

    @Test func aRemovedStoreIsReportedByHealthAndTheLog() async throws {
        try await Stand.run { stand in
            #expect(try await stand.marvel("toggle", "1009610", "--save").status == 0)
            #expect(try await stand.marvel("health").status == 0)
            try FileManager.default.moveItem(atPath: stand.store, toPath: stand.store + ".moved")
            #expect(try await stand.marvel("toggle", "1009368", "--timeout", "10s").status == 78)
            #expect(try await stand.marvel("health").status != 0)
            #expect(try await stand.marvel("favorites").status == 0)
            #expect(stand.server.errorText.contains("favorites are read-only until a restart"))
        }
    }
}
