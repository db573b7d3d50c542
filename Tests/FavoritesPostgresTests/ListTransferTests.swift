internal import FavoritesSQLite
internal import MarvelDomain
internal import StoreContract
internal import TestDatabases
internal import Testing

@testable internal import FavoritesPostgres

/// Lists as text, out of a database and into one, beside its servers.
@Suite(.needsPostgres) struct ListTransferTests {
    private func export(_ address: String) throws -> (report: ListsExport, text: String) {
        var text: [UInt8] = []
        let report = try DatabaseSource.export(DatabaseAddress(address)) { text += $0 }
        return (report, String(decoding: text, as: UTF8.self))
    }

    private func importLists(_ text: String, into address: String) async throws -> ListsImport.Report {
        let store = try PostgresFavoritesStore.forOperator(DatabaseAddress(address), now: { .systemClock() })
        var pieces = [Array(text.utf8)]
        do {
            let report = try await ListsImport.run(into: store) { pieces.popLast() ?? [] }
            await store.close()
            return report
        } catch {
            await store.close()
            throw error
        }
    }

    private func line(_ name: String, _ ids: [Int64], owner: String, revision: Int64) throws -> String {
        let favorites = ids.map { id in
            let favorite = Favorite(character: character(id), savedAt: Timestamp(seconds: id))
            return StoreRecord.Favorite(id: id, savedRevision: 1, text: FavoriteJSON.utf8(favorite))
        }
        let owner = try #require(ListOwner(stored: owner))
        let list = StoreRecord.List(try list(name), revision: revision, owner: owner, favorites: favorites)
        return String(decoding: ListLine.text(list), as: UTF8.self)
    }

    @Test func importedListsAreExportedAndTheirWatchersGetTheChanges() async throws {
        try await withStores(1, .init(capacity: 3)) { server, address, stores in
            let (server, team) = (stores[0], try list("team"))
            let recorder = FeedRecorder(server)
            for id: Int64 in [1, 2] { try await server.toggle(id, on: team) }
            let text = try line("empty", [], owner: "", revision: 1) + line("team", [2, 3], owner: "anna", revision: 5)
            let report = try await importLists(text, into: address)
            #expect((report.changedCount, report.unchangedCount, report.favoriteCount) == (2, 0, 2))
            await recorder.wait(for: 5, of: team)
            #expect(try await server.ids(team) == [2, 3])
            let exported = try export(address)
            #expect(exported.text == text)
            #expect((exported.report.listCount, exported.report.favoriteCount) == (2, 2))
            let changes = try await server.allChanges(of: team, after: 2)
            #expect(changes.map(\.isDeletion) == [true, false, false])
            #expect(changes.map(\.saved?.character.id) == [nil, 2, 3])

            let again = try await importLists(text, into: address)
            #expect((again.changedCount, again.unchangedCount) == (0, 2))
            let given = try await importLists(line("team", [2, 3], owner: "berta", revision: 1), into: address)
            #expect(given.changedCount == 1)
            // The text of an earlier version has no owner.
            let old = try line("team", [3], owner: "", revision: 1).replacing(#""owner":"","#, with: "")
            #expect(try await importLists(old, into: address).changedCount == 1)
            #expect(try export(address).text.contains(#""list":"team","owner":"berta""#))
            try await server.toggle(4, on: team)
            #expect(try await server.ids(team) == [3, 4])
            #expect(try DatabaseCheck.check(DatabaseAddress(address)).problems == [])
        }
    }

    @Test func anExportSkipsDamagedAndDeletedLists() async throws {
        try await withStores { server, address, stores in
            for name in ["a", "b", "c", "d"] { try await stores[0].toggle(1, on: list(name)) }
            _ = try await stores[0].delete(list("d"))
            try await server.run("UPDATE marvel.lists SET owner = 'eve' WHERE name = 'a'", in: address)
            try await server.run("UPDATE marvel.favorites SET snapshot = '{}' WHERE list = 'c'", in: address)
            let (report, text) = try export(address)
            #expect(report.damagedLists == [try list("a"), try list("c")])
            #expect(report.listCount == 1 && text.contains(#""list":"b""#), "\(text)")
        }
    }
}
