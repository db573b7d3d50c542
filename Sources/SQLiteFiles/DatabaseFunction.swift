internal import CSQLite

/// A function of SQL that returns the same value for the same arguments.
package final class DatabaseFunction: Sendable {
    fileprivate let name: String
    fileprivate let body: @Sendable ([SQLValue]) -> SQLValue

    package init(_ name: String, _ body: @escaping @Sendable ([SQLValue]) -> SQLValue) {
        (self.name, self.body) = (name, body)
    }
}

extension Database {
    package func add(_ function: DatabaseFunction) throws {
        let context = Unmanaged.passRetained(function).toOpaque()
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC
        let release: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
            if let context { Unmanaged<DatabaseFunction>.fromOpaque(context).release() }
        }
        // -1: any number of arguments.
        let code = sqlite3_create_function_v2(connection, function.name, -1, flags, context, call, nil, nil, release)
        guard code == SQLITE_OK else { throw error(code) }
    }
}

private func call(_ context: OpaquePointer?, _ count: CInt, _ values: UnsafeMutablePointer<OpaquePointer?>?) {
    guard let data = sqlite3_user_data(context) else { return }
    let function = Unmanaged<DatabaseFunction>.fromOpaque(data).takeUnretainedValue()
    setResult(function.body(arguments(count, values)), context)
}

private func arguments(_ count: CInt, _ values: UnsafeMutablePointer<OpaquePointer?>?) -> [SQLValue] {
    UnsafeBufferPointer(start: values, count: Int(count)).map { value in
        func bytes(_ start: UnsafeRawPointer?) -> UnsafeRawBufferPointer {
            UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
        }
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: return .integer(sqlite3_value_int64(value))
        case SQLITE_FLOAT: return .real(sqlite3_value_double(value))
        case SQLITE_TEXT: return .text(String(decoding: bytes(sqlite3_value_text(value)), as: UTF8.self))
        case SQLITE_BLOB: return .blob(Array(bytes(sqlite3_value_blob(value))))
        default: return .null
        }
    }
}

private func setResult(_ value: SQLValue, _ context: OpaquePointer?) {
    let copying = StatementBindings.copying
    switch value {
    case .null: sqlite3_result_null(context)
    case .integer(let number): sqlite3_result_int64(context, number)
    case .real(let number): sqlite3_result_double(context, number)
    case .text(let text): sqlite3_result_text64(context, text, UInt64(text.utf8.count), copying, UInt8(SQLITE_UTF8))
    case .blob(let bytes): sqlite3_result_blob64(context, bytes, UInt64(bytes.count), copying)
    }
}
