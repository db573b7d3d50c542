internal import Foundation
internal import MarvelDomain
internal import SQLiteFiles
internal import Testing

@testable internal import FavoritesSQLite

/// Files that are no store, or none that this program may write: refused, and left as they were.
@Suite(.temporaryFolder) struct RefusedFileTests {

    @Test func anotherProgramsDatabaseIsNotAStore() async throws {
        try await expectRefusal("another program's SQLite database") {
            try await change(path, "CREATE TABLE notes (text TEXT)")
        }
    }

    @Test func aNewerSchemaIsRefusedByItsNumber() async throws {
        try await expectRefusal("has schema version \(StoreSchema.version + 1),") {
            try await makeStore()
            try await change(path, "PRAGMA user_version = \(StoreSchema.version + 1)")
        }
    }

    /// A newer program that was killed leaves its version number in the log.
    @Test func aNewerSchemaInTheLogIsRefusedToo() async throws {
        try await expectRefusal("has schema version \(StoreSchema.version + 1),") {
            let original = path + "-original"
            let store = try SQLiteFavoritesStore(path: original)
            try store.database.sync { db in
                try db.checkpoint(.truncate)
                try db.execute("PRAGMA user_version = \(StoreSchema.version + 1)")
            }
            for suffix in ["", "-wal"] {
                try FileManager.default.copyItem(atPath: original + suffix, toPath: path + suffix)
            }
            await store.close()
        }
    }

    @Test func aDamagedStoreIsRefused() async throws {
        try await expectRefusal("restore a copy") {
            try await makeStore()
            let file = try FileHandle(forUpdating: URL(filePath: path))
            // The kind of page 3, and where its cells are.
            try file.seek(toOffset: 2 * 4096)
            try file.write(contentsOf: [UInt8](repeating: 0xA5, count: 64))
            try file.close()
        }
    }

    @Test func aStoreThatWasCutShortIsRefused() async throws {
        try await expectRefusal("restore a copy") {
            try await makeStore()
            let file = try FileHandle(forUpdating: URL(filePath: path))
            try file.truncate(atOffset: 3 * 4096)
            try file.close()
        }
    }

    @Test func anEmptyFileBecomesAStore() async throws {
        try Data().write(to: URL(filePath: path))
        let store = try SQLiteFavoritesStore(path: path)
        try await store.toggle(1)
        await store.close()
    }

    private func expectRefusal(_ message: String, of make: () async throws -> Void) async throws {
        try await make()
        let before = try contents(path)
        let error = #expect(throws: FavoritesStoreOpenError.self) { try SQLiteFavoritesStore(path: path) }
        let refusal = try #require(error)
        #expect(refusal.message.contains(message))
        #expect(try contents(path) == before)
    }

    /// The file and its log; an empty log is none.
    private func contents(_ path: String) throws -> [Data] {
        [try Data(contentsOf: URL(filePath: path)), (try? Data(contentsOf: URL(filePath: path + "-wal"))) ?? Data()]
    }
}
