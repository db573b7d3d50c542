internal import CSQLite

package struct DatabaseFunction: Sendable {
    fileprivate enum Body: Sendable {
        case scalar(@Sendable ([SQLValue]) -> SQLValue)
        case aggregate(@Sendable () -> any DatabaseAggregate)
    }

    fileprivate let name: String
    /// -1 for any number.
    fileprivate let argumentCount: CInt
    fileprivate let body: Body

    package init(_ name: String, _ body: @escaping @Sendable ([SQLValue]) -> SQLValue) {
        (self.name, argumentCount, self.body) = (name, -1, .scalar(body))
    }

    package init(_ name: String, argumentCount: CInt, _ begin: @escaping @Sendable () -> any DatabaseAggregate) {
        (self.name, self.argumentCount, body) = (name, argumentCount, .aggregate(begin))
    }
}

package protocol DatabaseAggregate {
    mutating func step(_ values: [SQLValue])
    func result() -> SQLValue
}

extension Database {
    package func add(_ function: DatabaseFunction) throws {
        let context = Unmanaged.passRetained(FunctionBox(function)).toOpaque()
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC
        let release: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
            if let context { Unmanaged<FunctionBox>.fromOpaque(context).release() }
        }
        let isScalar = if case .scalar = function.body { true } else { false }
        let code = sqlite3_create_function_v2(
            connection,
            function.name,
            function.argumentCount,
            flags,
            context,
            isScalar ? callScalar : nil,
            isScalar ? nil : stepAggregate,
            isScalar ? nil : endAggregate,
            release
        )
        guard code == SQLITE_OK else { throw error(code) }
    }
}

private final class FunctionBox {
    let function: DatabaseFunction

    init(_ function: DatabaseFunction) { self.function = function }

    static func of(_ context: OpaquePointer?) -> FunctionBox? {
        sqlite3_user_data(context).map { Unmanaged<FunctionBox>.fromOpaque($0).takeUnretainedValue() }
    }
}

private final class AggregateBox {
    var aggregate: any DatabaseAggregate

    init(_ aggregate: any DatabaseAggregate) { self.aggregate = aggregate }

    /// SQLite keeps it between the rows; a new one for the first row.
    static func of(_ context: OpaquePointer?, makingIfNeeded: Bool) -> AggregateBox? {
        guard case .aggregate(let begin)? = FunctionBox.of(context)?.function.body else { return nil }
        let size = CInt(MemoryLayout<UnsafeMutableRawPointer?>.size)
        guard let place = sqlite3_aggregate_context(context, makingIfNeeded ? size : 0) else { return nil }
        let state = place.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
        if state.pointee == nil { state.pointee = Unmanaged.passRetained(AggregateBox(begin())).toOpaque() }
        return state.pointee.map { Unmanaged<AggregateBox>.fromOpaque($0).takeUnretainedValue() }
    }
}

private func callScalar(_ context: OpaquePointer?, _ count: CInt, _ values: UnsafeMutablePointer<OpaquePointer?>?) {
    guard case .scalar(let body)? = FunctionBox.of(context)?.function.body else { return }
    setResult(body(arguments(count, values)), context)
}

private func stepAggregate(_ context: OpaquePointer?, _ count: CInt, _ values: UnsafeMutablePointer<OpaquePointer?>?) {
    guard let box = AggregateBox.of(context, makingIfNeeded: true) else { return sqlite3_result_error_nomem(context) }
    box.aggregate.step(arguments(count, values))
}

private func endAggregate(_ context: OpaquePointer?) {
    guard case .aggregate(let begin)? = FunctionBox.of(context)?.function.body else { return }
    // Without rows there is no state.
    guard let box = AggregateBox.of(context, makingIfNeeded: false) else { return setResult(begin().result(), context) }
    setResult(box.aggregate.result(), context)
    Unmanaged.passUnretained(box).release()
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
