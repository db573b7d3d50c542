package import GRDB

/// The numbered migrations of a program's database. `user_version` is the number of applied migrations, and
/// `application_id` distinguishes the database from those of other programs.
///
/// A released migration is never edited. A change of the schema is a new migration at the end.
package struct SchemaMigrations: Sendable {
    /// The state of a database before migrating.
    package enum State: Sendable, Hashable {
        /// The database has no tables.
        case empty
        /// The database is this program's, with that many applied migrations, at least 1.
        case applied(Int)
        /// The database is this program's, and a newer version of the program has written it.
        case newer(Int)
        /// The database is this program's, and its version is one that no program writes.
        case invalid(Int)
        /// The database is another program's.
        case foreign
    }

    private let applicationID: Int32
    private let migrations: [String]

    /// - Parameters:
    ///   - applicationID: The application id in the file's header.
    ///   - migrations: The SQL of each migration, oldest first.
    package init(applicationID: Int32, _ migrations: [String]) {
        self.applicationID = applicationID
        self.migrations = migrations
    }

    /// The newest version that this program knows.
    package var newest: Int { migrations.count }

    /// Returns the number of applied migrations; 0 for an empty database.
    package func version(of db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    }

    /// Returns the state of a database, which is not changed.
    package func state(of db: Database) throws -> State {
        let version = try version(of: db)
        guard try Int32.fetchOne(db, sql: "PRAGMA application_id") == applicationID else {
            let isEmpty = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 0
            return version == 0 && isEmpty ? .empty : .foreign
        }
        if version < 1 { return .invalid(version) }
        return version > newest ? .newer(version) : .applied(version)
    }

    /// Applies the missing migrations to an empty database, or to one of an older version. Each and its number are
    /// written in one transaction.
    package func migrate(_ db: Database) throws {
        while try version(of: db) < newest {
            try db.inTransaction(.immediate) {
                // Another program may have applied it since then.
                let applied = try version(of: db)
                guard (0..<newest).contains(applied) else { return .commit }
                try db.execute(sql: "PRAGMA application_id = \(applicationID)")
                try db.execute(sql: migrations[applied])
                try db.execute(sql: "PRAGMA user_version = \(applied + 1)")
                return .commit
            }
        }
    }
}
