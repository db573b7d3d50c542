package import GRDB
internal import GRDBSQLite

/// A statement that is prepared once and run many times, always by the connection that prepared it.
///
/// It calls SQLite without GRDB, which looks each statement up by its text, and makes an object of each argument and each
/// row: that took more time than SQLite itself where small statements run tens of thousands of times a second.
package final class PreparedStatement {
    private let sql: String
    private let connection: SQLiteConnection?
    private let texts = BoundTexts()
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
        try run(
            bind,
            whileRow: { row in
                try body(row)
                return true
            }
        )
    }

    /// Runs the statement until it has no more rows, or `body` wants no more.
    ///
    /// - Parameters:
    ///   - bind: Adds the value of each parameter.
    ///   - body: Called with each row, which is valid until it returns. It returns whether it wants the next one.
    /// - Throws: `DatabaseError`, or the error of `body`.
    package func run(
        _ bind: (inout StatementBindings) -> Void,
        whileRow body: (StatementRow) throws -> Bool
    ) throws {
        // A statement that is not reset keeps its locks.
        defer { sqlite3_reset(statement) }
        var bindings = StatementBindings(statement: statement, texts: texts)
        bind(&bindings)
        let code = bindings.end()
        guard code == SQLITE_OK else { throw error(code) }
        while true {
            let code = sqlite3_step(statement)
            guard code == SQLITE_ROW, let statement else {
                if code == SQLITE_DONE { return }
                throw error(code)
            }
            guard try body(StatementRow(statement: statement)) else { return }
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
    private let texts: BoundTexts
    private var count: CInt = 0
    /// The first error.
    private var code = SQLITE_OK

    fileprivate init(statement: SQLiteStatement?, texts: BoundTexts) {
        self.statement = statement
        self.texts = texts
        texts.removeAll()
    }

    package mutating func addNull() { note(sqlite3_bind_null(statement, nextIndex())) }

    package mutating func add(_ number: Int64) { note(sqlite3_bind_int64(statement, nextIndex(), number)) }

    package mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { bind(UnsafeRawBufferPointer($0)) }
    }

    /// Adds a text from its bytes in UTF-8.
    package mutating func add(utf8 text: [UInt8]) {
        text.withUnsafeBytes { bind($0) }
    }

    private mutating func bind(_ text: UnsafeRawBufferPointer) {
        let count = CInt(clamping: text.count)
        let (start, lifetime) = texts.add(text).map { ($0, Self.staying) } ?? (text.baseAddress, Self.copying)
        note(sqlite3_bind_text(statement, nextIndex(), start?.assumingMemoryBound(to: CChar.self), count, lifetime))
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
    private static let copying: sqlite3_destructor_type? = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    /// The destructor of a text that stays where it is until the statement is bound again (`SQLITE_STATIC`).
    private static let staying: sqlite3_destructor_type? = nil
}

/// The memory of the texts that are bound to a statement. SQLite would allocate memory for each of them.
private final class BoundTexts {
    private static let capacity = 4 * 1024

    private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: BoundTexts.capacity, alignment: 1)
    private var count = 0

    deinit { memory.deallocate() }

    /// Copies a text, which stays until `removeAll`.
    ///
    /// - Returns: Its address; nil if there is no room for it.
    func add(_ text: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
        guard text.count <= memory.count - count, let start = memory.baseAddress else { return nil }
        let place = start + count
        if let source = text.baseAddress { place.copyMemory(from: source, byteCount: text.count) }
        count += text.count
        return UnsafeRawPointer(place)
    }

    func removeAll() { count = 0 }
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
        try withUTF8(at: index, Array.init)
    }

    /// Calls `body` with the bytes of the text in the column at that index, from 0, which are valid until it returns.
    ///
    /// - Throws: The same as `integer(at:)`, or the error of `body`.
    package func withUTF8<Result>(
        at index: Int,
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) throws -> Result {
        guard type(at: index) == SQLITE_TEXT, let text = sqlite3_column_text(statement, CInt(index)) else {
            throw damaged(index)
        }
        return try body(UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(statement, CInt(index)))))
    }

    /// The type of a value; null for a column that does not exist.
    private func type(at index: Int) -> CInt { sqlite3_column_type(statement, CInt(index)) }

    private func damaged(_ index: Int) -> DatabaseError {
        DatabaseError(resultCode: .SQLITE_CORRUPT, message: "column \(index) holds another kind of value")
    }
}
