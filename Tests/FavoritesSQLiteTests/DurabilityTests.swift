internal import Foundation
internal import MarvelDomain
internal import SQLiteFiles
internal import Testing

@testable internal import FavoritesSQLite

@Suite(.temporaryFolder) struct DurabilityTests {
    @Test func aStoreThatWasNeverClosedHasAllThatWasAcknowledged() async throws {
        let store = try SQLiteFavoritesStore(path: path)
        for id: Int64 in 1...5 { try await store.toggle(id) }

        // A machine that stops here leaves the file and its log as they are.
        let copy = "\(folder)/copy.db"
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
        }
        let recovered = try SQLiteFavoritesStore(path: copy)
        #expect(try await recovered.ids() == [1, 2, 3, 4, 5])
        await recovered.close()
        await store.close()
    }

    @Test func theWriterSyncsEachCommit() async throws {
        let store = try SQLiteFavoritesStore(path: "\(folder)/favorites.db")
        let settings = try store.database.sync { db in
            try ["journal_mode", "synchronous", "foreign_keys", "wal_autocheckpoint"].map {
                try db.value("PRAGMA \($0)", as: SQLValue.self)
            }
        }
        let wanted: [SQLValue?] = ["wal".sqlValue, 2.sqlValue, 1.sqlValue, 0.sqlValue]
        #expect(settings == wanted)
        await store.close()
    }

    @Test func aClosedStoreIsWholeWithoutItsLog() async throws {
        let store = try SQLiteFavoritesStore(path: path)
        for id: Int64 in 1...5 { try await store.toggle(id) }
        // A reader that is open when the store closes keeps SQLite from copying the log by itself.
        #expect(try await store.ids() == [1, 2, 3, 4, 5])
        await store.close()

        try FileManager.default.copyItem(atPath: path, toPath: "\(folder)/copy.db")
        let copy = try SQLiteFavoritesStore(path: "\(folder)/copy.db")
        #expect(try await copy.ids() == [1, 2, 3, 4, 5])
        await copy.close()
    }

    @Test func aClosedStoreRefusesPlainly() async throws {
        let store = try SQLiteFavoritesStore(path: "\(folder)/favorites.db")
        try await store.toggle(1)
        await store.close()
        await #expect(throws: StoreError.notWritable("the store is closed")) { try await store.toggle(2) }
        await #expect(throws: StoreError.self) { try await store.favorites(.default) }
    }
}
