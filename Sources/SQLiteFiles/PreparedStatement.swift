internal import CSQLite

/// Prepared once and run many times. `Database` looks each statement up by its text: for small statements that takes
/// more time than SQLite itself.
package final class PreparedStatement {
    private let connection: OpaquePointer?
    private let texts = BoundTexts()
    private var statement: OpaquePointer?

    init(_ sql: String, in db: Database) throws {
        connection = try db.openConnection()
        let flags = CUnsignedInt(SQLITE_PREPARE_PERSISTENT)
        let code = sqlite3_prepare_v3(connection, sql, -1, flags, &statement, nil)
        guard code == SQLITE_OK else { throw error(code) }
        guard statement != nil else { throw DatabaseError(SQLITE_MISUSE, "no statement") }
    }

    deinit { finalize() }

    func finalize() {
        sqlite3_finalize(statement)
        statement = nil
    }

    /// Each row is valid until `body` returns. An error ends the statement.
    package func run(
        _ bind: (inout StatementBindings) -> Void,
        forEachRow body: (Row) throws -> Void = { _ in }
    ) throws {
        guard !isTaken else { throw error(SQLITE_MISUSE) }
        // A statement that is not reset keeps its locks.
        defer { end() }
        try begin(bind)
        while let row = try step() { try body(row) }
    }

    // MARK: One row after the other

    fileprivate(set) var isTaken = false

    fileprivate func begin(_ bind: (inout StatementBindings) -> Void) throws {
        isTaken = true
        var bindings = StatementBindings(statement: statement, texts: texts)
        bind(&bindings)
        let code = bindings.end()
        guard code == SQLITE_OK else { throw error(code) }
    }

    fileprivate func step() throws -> Row? {
        let code = sqlite3_step(statement)
        guard code == SQLITE_ROW, let statement else {
            if code == SQLITE_DONE { return nil }
            throw error(code)
        }
        return Row(statement: statement)
    }

    fileprivate func clear() { sqlite3_clear_bindings(statement) }

    fileprivate func end() {
        sqlite3_reset(statement)
        isTaken = false
    }

    private func error(_ code: CInt) -> DatabaseError {
        // A misuse is found here before SQLite has a message for it.
        DatabaseError(
            code,
            code == SQLITE_MISUSE ? "the statement cannot run" : String(cString: sqlite3_errmsg(connection))
        )
    }
}

package final class RowCursor {
    /// Nil after the last row, and after an error.
    private var statement: PreparedStatement?

    init(_ statement: PreparedStatement, _ values: [SQLValue]) throws {
        self.statement = statement
        do {
            try statement.begin { bindings in for value in values { bindings.add(value) } }
        } catch {
            statement.end()
            self.statement = nil
            throw error
        }
    }

    deinit { end() }

    /// Nil at the end. The row is valid until the next call, and as long as this object.
    package func next() throws -> Row? {
        guard let statement else { return nil }
        do {
            if let row = try statement.step() { return row }
        } catch {
            end()
            throw error
        }
        end()
        return nil
    }

    /// Another reader may use the statement. The values may be large, so they are cleared.
    private func end() {
        statement?.end()
        statement?.clear()
        statement = nil
    }
}

/// Bound immediately, in their order: an array would cost more than many small statements.
package struct StatementBindings: ~Copyable {
    fileprivate let statement: OpaquePointer?
    private let texts: BoundTexts
    private var count: CInt = 0
    private var code = SQLITE_OK

    fileprivate init(statement: OpaquePointer?, texts: BoundTexts) {
        self.statement = statement
        self.texts = texts
        texts.removeAll()
    }

    package mutating func addNull() { note(sqlite3_bind_null(statement, nextIndex())) }

    mutating func add(_ value: SQLValue) {
        switch value {
        case .null: addNull()
        case .integer(let number): add(number)
        case .real(let number): note(sqlite3_bind_double(statement, nextIndex(), number))
        case .text(let text): add(text)
        case .blob(let bytes):
            // For a null address SQLite would bind null.
            note(
                bytes.isEmpty
                    ? sqlite3_bind_zeroblob(statement, nextIndex(), 0)
                    : sqlite3_bind_blob64(statement, nextIndex(), bytes, UInt64(bytes.count), Self.copying)
            )
        }
    }

    package mutating func add(_ number: Int64) { note(sqlite3_bind_int64(statement, nextIndex(), number)) }

    package mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { bind(UnsafeRawBufferPointer($0)) }
    }

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

    /// Returns `SQLITE_MISUSE` if values are missing.
    fileprivate func end() -> CInt {
        guard code == SQLITE_OK else { return code }
        return sqlite3_bind_parameter_count(statement) == count ? SQLITE_OK : SQLITE_MISUSE
    }

    /// SQLite copies a value (`SQLITE_TRANSIENT`).
    static let copying: sqlite3_destructor_type? = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    /// The text stays in place until the statement is bound again (`SQLITE_STATIC`).
    private static let staying: sqlite3_destructor_type? = nil
}

