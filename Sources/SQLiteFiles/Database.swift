internal import CSQLite
internal import Glibc

/// A connection to a file of SQLite. One thread uses it at a time.
package final class Database {
    package struct Settings: Sendable {
        package var isReadOnly = false
        package var mayCreate = true
        /// In milliseconds.
        package var busyTimeout: CInt = 0
        /// Whether the file may come from a stranger. A connection that switches the journal off calls `defend` after
        /// that.
        package var isDefended = true
        /// The time after opening when statements fail with `SQLITE_INTERRUPT`; nil for no limit.
        package var timeLimit: Duration?

        package init() {}
    }

    /// 32 MiB, twice the largest row that this program writes. Larger ones fail with `SQLITE_TOOBIG` before they are
    /// read.
    package static let maximumRowBytes = 32 << 20

    /// Some statements are made for a query.
    private static let maximumStatements = 200

    private(set) var connection: OpaquePointer?
    private var statements: [String: PreparedStatement] = [:]
    private var ownedStatements: [PreparedStatement] = []
    /// A hook for tests: a commit fails with its error.
    package var beforeCommit: (() throws -> Void)?
    private var logObserver: ((_ pageCount: Int) -> Void)?

    /// `path` is nil for a database in memory, and empty for a temporary file that SQLite removes.
    package init(_ path: String?, _ settings: Settings = Settings()) throws {
        var flags = SQLITE_OPEN_NOMUTEX | (settings.isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE)
        if settings.mayCreate, !settings.isReadOnly { flags |= SQLITE_OPEN_CREATE }
        let code = sqlite3_open_v2(path.map(Self.plainName) ?? ":memory:", &connection, flags, nil)
        guard code == SQLITE_OK else { throw error(code) }
        sqlite3_extended_result_codes(connection, 1)
        sqlite3_busy_timeout(connection, settings.busyTimeout)
        guard marvel_sqlite_refuse_quoted_texts(connection) != 0 else {
            throw DatabaseError(SQLITE_ERROR, "SQLite refused a setting")
        }
        try execute("PRAGMA foreign_keys = ON")
        if settings.isDefended { try defend() }
        if let timeLimit = settings.timeLimit { interrupt(after: timeLimit) }
    }

    /// SQLite takes `file:NAME` for the address of NAME, and `:memory:` for no file.
    private static func plainName(_ path: String) -> String {
        path.isEmpty || path.hasPrefix("/") ? path : "./\(path)"
    }

    deinit {
        releaseStatements()
        // If statements remain, SQLite closes the file after the last of them.
        sqlite3_close_v2(connection)
    }

    private func releaseStatements() {
        statements.removeAll()
        for statement in ownedStatements { statement.finalize() }
        ownedStatements = []
    }

    /// - Throws: `SQLITE_BUSY` if rows are still read; then the file is still open.
    package func close() throws {
        releaseStatements()
        let code = sqlite3_close(connection)
        guard code == SQLITE_OK else { throw error(code) }
        connection = nil
    }

    func openConnection() throws -> OpaquePointer {
        guard let connection else { throw DatabaseError(SQLITE_MISUSE, "the database is closed") }
        return connection
    }

    func error(_ code: CInt) -> DatabaseError {
        DatabaseError(code, connection.map { String(cString: sqlite3_errmsg($0)) })
    }

    // MARK: Statements

    package func execute(_ script: String) throws {
        let connection = try openConnection()
        let code = sqlite3_exec(connection, script, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code) }
    }

    /// The statement stays prepared, as do those of the functions below.
    package func run(_ sql: String, _ values: (any SQLConvertible)?...) throws { try run(sql, binding: values) }

    package func run(_ sql: String, binding values: [(any SQLConvertible)?]) throws {
        let rows = try rows(sql, values)
        while try rows.next() != nil {}
    }

    package func rows(_ sql: String, _ values: (any SQLConvertible)?...) throws -> RowCursor { try rows(sql, values) }

    private func rows(_ sql: String, _ values: [(any SQLConvertible)?]) throws -> RowCursor {
        try RowCursor(statement(sql), values.map { $0?.sqlValue ?? .null })
    }

    package func all<Value>(
        _ sql: String,
        _ values: (any SQLConvertible)?...,
        body: (Row) throws -> Value
    ) throws -> [Value] {
        let rows = try rows(sql, values)
        var all: [Value] = []
        while let row = try rows.next() { all.append(try body(row)) }
        return all
    }

    /// The other rows are not read. Nil without rows.
    package func first<Value>(
        _ sql: String,
        _ values: (any SQLConvertible)?...,
        body: (Row) throws -> Value
    ) throws -> Value? {
        let rows = try rows(sql, values)
        return try withExtendedLifetime(rows) { try rows.next().map(body) }
    }

    /// Nil for null, or without rows. Throws `SQLITE_CORRUPT` if the value is of another type.
    package func value<Value: SQLConvertible>(
        _ sql: String,
        _ values: (any SQLConvertible)?...,
        as type: Value.Type = Value.self
    ) throws -> Value? {
        let rows = try rows(sql, values)
        return try withExtendedLifetime(rows) { try rows.next()?.readIfPresent(at: 0) }
    }

    /// Throws `SQLITE_CORRUPT` if a value is null or of another type.
    package func values<Value: SQLConvertible>(
        _ sql: String,
        _ values: (any SQLConvertible)?...,
        as type: Value.Type = Value.self
    ) throws -> [Value] {
        try self.values(sql, binding: values)
    }

    package func values<Value: SQLConvertible>(
        _ sql: String,
        binding values: [(any SQLConvertible)?],
        as type: Value.Type = Value.self
    ) throws -> [Value] {
        let rows = try rows(sql, values)
        var found: [Value] = []
        while let row = try rows.next() { found.append(try row.read(at: 0)) }
        return found
    }

    /// Valid until the database is closed.
    package func prepare(_ sql: String) throws -> PreparedStatement {
        let statement = try PreparedStatement(sql, in: self)
        ownedStatements.append(statement)
        return statement
    }

    private func statement(_ sql: String) throws -> PreparedStatement {
        if let statement = statements[sql], !statement.isTaken { return statement }
        let statement = try PreparedStatement(sql, in: self)
        if statements.count >= Self.maximumStatements { statements.removeAll() }
        if statements[sql] == nil { statements[sql] = statement }
        return statement
    }

    package var lastInsertedRowID: Int64 { connection.map { sqlite3_last_insert_rowid($0) } ?? 0 }

    package var changedRowCount: Int64 { connection.map { sqlite3_changes64($0) } ?? 0 }

    // MARK: Transactions

    /// Returns once the transaction is on disk; rolls back on any error. It takes the write lock first: a transaction
    /// that reads and then writes could be refused in between.
    package func committed<Value>(_ body: () throws -> Value) throws -> Value {
        try transaction("IMMEDIATE", body) {
            do {
                try beforeCommit?()
                try run("COMMIT")
            } catch var error as DatabaseError {
                error.isOfCommit = true
                throw error
            }
        }
    }

    /// All reads see the same state. A change is rolled back: SQLite refuses to commit after a damaged page.
    package func reading<Value>(_ body: () throws -> Value) throws -> Value {
        try transaction("DEFERRED", body) { try run("ROLLBACK") }
    }

    private func transaction<Value>(
        _ kind: String,
        _ body: () throws -> Value,
        end: () throws -> Void
    ) throws -> Value {
        try run("BEGIN \(kind)")
        do {
            let value = try body()
            try end()
            return value
        } catch {
            // This does nothing if SQLite has already rolled back, as it does after some errors of a disk.
            try? run("ROLLBACK")
            throw error
        }
    }

    // MARK: Files from strangers

    /// No trigger and no view of the file runs, and no statement can damage it. Afterwards a journal can no longer be
    /// switched off. `SchemaMigrations` also compares the schema.
    package func defend() throws {
        guard marvel_sqlite_defend(connection) != 0 else {
            throw DatabaseError(SQLITE_ERROR, "SQLite refused a setting of protection")
        }
        sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, CInt(Database.maximumRowBytes))
        try execute("PRAGMA cell_size_check = ON")
    }

    /// Any thread may call it while the connection is open.
    package func interrupt() { if let connection { sqlite3_interrupt(connection) } }

    private static let instructionsPerLook: CInt = 100_000

    /// Calls `body`, whose statements fail with `SQLITE_INTERRUPT` after a time. It replaces the limit of the settings.
    ///
    /// - Returns: The value of `body`.
    /// - Throws: The errors of `body`.
    package func limitingTime<Value>(to limit: Duration, _ body: (Database) throws -> Value) rethrows -> Value {
        interrupt(after: limit)
        defer { sqlite3_progress_handler(connection, 0, nil, nil) }
        return try body(self)
    }

    private func interrupt(after limit: Duration) {
        let (seconds, attoseconds) = max(limit, .zero).components
        let milliseconds = UInt(clamping: seconds) * 1_000 + UInt(clamping: attoseconds / 1_000_000_000_000_000)
        let deadline = Self.uptime + milliseconds
        // The deadline itself is the context of the callback, so there is no memory to release.
        sqlite3_progress_handler(
            connection,
            Self.instructionsPerLook,
            { Database.uptime >= UInt(bitPattern: $0) ? 1 : 0 },
            UnsafeMutableRawPointer(bitPattern: max(1, deadline))
        )
    }

    /// Since the start of the machine, in milliseconds.
    private static var uptime: UInt {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt(time.tv_sec) * 1_000 + UInt(time.tv_nsec) / 1_000_000
    }

    /// 2 minutes, and a second for each MiB of the file and its log.
    package static func readingTime(of path: String) -> Duration {
        let byteCount = [path, path + "-wal"].reduce(0) { $0 + (FilePath.size(of: $1) ?? 0) }
        return .seconds(120 + byteCount >> 20)
    }

    // MARK: The log, and copies

    package enum CheckpointMode: Sendable {
        case passive
        /// Waits for readers, and truncates the log.
        case truncate
    }

    /// Returns the number of pages in the log, and of those that are in the file.
    @discardableResult
    package func checkpoint(_ mode: CheckpointMode) throws -> (pageCount: Int, copiedCount: Int) {
        var (pageCount, copiedCount): (CInt, CInt) = (0, 0)
        let mode = mode == .passive ? SQLITE_CHECKPOINT_PASSIVE : SQLITE_CHECKPOINT_TRUNCATE
        let code = sqlite3_wal_checkpoint_v2(try openConnection(), nil, mode, &pageCount, &copiedCount)
        guard code == SQLITE_OK else { throw error(code) }
        return (Int(pageCount), Int(copiedCount))
    }

    package func observeLog(_ observer: @escaping (_ pageCount: Int) -> Void) {
        logObserver = observer
        _ = sqlite3_wal_hook(
            connection,
            { context, _, _, pageCount in
                guard let context else { return SQLITE_OK }
                Unmanaged<Database>.fromOpaque(context).takeUnretainedValue().logObserver?(Int(pageCount))
                return SQLITE_OK
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    package func copy(to target: Database) throws {
        let (from, to) = (try openConnection(), try target.openConnection())
        guard let backup = sqlite3_backup_init(to, "main", from, "main") else {
            throw target.error(sqlite3_extended_errcode(to))
        }
        let code = sqlite3_backup_step(backup, -1)
        let end = sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE, end == SQLITE_OK else { throw target.error(code == SQLITE_DONE ? end : code) }
    }
}
