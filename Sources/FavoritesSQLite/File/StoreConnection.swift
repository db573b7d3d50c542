internal import Dispatch
internal import GRDB
internal import SQLiteFiles
internal import Synchronization

/// The connections to a store: one writer and a few readers, with the settings that durability depends on.
enum StoreConnection {
    /// The wait for a lock, in seconds, for programs beside the server that hold the store briefly: a backup, a shell.
    static let busyTimeout = 5.0

    /// The size to which a larger log is cut when it starts over: 64 MiB.
    private static let logSizeLimit = 64 << 20

    private static let readerCount = 4

    static func open(_ path: String, durability: StoreDurability) throws -> DatabasePool {
        let pool = try DatabasePool(path: path, configuration: configuration)
        try pool.writeWithoutTransaction { db in try secure(db, durability, journalMode: "wal") }
        try openReaders(of: pool)
        return pool
    }

    /// Opens a store without changing it: for the check before opening, and for the programs beside the server.
    ///
    /// - Parameters:
    ///   - path: The store.
    ///   - limitsTime: Whether the time is limited; not if what is read is sent to somebody, who may take it slowly.
    /// - Returns: The connection.
    /// - Throws: `DatabaseError`.
    static func openReadOnly(_ path: String, limitsTime: Bool = true) throws -> DatabaseQueue {
        var configuration = Configuration.defended(timeLimit: limitsTime ? Database.readingTime(of: path) : nil)
        configuration.readonly = true
        configuration.busyMode = .timeout(busyTimeout)
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Opens all readers at once. A reader that is opened later would open another file, or none, if the store's file
    /// is replaced or deleted meanwhile.
    private static func openReaders(of pool: DatabasePool) throws {
        let open = DispatchSemaphore(value: 0)
        let mayEnd = DispatchSemaphore(value: 0)
        let failure = Mutex<(any Error)?>(nil)
        for _ in 0..<readerCount {
            pool.asyncRead { result in
                do {
                    _ = try result.get()
                    open.signal()
                    mayEnd.wait()
                } catch {
                    // This must not wait: the other readers are opened on the queue that runs this.
                    failure.withLock { $0 = error }
                    open.signal()
                }
            }
        }
        for _ in 0..<readerCount { open.wait() }
        for _ in 0..<readerCount { mayEnd.signal() }
        if let error = failure.withLock({ $0 }) { throw error }
    }

    static func openInMemory() throws -> DatabaseQueue {
        let queue = try DatabaseQueue(configuration: configuration)
        try queue.writeWithoutTransaction { db in try secure(db, .full, journalMode: "memory") }
        return queue
    }

    private static var configuration: Configuration {
        var configuration = Configuration.defended(label: "favorites")
        configuration.busyMode = .timeout(busyTimeout)
        configuration.foreignKeysEnabled = true
        configuration.maximumReaderCount = readerCount
        return configuration
    }

    /// Sets up the writer, and reads back the settings that an acknowledged toggle depends on.
    ///
    /// It has to run after opening: GRDB's `setUpWALMode` sets `synchronous` to NORMAL after every setup of the
    /// configuration, and with NORMAL (1) the last commits do not survive a loss of power.
    private static func secure(_ db: Database, _ durability: StoreDurability, journalMode: String) throws {
        try db.execute(sql: "PRAGMA synchronous = \(durability.synchronous)")
        // SQLite ignores the result of its automatic checkpoints; this program checks the result of its own.
        try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
        try db.execute(sql: "PRAGMA journal_size_limit = \(logSizeLimit)")

        try require("journal_mode", is: journalMode, in: db)
        try require("synchronous", is: durability.synchronous, in: db)
        try require("foreign_keys", is: 1, in: db)
    }

    private static func require<Value: DatabaseValueConvertible & Equatable>(
        _ setting: String,
        is expected: Value,
        in db: Database
    ) throws {
        let actual = try Value.fetchOne(db, sql: "PRAGMA \(setting)")
        guard actual == expected else {
            throw FavoritesStoreOpenError(
                code: .failed,
                message: "SQLite did not take \(setting) = \(expected): toggles would not be durable"
            )
        }
    }
}

/// The failures that an acknowledged toggle survives.
package enum StoreDurability: String, Sendable, CaseIterable {
    /// A loss of power too: each commit is on disk before it is acknowledged.
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
