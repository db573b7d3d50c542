internal import FavoritesSQLite
internal import Foundation
internal import MarvelDomain
internal import StoreContract
internal import TestDatabases
internal import Testing

@testable internal import FavoritesPostgres

/// Lists and edits as text, out of a database and into one, beside its servers.
@Suite(.needsPostgres) struct ListTransferTests {
    private func export(_ address: String) throws -> (report: ListsExport, text: String) {
        var text: [UInt8] = []
        let report = try DatabaseSource.export(DatabaseAddress(address)) { text += $0 }
        return (report, String(decoding: text, as: UTF8.self))
    }

    private func importLists(_ text: String, into address: String) async throws -> ListsImport.Report {
        let store = try PostgresFavoritesStore.forOperator(
            DatabaseAddress(address),
            isCreating: true,
            now: { .systemClock() }
        )
        var pieces = [Array(text.utf8)]
        do {
            let report = try await ListsImport.run(into: store, edits: store.edits) {
                pieces.popLast() ?? []
            }
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

    /// Without their favorites or their own rows, lists would be exported as others.
    @Test(arguments: ["favorites WHERE list = 'bad' AND character_id = 2", "lists WHERE name = 'bad'"])
    func aListWithMissingRowsIsNotExported(_ rows: String) async throws {
        try await withStores { server, address, stores in
            for id: Int64 in 1...2 { try await stores[0].toggle(id, on: try list("bad")) }
            try await stores[0].toggle(1, on: try list("good"))
            try await server.run("SET session_replication_role = replica; DELETE FROM marvel.\(rows)", in: address)
            let exported = try export(address)
            #expect(exported.report.damagedLists == [try list("bad")])
            #expect(exported.report.listCount == 1 && exported.text.contains(#""list":"good""#))
        }
    }

    /// The way of a store from a file to a database, and back.
    @Test func aStoreMovesToADatabaseAndBackAsText() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "move-\(UInt64.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func open(_ name: String) throws -> SQLiteFavoritesStore {
            try SQLiteFavoritesStore(path: folder.appending(path: name).path, capacity: 3)
        }
        func text(of name: String) throws -> String {
            var text: [UInt8] = []
            _ = try StoredLists.export(folder.appending(path: name).path) { text += $0 }
            return String(decoding: text, as: UTF8.self).replacing(/"revision":\d+/, with: "\"revision\":0")
        }
        let old = try open("old")
        for (name, owner) in [("team", ListOwner.named("anna")), ("other", .nobody)] {
            for id: Int64 in [3, 1, 2] {
                let toggle = Toggle(list: try list(name), characterID: id, request: nil, owner: owner)
                _ = try await old.toggle(toggle, character: character(id), deadline: nil)
            }
        }
        let edit = CharacterEdit(name: "Näme", comicCount: 3, urls: [CharacterURL(type: "wiki", url: "http://a/?b")])
        let picture = Picture(bytes: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 255], mediaType: .png)
        for target in [EditOrder.Target.existing(7), .new(nil), .existing(9)] {
            _ = try await old.edits.write(EditOrder(target, edit, picture: .set(picture))) { target == .existing($0) }
        }
        _ = try await old.edits.write(EditOrder(.reverted(7))) { _ in false }
        await old.close()
        let expected = try text(of: "old")

        let address = try await PostgresServer.shared().makeDatabase()
        for _ in 1...2 {
            let report = try await importLists(expected, into: address)
            #expect((report.changedCount + report.unchangedCount, report.favoriteCount, report.editCount) == (2, 6, 3))
        }
        let exported = try export(address)
        #expect(exported.text.replacing(/"revision":\d+/, with: "\"revision\":0") == expected)
        #expect(exported.report.editCount == 3)
        let check = try DatabaseCheck.check(DatabaseAddress(address))
        #expect(check.problems == [] && check.editCount == 3)
        let store = try await PostgresFavoritesStore.open(address)
        let created = EditedCharacter.createdIDs.lowerBound
        #expect(try await store.edits.picture(of: created) == picture)
        let next = try await store.edits.write(EditOrder(.new(nil), CharacterEdit(name: "B"))) { _ in false }
        #expect(next.id == created + 1)
        #expect(next.revision == 4, "the second import changed nothing")
        await store.close()

        let new = try SQLiteFavoritesStore.forOperator(folder.appending(path: "new").path, isCreating: true) { _ in }
        var pieces = [Array(exported.text.utf8)]
        _ = try await ListsImport.run(into: new, edits: new.edits) {
            pieces.popLast() ?? []
        }
        await new.close()
        #expect(try text(of: "new") == expected)
        #expect(try StoreCheck.check(folder.appending(path: "new").path).problems == [])
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
