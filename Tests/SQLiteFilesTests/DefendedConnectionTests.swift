import Foundation
import SQLiteFiles
import Testing

/// Files that a stranger made or changed, opened by a defended connection.
@Suite struct DefendedConnectionTests {
    /// A statement that would run without end.
    private static let endless = """
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n
        """

    /// Makes a file by `sql`, and opens it again by a defended connection.
    private func withFile(_ sql: String, timeLimit: Duration? = nil, _ body: (Database) throws -> Void) throws {
        let path = FileManager.default.temporaryDirectory.path + "/defended-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        var settings = Database.Settings()
        settings.isDefended = false
        let stranger = try Database(path, settings)
        try stranger.execute(sql)
        try stranger.close()
        settings.isDefended = true
        settings.timeLimit = timeLimit
        try body(Database(path, settings))
    }

    @Test func noTriggerRuns() throws {
        let sql = """
            CREATE TABLE t (a); CREATE TABLE u (a); INSERT INTO u VALUES (1);
            CREATE TRIGGER x AFTER INSERT ON t BEGIN DELETE FROM u; END;
            """
        try withFile(sql) { db throws in
            try db.execute("INSERT INTO t VALUES (1)")
            #expect(try db.value("SELECT count(*) FROM u", as: Int.self) == 1)
        }
    }

    @Test func noViewIsRead() throws {
        try withFile("CREATE VIEW v AS \(Self.endless)") { db throws in
            #expect(throws: DatabaseError.self) { try db.value("SELECT * FROM v", as: Int.self) }
        }
    }

    @Test func noStatementChangesTheSchemaTable() throws {
        try withFile("CREATE TABLE t (a)") { db throws in
            try db.execute("PRAGMA writable_schema = ON")
            #expect(throws: DatabaseError.self) { try db.execute("DELETE FROM sqlite_schema") }
        }
    }

    /// The actions of foreign keys are no triggers.
    @Test func aDeletionStillDeletesWhatRefersToIt() throws {
        let sql = """
            CREATE TABLE t (id INTEGER PRIMARY KEY); CREATE TABLE u (t REFERENCES t (id) ON DELETE CASCADE);
            INSERT INTO t VALUES (1); INSERT INTO u VALUES (1);
            """
        try withFile(sql) { db throws in
            try db.execute("PRAGMA foreign_keys = ON")
            try db.execute("DELETE FROM t")
            #expect(try db.value("SELECT count(*) FROM u", as: Int.self) == 0)
        }
    }

    @Test func aRowThatIsTooLargeIsNotRead() throws {
        let size = Database.maximumRowBytes
        let sql = "CREATE TABLE t (a); INSERT INTO t VALUES (zeroblob(\(size / 2))), (zeroblob(\(2 * size)))"
        try withFile(sql) { db throws in
            #expect(try db.value("SELECT a FROM t LIMIT 1", as: [UInt8].self)?.count == size / 2)
            let error = #expect(throws: DatabaseError.self) { try db.values("SELECT a FROM t", as: [UInt8].self) }
            #expect(error?.failure == .tooLarge)
        }
    }

    @Test(.timeLimit(.minutes(10))) func aStatementEndsAfterItsTime() throws {
        try withFile("CREATE TABLE t (a)", timeLimit: .milliseconds(50)) { db throws in
            let error = #expect(throws: DatabaseError.self) { try db.value(Self.endless, as: Int.self) }
            #expect(error?.failure == .interrupted)
        }
        try withFile("CREATE TABLE t (a)") { db throws in
            let error = #expect(throws: DatabaseError.self) {
                try db.limitingTime(to: .milliseconds(50)) { try $0.value(Self.endless, as: Int.self) }
            }
            #expect(error?.failure == .interrupted)
            #expect(try db.value("SELECT 1", as: Int.self) == 1)
        }
    }
}
