internal import CFiles
package import GRDB
internal import GRDBSQLite
internal import Glibc

/// Connections to a file that a stranger may have made or changed.
///
/// Beside these settings, a program compares the schema with its own before it reads a table (`SchemaMigrations`).
extension Configuration {
    /// The configuration for a file.
    ///
    /// - Parameters:
    ///   - label: The label of the connection's queue.
    ///   - timeLimit: The time after which statements fail with `SQLITE_INTERRUPT`, counted from the opening; nil sets
    ///     no limit.
    /// - Returns: A configuration whose connections are defended.
    package static func defended(label: String? = nil, timeLimit: Duration? = nil) -> Configuration {
        var configuration = Configuration()
        configuration.label = label
        configuration.prepareDatabase { db in
            try db.defend()
            if let timeLimit { db.interrupt(after: timeLimit) }
        }
        return configuration
    }
}

extension Database {
    /// The maximum size of a value or a row, in bytes: 32 MiB, twice the largest that this program writes. SQLite
    /// returns `SQLITE_TOOBIG` for a larger one before it reads it.
    package static let maximumRowBytes = 32 << 20

    /// Applies the defenses. A journal can no longer be switched off after that.
    ///
    /// - Throws: `DatabaseError` if SQLite did not accept a setting.
    package func defend() throws {
        guard marvel_defend_connection(sqliteConnection.map { UnsafeMutableRawPointer($0) }) != 0 else {
            throw DatabaseError(resultCode: .SQLITE_ERROR, message: "SQLite refused a setting of protection")
        }
        sqlite3_limit(sqliteConnection, SQLITE_LIMIT_LENGTH, CInt(Database.maximumRowBytes))
        try execute(sql: "PRAGMA cell_size_check = ON")
    }

    /// The number of SQLite's virtual instructions between two looks at the clock.
    private static let instructionsPerLook: CInt = 100_000

    /// Interrupts every statement that runs after a time, counted from now.
    package func interrupt(after limit: Duration) {
        let (seconds, attoseconds) = max(limit, .zero).components
        let milliseconds = UInt(clamping: seconds) * 1_000 + UInt(clamping: attoseconds / 1_000_000_000_000_000)
        let deadline = Self.uptime + milliseconds
        // The deadline itself is the context of the callback, so there is no memory to release.
        sqlite3_progress_handler(
            sqliteConnection,
            Self.instructionsPerLook,
            { Database.uptime >= UInt(bitPattern: $0) ? 1 : 0 },
            UnsafeMutableRawPointer(bitPattern: max(1, deadline))
        )
    }

    /// The time since the machine was started, in milliseconds.
    private static var uptime: UInt {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt(time.tv_sec) * 1_000 + UInt(time.tv_nsec) / 1_000_000
    }

    /// Returns the time that reading a whole file may take: 2 minutes, and a second for each MiB of the file and its
    /// log.
    package static func readingTime(of path: String) -> Duration {
        let byteCount = [path, path + "-wal"].reduce(0) { $0 + (FilePath.size(of: $1) ?? 0) }
        return .seconds(120 + byteCount >> 20)
    }
}
