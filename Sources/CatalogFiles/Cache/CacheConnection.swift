internal import Foundation
internal import GRDB

/// The connection to a cache file: one, which shuts other processes out, so that no two servers count their calls on
/// their own and believe to keep within one budget.
enum CacheConnection {
    static func open(_ path: String) throws -> DatabaseQueue {
        try makeFile(path)
        var configuration = Configuration()
        configuration.label = "cache"
        configuration.foreignKeysEnabled = true
        configuration.prepareDatabase { db in
            // Before the log is first used: then it needs no memory shared with others.
            try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
            // What is deleted at a start with a lower limit leaves the file. Takes effect in an empty file only.
            try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
            try db.execute(sql: "PRAGMA journal_mode = WAL")
            // The log is synced when it is copied into the file, and by the system within half a minute: the end of the
            // process, however sudden, loses nothing, and a loss of power that much.
            try db.execute(sql: "PRAGMA synchronous = NORMAL")
            try db.execute(sql: "PRAGMA journal_size_limit = \(16 << 20)")
        }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.writeWithoutTransaction { db in try CacheSchema.prepare(db) }
        return queue
    }

    /// Nobody else reads it: what people look for is nobody's business.
    private static func makeFile(_ path: String) throws {
        let descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CacheRefusal.notWritable }
        // Of a file that was there before, made by hand perhaps.
        _ = fchmod(descriptor, 0o600)
        Foundation.close(descriptor)
    }

    /// Moves a damaged file away, for who wants to look at it, in place of the one before it.
    static func setAside(_ path: String) throws {
        guard rename(path, path + ".damaged") == 0 else { throw CacheRefusal.notWritable }
        // Written for the damaged file; of the new one it would make another.
        for suffix in ["-wal", "-shm", "-journal"] { unlink(path + suffix) }
    }
}
