internal import Foundation
internal import SQLiteFiles

/// A connection to a cache file, which one server has open at a time. Otherwise two servers would count only their own
/// calls, and exceed the budget together. Programs that copy pinned pictures may read the file meanwhile.
struct CacheConnection: Sendable {
    let queue: DatabaseQueue
    private let lock: LockedFile

    /// Opens a file, or creates it with mode 0600, because it reveals what people search for.
    init(_ path: String) throws {
        do {
            lock = try LockedFile(path, creating: true)
        } catch .isLocked {
            throw CacheRefusal.inUse
        } catch {
            throw CacheRefusal.notWritable
        }
        do {
            // An existing file may have another mode.
            _ = fchmod(lock.descriptor, 0o600)
            var settings = Database.Settings()
            settings.busyTimeout = CacheConnection.busyTimeout
            queue = try DatabaseQueue(path, settings)
            do {
                try queue.sync { db in
                    try CacheConnection.setUp(db)
                    try CacheSchema.prepare(db)
                }
            } catch {
                try? queue.close()
                throw error
            }
        } catch {
            lock.close()
            throw error
        }
    }

    func close() throws {
        // SQLite's locks end when any descriptor of the file is closed, so close this one last.
        defer { lock.close() }
        try queue.close()
    }

    /// Unlocks the file after the last use. SQLite closes it with the last reference to the queue.
    func abandon() { lock.close() }

    /// In milliseconds.
    private static let busyTimeout: CInt = 5_000

    private static func setUp(_ db: Database) throws {
        // Lets the file shrink after a start with a lower limit. It takes effect only in an empty file.
        try db.execute("PRAGMA auto_vacuum = INCREMENTAL")
        try db.execute("PRAGMA journal_mode = WAL")
        // A checkpoint syncs the log, and the system does within half a minute. A crash of the process loses nothing; a
        // power loss loses at most half a minute. Pinned pictures are synced immediately.
        try db.execute("PRAGMA synchronous = NORMAL")
        try db.execute("PRAGMA journal_size_limit = \(16 << 20)")
    }

    private static let suffixes = ["", "-wal"]

    /// Renames a damaged file and its log to `.damaged`, `.damaged-2` and so on, for inspection and for its pinned
    /// pictures. The last of these names replaces an earlier file.
    ///
    /// - Throws: `CacheRefusal`.
    static func setAside(_ path: String) throws -> String {
        let names = [path + ".damaged"] + (2...maximumDamagedFiles).map { "\(path).damaged-\($0)" }
        let damaged = names.first { access($0, F_OK) != 0 } ?? names[names.count - 1]
        for suffix in suffixes { unlink(damaged + suffix) }
        guard rename(path, damaged) == 0 else { throw CacheRefusal.notWritable }
        // SQLite would apply the damaged file's log to the new file.
        if rename(path + "-wal", damaged + "-wal") != 0 { unlink(path + "-wal") }
        for suffix in ["-shm", "-journal"] { unlink(path + suffix) }
        return damaged
    }

    private static let maximumDamagedFiles = 4

    /// Calls `body` with a read-only connection that does not block a writing server; nil without a file.
    ///
    /// - Throws: `CacheRefusal`, `DatabaseError`, or the error of `body`.
    static func read<Result>(_ path: String, _ body: (Database) throws -> Result) throws -> Result? {
        guard FilePath.size(of: path) != nil else { return nil }
        var settings = Database.Settings()
        settings.timeLimit = Database.readingTime(of: path)
        settings.isReadOnly = true
        settings.busyTimeout = busyTimeout
        let db = try Database(path, settings)
        return try db.reading { try body(db) }
    }
}
