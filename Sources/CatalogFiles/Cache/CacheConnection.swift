internal import Foundation
internal import GRDB
internal import SQLiteFiles

/// The exclusive connection to a cache file.
///
/// It locks other processes out. Otherwise two servers could each count only their own calls, and exceed the budget
/// together.
enum CacheConnection {
    static func open(_ path: String) throws -> DatabaseQueue {
        try makeFile(path)
        var configuration = Configuration.defended(label: "cache")
        configuration.foreignKeysEnabled = true
        configuration.prepareDatabase { db in
            // This comes before the first use of the log, which then needs no memory shared with other processes.
            try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
            // The file shrinks when rows are deleted at a start with a lower limit. It takes effect in an empty file
            // only.
            try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
            try db.execute(sql: "PRAGMA journal_mode = WAL")
            // The log is synced when it is copied into the file, and by the system within half a minute. A crash of the
            // process loses nothing, and a loss of power loses at most half a minute.
            try db.execute(sql: "PRAGMA synchronous = NORMAL")
            try db.execute(sql: "PRAGMA journal_size_limit = \(16 << 20)")
        }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.writeWithoutTransaction { db in try CacheSchema.prepare(db) }
        return queue
    }

    /// Creates the file with mode 0600, because it shows what people search for.
    private static func makeFile(_ path: String) throws {
        let descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CacheRefusal.notWritable }
        // A file that exists already may have another mode.
        _ = fchmod(descriptor, 0o600)
        Foundation.close(descriptor)
    }

    /// Renames a damaged file to `.damaged`, for inspection. It replaces an earlier damaged file.
    static func setAside(_ path: String) throws {
        guard rename(path, path + ".damaged") == 0 else { throw CacheRefusal.notWritable }
        // SQLite would apply the logs of the damaged file to the new one.
        for suffix in ["-wal", "-shm", "-journal"] { unlink(path + suffix) }
    }
}