/// SQLite would allocate memory for each text.
private final class BoundTexts {
    private static let capacity = 4 * 1024

    private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: BoundTexts.capacity, alignment: 1)
    private var count = 0

    deinit { memory.deallocate() }

    /// It stays until `removeAll`. Nil without room for it.
    func add(_ text: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
        guard text.count <= memory.count - count, let start = memory.baseAddress else { return nil }
        let place = start + count
        if let source = text.baseAddress { place.copyMemory(from: source, byteCount: text.count) }
        count += text.count
        return UnsafeRawPointer(place)
    }

    func removeAll() { count = 0 }
}

/// A value of another type than requested is an error, and not converted: another program, or a disk, has changed the
/// file.
package struct Row {
    fileprivate let statement: OpaquePointer

    /// Columns count from 0. Throws `SQLITE_CORRUPT` for a missing column, null, or a value of another type.
    package func read<Value: SQLConvertible>(at index: Int, as type: Value.Type = Value.self) throws -> Value {
        guard (0..<count).contains(index), let value = Value(value(at: index)) else { throw damaged(name(at: index)) }
        return value
    }

    /// Nil for null. Throws like `read(at:as:)`.
    package func readIfPresent<Value: SQLConvertible>(at index: Int, as type: Value.Type = Value.self) throws -> Value?
    {
        isNull(at: index) && index < count ? nil : try read(at: index)
    }

    package func read<Value: SQLConvertible>(_ name: String, as type: Value.Type = Value.self) throws -> Value {
        try read(at: index(of: name))
    }

    /// Nil for null. Throws like `read(at:as:)`.
    package func readIfPresent<Value: SQLConvertible>(_ name: String, as type: Value.Type = Value.self) throws -> Value?
    {
        try readIfPresent(at: index(of: name))
    }

    package var values: [SQLValue] { (0..<count).map(value) }

    private func value(at index: Int) -> SQLValue {
        let column = CInt(index)
        switch type(at: index) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
        case SQLITE_TEXT:
            return .text(String(decoding: bytes(sqlite3_column_text(statement, column), column), as: UTF8.self))
        case SQLITE_BLOB: return .blob(Array(bytes(sqlite3_column_blob(statement, column), column)))
        default: return .null
        }
    }

    private func bytes(_ start: UnsafeRawPointer?, _ column: CInt) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(statement, column)))
    }

    private var count: Int { Int(sqlite3_column_count(statement)) }

    private func name(at index: Int) -> String {
        (0..<count).contains(index) ? sqlite3_column_name(statement, CInt(index)).map { String(cString: $0) } ?? "" : ""
    }

    private func index(of name: String) throws -> Int {
        guard let index = (0..<count).first(where: { self.name(at: $0) == name }) else { throw damaged(name) }
        return index
    }

    // MARK: Without a copy

    package func isNull(at index: Int) -> Bool { type(at: index) == SQLITE_NULL }

    package func integer(at index: Int) throws -> Int64 {
        guard type(at: index) == SQLITE_INTEGER else { throw damaged(name(at: index)) }
        return sqlite3_column_int64(statement, CInt(index))
    }

    /// May be invalid UTF-8 in a damaged file.
    package func utf8(at index: Int) throws -> [UInt8] { try withUTF8(at: index) { Array($0) } }

    /// The bytes are valid until `body` returns.
    package func withUTF8<Result>(at index: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
        guard type(at: index) == SQLITE_TEXT else { throw damaged(name(at: index)) }
        return try body(bytes(sqlite3_column_text(statement, CInt(index)), CInt(index)))
    }

    /// The bytes are valid until `body` returns.
    package func withBytes<Result>(at index: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
        guard type(at: index) == SQLITE_BLOB else { throw damaged(name(at: index)) }
        return try body(bytes(sqlite3_column_blob(statement, CInt(index)), CInt(index)))
    }

    /// Null for a column that does not exist.
    private func type(at index: Int) -> CInt { sqlite3_column_type(statement, CInt(index)) }

    private func damaged(_ column: String) -> DatabaseError {
        .damaged("column \(column) is missing, or has a value of another type")
    }
}
