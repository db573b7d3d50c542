import GRDB
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
        try DatabaseQueue().writeWithoutTransaction(body)
    }

    @Test func anEmptyDatabaseGetsAllMigrations() throws {
        try database { db in
            #expect(try new.state(of: db) == .empty)
            try new.migrate(db)
            #expect(try new.state(of: db) == .applied(2))
            #expect(try db.tableExists("first") && db.tableExists("second"))
            #expect(try Int.fetchOne(db, sql: "PRAGMA application_id") == 7)
        }
    }

    @Test func anOlderDatabaseGetsWhatIsMissing() throws {
        try database { db in
            try old.migrate(db)
            #expect(try new.state(of: db) == .applied(1))
            try new.migrate(db)
            try new.migrate(db)
            #expect(try new.state(of: db) == .applied(2))
        }
    }

    @Test func aNewerDatabaseIsLeftAlone() throws {
        try database { db in
            try new.migrate(db)
            #expect(try old.state(of: db) == .newer(2))
            try old.migrate(db)
            #expect(try old.version(of: db) == 2)
        }
    }

    @Test(arguments: [0, -1])
    func aVersionThatNoProgramWritesIsInvalid(_ version: Int) throws {
        try database { db in
            try new.migrate(db)
            try db.execute(sql: "PRAGMA user_version = \(version)")
            #expect(try new.state(of: db) == .invalid(version))
        }
    }

    @Test(arguments: [
        "CREATE TABLE other (id)", "PRAGMA user_version = 3", "PRAGMA application_id = 8; CREATE TABLE a (b)",
    ])
    func anotherProgramsDatabaseIsForeign(_ sql: String) throws {
        try database { db in
            try db.execute(sql: sql)
            #expect(try new.state(of: db) == .foreign)
        }
    }

    @Test func aMigrationThatFailsLeavesTheOneBefore() throws {
        let broken = SchemaMigrations(applicationID: 7, [Self.steps[0], Self.steps[1] + "CREATE TABLE"])
        try database { db throws in
            #expect(throws: DatabaseError.self) { try broken.migrate(db) }
            #expect(try broken.state(of: db) == .applied(1))
            #expect(try !db.tableExists("second"))
        }
    }
}
