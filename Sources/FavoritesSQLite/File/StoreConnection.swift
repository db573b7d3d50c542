internal import SQLiteFiles

enum StoreConnection {
    /// The wait for a lock, in milliseconds, for programs beside the server that lock the store briefly: a backup, a
    /// shell.
    static let busyTimeout: CInt = 5_000

    /// The size to which a larger log is truncated when it starts over: 64 MiB.
    private static let logSizeLimit = 64 << 20

    private static let readerCount = 4

    static func open(_ path: String, durability: StoreDurability = .full) throws -> DatabasePool {
        var settings = Database.Settings()
        settings.busyTimeout = busyTimeout
        return try DatabasePool(path, settings, readerCount: readerCount) { db in
            try secure(db, durability)
        }
    }

    /// Opens a store without changing it: for the check before opening, and for the programs beside the server. Set
    /// `limitsTime` to false if a slow receiver reads the contents.
    ///
    /// - Throws: `DatabaseError`.
    static func openReadOnly(_ path: String, limitsTime: Bool = true) throws -> Database {
        var settings = Database.Settings()
        settings.timeLimit = limitsTime ? Database.readingTime(of: path) : nil
        settings.isReadOnly = true
        settings.busyTimeout = busyTimeout
        return try Database(path, settings)
    }

    /// Reads a store in the newest schema, in one transaction, also while a server has it open.
    ///
    /// - Throws: An error if it is not a store, errors of SQLite, or the error of `body`.
    static func read<Value>(
        _ path: String,
        limitsTime: Bool = true,
        _ body: (Database) throws -> Value
    ) throws -> Value {
        let db = try openReadOnly(path, limitsTime: limitsTime)
        return try db.reading {
            try StoreInspection.checkIdentity(db, path: path)
            return try StoreSchema.newest(db, body)
        }
    }

    /// Sets up the writer, and reads back the settings that an acknowledged toggle depends on.
    private static func secure(_ db: Database, _ durability: StoreDurability) throws {
        try db.execute("PRAGMA synchronous = \(durability.synchronous)")
        // SQLite ignores the result of its automatic checkpoints; this program checks the result of its own.
        try db.execute("PRAGMA wal_autocheckpoint = 0")
        try db.execute("PRAGMA journal_size_limit = \(logSizeLimit)")

        try require("journal_mode", is: "wal", in: db)
        try require("synchronous", is: durability.synchronous, in: db)
        try require("foreign_keys", is: 1, in: db)
    }

    private static func require<Value: SQLConvertible & Equatable>(
        _ setting: String,
        is expected: Value,
        in db: Database
    ) throws {
        guard try db.value("PRAGMA \(setting)") == expected else {
            throw FavoritesStoreOpenError("SQLite rejected \(setting) = \(expected): toggles would not be durable")
        }
    }
}

/// The failures that an acknowledged toggle survives.
package enum StoreDurability: String, Sendable, CaseIterable {
    /// Also a loss of power: each commit is on disk before it is acknowledged.
    case full
    /// The sudden end of the process. A loss of power loses the last commits.
    case process
    /// The same as `process`, but a loss of power may damage the file. It is for measuring the cost of syncs.
    case none

    fileprivate var synchronous: Int {
        switch self {
        case .full: 2
        case .process: 1
        case .none: 0
        }
    }
}
