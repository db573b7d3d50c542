import SQLiteFiles
import Testing

@Suite struct SchemaMigrationsTests {
    private static let steps = [
        "CREATE TABLE first (id INTEGER NOT NULL PRIMARY KEY) STRICT;",
        "CREATE TABLE second (id INTEGER NOT NULL PRIMARY KEY) STRICT;",
    ]
    private let old = SchemaMigrations(applicationID: 7, [Self.steps[0]])
    private let new = SchemaMigrations(applicationID: 7, Self.steps)

    private func database<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try DatabaseQueue().sync(body)
    }

    private func tables(of db: Database) throws -> [String] {
        try db.values("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    }

    @Test func anEmptyDatabaseGetsAllMigrations() throws {
        try database { db throws in
            #expect(try new.state(of: db) == .empty)
            try new.migrate(db)
            #expect(try new.state(of: db) == .applied(2))
            #expect(try tables(of: db) == ["first", "second"])
            #expect(try db.value("PRAGMA application_id", as: Int.self) == 7)
        }
    }

    @Test func anOlderDatabaseIsMigrated() throws {
        try database { db throws in
            try old.migrate(db)
            #expect(try new.state(of: db) == .applied(1))
            try new.migrate(db)
            try new.migrate(db)
            #expect(try new.state(of: db) == .applied(2))
        }
    }

    @Test func aNewerDatabaseIsLeftAlone() throws {
        try database { db throws in
            try new.migrate(db)
            #expect(try old.state(of: db) == .newer(2))
            try old.migrate(db)
            #expect(try old.version(of: db) == 2)
        }
    }

    @Test(arguments: [0, -1])
    func aVersionThatNoProgramWritesIsInvalid(_ version: Int) throws {
        try database { db throws in
            try new.migrate(db)
            try db.execute("PRAGMA user_version = \(version)")
            #expect(try new.state(of: db) == .invalid(version))
        }
    }

    @Test(arguments: [
        "CREATE TABLE other (id)", "PRAGMA user_version = 3", "PRAGMA application_id = 8; CREATE TABLE a (b)",
    ])
    func anotherProgramsDatabaseIsForeign(_ sql: String) throws {
        try database { db throws in
            try db.execute(sql)
            #expect(try new.state(of: db) == .foreign)
        }
    }

    /// A stranger's addition could run whenever the program reads or writes a table.
    @Test(
        arguments: [
            ("CREATE TRIGGER t AFTER INSERT ON first BEGIN DELETE FROM second; END", "has the trigger t"),
            ("CREATE VIEW v AS SELECT * FROM first", "has the view v"),
            ("CREATE INDEX i ON first (hex(id))", "has the index i"),
            ("CREATE TABLE more (a)", "has the table more"),
            ("CREATE VIRTUAL TABLE more USING fts5 (a)", "has the table more"),
            ("DROP TABLE second; CREATE VIEW second AS SELECT 1 AS id", "has the view second"),
            ("DROP TABLE second", "lacks the table second"),
            ("ALTER TABLE second ADD COLUMN more TEXT", "has another table second"),
            (
                "DROP TABLE second; CREATE TABLE second (id INTEGER NOT NULL PRIMARY KEY CHECK (id > 0)) STRICT",
                "has another table second"
            ),
            ("CREATE TABLE \"a\nb\" (a)", "has the table a?b"),
        ]
    )
    func anotherSchemaIsNamed(_ sql: String, difference: String) throws {
        try database { db throws in
            try new.migrate(db)
            try db.execute(sql)
            #expect(try new.state(of: db) == .altered(difference))
        }
    }

    /// An earlier version of the program had other comments, and SQLite changes the text of a table that is altered.
    @Test func commentsSpacesAndQuotesMakeNoDifference() throws {
        let altered = SchemaMigrations(
            applicationID: 7,
            [
                "CREATE TABLE first (id INTEGER NOT NULL PRIMARY KEY, -- 'one'\n text TEXT) STRICT",
                "ALTER TABLE first ADD COLUMN more TEXT; ALTER TABLE first RENAME TO second",
            ]
        )
        try database { db throws in
            try db.execute(
                """
                PRAGMA application_id = 7; PRAGMA user_version = 2;
                CREATE TABLE second(id INTEGER NOT NULL PRIMARY KEY,
                    -- Another comment: "two".
                    text TEXT, more TEXT)STRICT
                """
            )
            #expect(try altered.state(of: db) == .applied(2))
        }
    }

    @Test func quotedTextIsADifference() throws {
        let quoted = SchemaMigrations(applicationID: 7, ["CREATE TABLE t (a TEXT DEFAULT '-- a')"])
        try database { db throws in
            try quoted.migrate(db)
            #expect(try quoted.state(of: db) == .applied(1))
            try db.execute("DROP TABLE t; CREATE TABLE t (a TEXT DEFAULT '-- b')")
            #expect(try quoted.state(of: db) == .altered("has another table t"))
        }
    }

    @Test func aMigrationThatFailsLeavesTheOneBefore() throws {
        let broken = SchemaMigrations(applicationID: 7, [Self.steps[0], Self.steps[1] + "CREATE TABLE"])
        try database { db throws in
            #expect(throws: DatabaseError.self) { try broken.migrate(db) }
            #expect(try broken.state(of: db) == .applied(1))
            #expect(try tables(of: db) == ["first"])
        }
    }
}
