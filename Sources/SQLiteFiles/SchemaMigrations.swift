/// `user_version` is the number of applied migrations. A released migration is never edited: a change of the schema is
/// a new migration at the end.
package struct SchemaMigrations: Sendable {
    package enum State: Sendable, Hashable {
        case empty
        case applied(Int)
        case newer(Int)
        /// This program's database, with a version that no program writes.
        case invalid(Int)
        /// The text is the first difference, as in "has the trigger t".
        case altered(String)
        case foreign
    }

    private let applicationID: Int32
    private let migrations: [String]
    private let functions: [DatabaseFunction]

    /// `applicationID` is in the file's header. The oldest of `migrations` is first. They may call `functions`.
    package init(applicationID: Int32, _ migrations: [String], functions: [DatabaseFunction] = []) {
        self.applicationID = applicationID
        self.migrations = migrations
        self.functions = functions
    }

    package var newest: Int { migrations.count }

    /// 0 for an empty database.
    package func version(of db: Database) throws -> Int {
        try db.value("PRAGMA user_version") ?? 0
    }

    package func state(of db: Database) throws -> State {
        let version = try version(of: db)
        guard try db.value("PRAGMA application_id") == applicationID else {
            let isEmpty = try db.value("SELECT count(*) FROM sqlite_schema") == 0
            return version == 0 && isEmpty ? .empty : .foreign
        }
        if version < 1 { return .invalid(version) }
        if version > newest { return .newer(version) }
        return try difference(of: db, in: version).map { .altered($0) } ?? .applied(version)
    }

    private func difference(of db: Database, in version: Int) throws -> String? {
        let own = try Database(nil)
        try migrate(own, to: version)
        let expected = try SchemaEntry.all(of: own)
        let found = try SchemaEntry.all(of: db, atMost: expected.count + 1)
        if let more = found.first(where: { !expected.contains($0) }) {
            let isKnown = expected.contains { ($0.type, $0.name) == (more.type, more.name) }
            return isKnown ? "has another \(more)" : "has the \(more)"
        }
        return expected.first { !found.contains($0) }.map { "lacks the \($0)" }
    }

    /// Applies migrations up to `last` or the newest. Each is written together with its number, in one transaction.
    package func migrate(_ db: Database, to last: Int? = nil) throws {
        let last = last ?? newest
        for function in functions { try db.add(function) }
        while try version(of: db) < last {
            try db.committed {
                // Another program may have applied it since then.
                let applied = try version(of: db)
                guard (0..<last).contains(applied) else { return }
                try db.execute("PRAGMA application_id = \(applicationID)")
                try db.execute(migrations[applied])
                try db.execute("PRAGMA user_version = \(applied + 1)")
            }
        }
    }
}
