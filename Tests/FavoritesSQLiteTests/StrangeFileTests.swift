internal import Foundation
internal import MarvelDomain
internal import SQLiteFiles
internal import Synchronization
internal import Testing

@testable internal import FavoritesSQLite

/// Stores that a stranger made or changed: refused by name, by the server and by each command, and not changed.
@Suite(.temporaryFolder, .timeLimit(.minutes(10))) struct StrangeFileTests {
    private static let endless = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"

    /// Runs all that reads a store, and returns what each said.
    private func refusals(of path: String, in folder: String) -> [String] {
        func error(_ body: () throws -> Void) -> String {
            do {
                try body()
                return "it was taken"
            } catch {
                return "\(error)"
            }
        }
        return [
            error { _ = try SQLiteFavoritesStore(path: path) },
            error { _ = try StoreCheck.check(path) },
            error { _ = try StoreBackup.copy(path, to: "\(folder)/copy.db") },
            error { _ = try StoreRestore.restore(path, to: "\(folder)/restored.db") },
            error { _ = try StoredLists.export(path) { _ in } },
        ]
    }

    @Test(
        arguments: [
            ("CREATE TRIGGER t AFTER INSERT ON answers BEGIN DELETE FROM favorites; END", "has the trigger t"),
            (
                "ALTER TABLE favorites RENAME TO f; CREATE VIEW favorites AS "
                    + "SELECT 'default' AS list, i AS character_id, i AS saved_revision, '' AS snapshot FROM (\(endless))",
                "has the table f"
            ),
            ("CREATE TABLE more (a)", "has the table more"),
            ("CREATE INDEX more ON favorites (length(hex(snapshot)))", "has the index more"),
        ]
    )
    func aStoreWithMoreInItsSchemaIsRefused(_ sql: String, _ words: String) async throws {
        try await makeStore()
        try await change(path, sql)
        let before = try Data(contentsOf: URL(filePath: path))
        for refusal in refusals(of: path, in: folder) {
            #expect(refusal.contains(path) && refusal.contains(words), "\(refusal)")
        }
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
        #expect(!FileManager.default.fileExists(atPath: "\(folder)/restored.db"))
    }

    /// Nothing of it is read: SQLite knows the size of a row before.
    @Test func aFavoriteOf400MegabytesIsRefused() async throws {
        try await makeStore()
        try await change(
            path,
            "UPDATE favorites SET snapshot = CAST(zeroblob(\(400 << 20)) AS TEXT) WHERE character_id = 2"
        )
        let errors = [
            #expect(throws: FavoritesStoreOpenError.self) { try StoreCheck.check(path) },
            #expect(throws: FavoritesStoreOpenError.self) {
                try StoreRestore.restore(path, to: "\(folder)/restored.db")
            },
        ]
        for error in errors {
            #expect(error?.message.contains("record of more than 32 MiB") == true, "\(String(describing: error))")
        }
    }

    /// A trigger that another program adds to a store in use.
    @Test func aTriggerThatComesLaterDoesNotRun() async throws {
        let store = try SQLiteFavoritesStore(path: path)
        try await store.toggle(1)
        try await change(path, "CREATE TRIGGER t AFTER INSERT ON changes BEGIN DELETE FROM favorites; END")
        try await store.toggle(2)
        #expect(try await store.ids() == [1, 2])
        await store.close()
    }

    @Test func aStatementThatHangsDoesNotKeepTheStoreFromClosing() async throws {
        let store = try SQLiteFavoritesStore(path: "\(folder)/favorites.db")
        let failure = Mutex<DatabaseFailure?>(nil)
        store.database.writer.async { db in
            let error = #expect(throws: DatabaseError.self) {
                _ = try db.value("SELECT count(*) FROM (\(Self.endless))", as: Int.self)
            }
            failure.withLock { $0 = error?.failure }
        }
        async let closing: Void = store.close()
        while failure.withLock({ $0 }) == nil {
            store.interrupt()
            await Task.yield()
        }
        await closing
        store.interrupt()
        #expect(failure.withLock { $0 } == .interrupted)
    }
}
