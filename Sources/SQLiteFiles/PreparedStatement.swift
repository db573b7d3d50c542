package import GRDB
internal import GRDBSQLite

/// A value that is bound to a parameter of a `PreparedStatement`.
package enum StatementValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case text(String)
}

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
    ///   - values: The value of each parameter.
    ///   - body: Called with each row, which is valid until it returns. An error ends the statement.
    /// - Throws: `DatabaseError`, or the error of `body`.
    package func run(_ values: [StatementValue], _ body: (StatementRow) throws -> Void = { _ in }) throws {
        // A statement that is not reset keeps its locks.
        defer { sqlite3_reset(statement) }
        try bind(values)
        while true {
            let code = sqlite3_step(statement)
            guard code == SQLITE_ROW, let statement else {
                if code == SQLITE_DONE { return }
                throw error(code)
            }
            try body(StatementRow(statement: statement))
        }
    }

    private func bind(_ values: [StatementValue]) throws {
        guard sqlite3_bind_parameter_count(statement) == values.count else { throw error(SQLITE_MISUSE) }
        for (index, value) in zip(CInt(1)..., values) {
            let code =
                switch value {
                case .null: sqlite3_bind_null(statement, index)
                case .integer(let number): sqlite3_bind_int64(statement, index, number)
                case .text(let text):
                    sqlite3_bind_text(statement, index, text, CInt(text.utf8.count), PreparedStatement.copying)
                }
            guard code == SQLITE_OK else { throw error(code) }
        }
    }

    /// The destructor that makes SQLite copy a text (`SQLITE_TRANSIENT`).
    private static let copying = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    private func error(_ code: CInt) -> DatabaseError {
        // A misuse is found here before SQLite has a message of it.
        let message = code == SQLITE_MISUSE ? "the statement cannot run" : String(cString: sqlite3_errmsg(connection))
        return DatabaseError(resultCode: ResultCode(rawValue: code), message: message, sql: sql)
    }
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
    package func text(at index: Int) throws -> String {
        guard type(at: index) == SQLITE_TEXT, let text = sqlite3_column_text(statement, CInt(index)) else {
            throw damaged(index)
        }
        let count = Int(sqlite3_column_bytes(statement, CInt(index)))
        return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    }

    /// The type of a value; null for a column that does not exist.
    private func type(at index: Int) -> CInt { sqlite3_column_type(statement, CInt(index)) }

    private func damaged(_ index: Int) -> DatabaseError {
        DatabaseError(resultCode: .SQLITE_CORRUPT, message: "column \(index) holds another kind of value")
    }
}
