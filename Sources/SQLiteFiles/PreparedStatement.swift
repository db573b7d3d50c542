package import GRDB
internal import GRDBSQLite

/// A statement that is prepared once and run many times, always by the connection that prepared it.
///
/// It calls SQLite without GRDB, which looks each statement up by its text, and makes an object of each argument and each
/// row: that took more time than SQLite itself where small statements run tens of thousands of times a second.
package final class PreparedStatement {
    private let sql: String
    private let connection: SQLiteConnection?
    /// Nil once the statement is finalized.
    private var statement: SQLiteStatement?

    /// - Parameters:
    ///   - sql: One statement, with a parameter for each value.
    ///   - db: The connection.
    /// - Throws: `DatabaseError` if SQLite does not accept the statement.
    package init(_ sql: String, in db: Database) throws {
        self.sql = sql
        connection = db.sqliteConnection
        let flags = CUnsignedInt(SQLITE_PREPARE_PERSISTENT)
        let code = sqlite3_prepare_v3(connection, sql, -1, flags, &statement, nil)
        guard code == SQLITE_OK else { throw error(code) }
    }

    deinit { finalize() }

    /// Releases the statement, which a connection requires before it is closed. It cannot be run after that.
    package func finalize() {
        sqlite3_finalize(statement)
        statement = nil
    }

    /// Runs the statement to its end.
    ///
    /// - Parameters:
    ///   - bind: Adds the value of each parameter.
    ///   - body: Called with each row, which is valid until it returns. An error ends the statement.
    /// - Throws: `DatabaseError`, or the error of `body`.
    package func run(
        _ bind: (inout StatementBindings) -> Void,
        forEachRow body: (StatementRow) throws -> Void = { _ in }
    ) throws {
        // A statement that is not reset keeps its locks.
        defer { sqlite3_reset(statement) }
        var bindings = StatementBindings(statement: statement)
        bind(&bindings)
        let code = bindings.end()
        guard code == SQLITE_OK else { throw error(code) }
        while true {
            let code = sqlite3_step(statement)
            guard code == SQLITE_ROW, let statement else {
                if code == SQLITE_DONE { return }
                throw error(code)
            }
            try body(StatementRow(statement: statement))
        }
    }

    private func error(_ code: CInt) -> DatabaseError {
        // A misuse is found here before SQLite has a message of it.
        let message = code == SQLITE_MISUSE ? "the statement cannot run" : String(cString: sqlite3_errmsg(connection))
        return DatabaseError(resultCode: ResultCode(rawValue: code), message: message, sql: sql)
    }
}

/// The values of a statement's parameters, which are added in their order. They are bound at once: an array of them
/// would cost more than many a small statement.
package struct StatementBindings: ~Copyable {
    fileprivate let statement: SQLiteStatement?
    private var count: CInt = 0
    /// The first error.
    private var code = SQLITE_OK

    fileprivate init(statement: SQLiteStatement?) { self.statement = statement }

    package mutating func addNull() { note(sqlite3_bind_null(statement, nextIndex())) }

    package mutating func add(_ number: Int64) { note(sqlite3_bind_int64(statement, nextIndex(), number)) }

    package mutating func add(_ text: String) {
        let length = CInt(clamping: text.utf8.count)
        note(sqlite3_bind_text(statement, nextIndex(), text, length, StatementBindings.copying))
    }

    /// Adds a text from its bytes in UTF-8.
    package mutating func add(utf8 text: [UInt8]) {
        // An empty array may have no address, which would be null.
        guard !text.isEmpty else { return add("") }
        text.withUnsafeBytes { text in
            let start = text.baseAddress?.assumingMemoryBound(to: CChar.self)
            note(sqlite3_bind_text(statement, nextIndex(), start, CInt(clamping: text.count), Self.copying))
        }
    }

    private mutating func nextIndex() -> CInt {
        count += 1
        return count
    }

    private mutating func note(_ result: CInt) {
        if code == SQLITE_OK { code = result }
    }

    /// Returns the first error, or whether values are missing.
    fileprivate func end() -> CInt {
        guard code == SQLITE_OK else { return code }
        return sqlite3_bind_parameter_count(statement) == count ? SQLITE_OK : SQLITE_MISUSE
    }

    /// The destructor that makes SQLite copy a text (`SQLITE_TRANSIENT`).
    private static let copying = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}

/// The row that a `PreparedStatement` has reached.
package struct StatementRow {
    fileprivate let statement: SQLiteStatement

    /// Returns whether the column at that index, from 0, is null.
    package func isNull(at index: Int) -> Bool { type(at: index) == SQLITE_NULL }

    /// Returns the number in the column at that index, from 0.
    ///
    /// - Throws: `DatabaseError` with `SQLITE_CORRUPT` if there is no such column, or its value is of another type.
    package func integer(at index: Int) throws -> Int64 {
        guard type(at: index) == SQLITE_INTEGER else { throw damaged(index) }
        return sqlite3_column_int64(statement, CInt(index))
    }

    /// Returns the text in the column at that index, from 0.
    ///
    /// - Throws: The same as `integer(at:)`.
    package func text(at index: Int) throws -> String { String(decoding: try utf8(at: index), as: UTF8.self) }

    /// Returns the bytes of the text in the column at that index, from 0. They may not be valid UTF-8 in a damaged file.
    ///
    /// - Throws: The same as `integer(at:)`.
    package func utf8(at index: Int) throws -> [UInt8] {
        guard type(at: index) == SQLITE_TEXT, let text = sqlite3_column_text(statement, CInt(index)) else {
            throw damaged(index)
        }
        let count = Int(sqlite3_column_bytes(statement, CInt(index)))
        return Array(UnsafeBufferPointer(start: text, count: count))
    }

    /// The type of a value; null for a column that does not exist.
    private func type(at index: Int) -> CInt { sqlite3_column_type(statement, CInt(index)) }

    private func damaged(_ index: Int) -> DatabaseError {
        DatabaseError(resultCode: .SQLITE_CORRUPT, message: "column \(index) holds another kind of value")
    }
}
