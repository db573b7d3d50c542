internal import MarvelDomain

/// The parameters of a statement in PostgreSQL's binary format. As text, every byte of a snapshot would be two digits.
struct Parameters {
    /// The bytes of memory that are kept for the next values.
    static let maximumKeptBytes = 4 << 20

    /// The OIDs of the types.
    private(set) var types: [UInt32] = []
    /// The length of each value; -1 for null.
    private(set) var lengths: [Int32] = []
    /// The values, one after the other.
    private(set) var bytes: [UInt8] = []

    init<each Value: ParameterValue>(_ value: repeat each Value) { repeat add(each value) }

    init(_ rows: ParameterRows) { add(rows) }

    mutating func add<Value: ParameterValue>(_ value: Value) {
        add(Value.type, isNull: value.isNull) { value.write(to: &$0) }
    }

    /// Adds an array for each column.
    mutating func add(_ rows: ParameterRows) {
        for column in rows.columns { add(column.type.array, isNull: false) { column.write(to: &$0) } }
    }

    private mutating func add(_ type: ParameterType, isNull: Bool, _ write: (inout [UInt8]) -> Void) {
        types.append(type.rawValue)
        let start = bytes.count
        write(&bytes)
        lengths.append(isNull ? -1 : Int32(bytes.count - start))
    }

    /// Keeps the memory for the next values.
    mutating func removeAll() {
        types.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
        bytes.removeAllForReuse()
    }
}

/// Rows for a statement that gets an array for each of their columns.
struct ParameterRows {
    fileprivate private(set) var columns: [ParameterArray]
    /// The column of the next value.
    private var next = 0

    init(_ types: ParameterType...) { columns = types.map { ParameterArray(of: $0) } }

    /// Adds the next value of a row. After its last value the next row begins.
    mutating func add<Value: ParameterValue>(_ value: Value) {
        columns[next].add(value)
        next = next + 1 == columns.count ? 0 : next + 1
    }

    mutating func addNull() {
        columns[next].addNull()
        next = next + 1 == columns.count ? 0 : next + 1
    }

    /// Keeps the memory for the next rows.
    mutating func removeAll() { for column in columns.indices { columns[column].removeAll() } }
}

/// An array of one dimension:
///
///     i32 dimensions | i32 whether there are nulls | u32 type of the values | i32 count | i32 first index (1)
///     then for each value: i32 length, -1 for null | bytes
///
/// An array without values has no dimension, and ends before its count.
private struct ParameterArray {
    let type: ParameterType
    private var values: [UInt8] = []
    private var count: Int32 = 0
    private var hasNulls = false

    init(of type: ParameterType) { self.type = type }

    mutating func add<Value: ParameterValue>(_ value: Value) {
        precondition(Value.type == type, "the values of a column have one type")
        guard !value.isNull else { return addNull() }
        count += 1
        let start = values.count
        values.appendBigEndian(Int32(0))
        value.write(to: &values)
        values.setBigEndian(Int32(values.count - start - 4), at: start)
    }

    mutating func addNull() {
        count += 1
        hasNulls = true
        values.appendBigEndian(Int32(-1))
    }

    mutating func removeAll() {
        values.removeAllForReuse()
        (count, hasNulls) = (0, false)
    }

    func write(to bytes: inout [UInt8]) {
        bytes.appendBigEndian(Int32(count > 0 ? 1 : 0))
        bytes.appendBigEndian(Int32(hasNulls ? 1 : 0))
        bytes.appendBigEndian(type.rawValue)
        guard count > 0 else { return }
        bytes.appendBigEndian(count)
        bytes.appendBigEndian(Int32(1))
        bytes += values
    }
}

/// The types of values that are sent, with their OIDs, which are the same in every PostgreSQL.
enum ParameterType: UInt32 {
    case bytes = 17
    case byte = 18
    case int8 = 20
    case int2 = 21
    case text = 25
    case xid8Array = 271
    case bytesArray = 1001
    case int2Array = 1005
    case textArray = 1009
    case int8Array = 1016
    case xid8 = 5069

    /// The type of an array of such values.
    var array: ParameterType {
        switch self {
        case .byte: .bytes
        case .bytes: .bytesArray
        case .int2: .int2Array
        case .text: .textArray
        case .int8: .int8Array
        case .xid8: .xid8Array
        case .bytesArray, .int2Array, .textArray, .int8Array, .xid8Array:
            preconditionFailure("arrays have one dimension")
        }
    }
}

/// A value in PostgreSQL's binary format.
protocol ParameterValue {
    static var type: ParameterType { get }
    var isNull: Bool { get }

    /// Appends the value, without its length; nothing if it is null.
    func write(to bytes: inout [UInt8])
}

extension ParameterValue {
    var isNull: Bool { false }
}

extension Int64: ParameterValue {
    static var type: ParameterType { .int8 }

    func write(to bytes: inout [UInt8]) { bytes.appendBigEndian(self) }
}

extension Int: ParameterValue {
    static var type: ParameterType { .int8 }

    func write(to bytes: inout [UInt8]) { bytes.appendBigEndian(Int64(self)) }
}

extension Int16: ParameterValue {
    static var type: ParameterType { .int2 }

    func write(to bytes: inout [UInt8]) { bytes.appendBigEndian(self) }
}

extension TransactionID: ParameterValue {
    static var type: ParameterType { .xid8 }

    func write(to bytes: inout [UInt8]) { bytes.appendBigEndian(value) }
}

extension UInt8: ParameterValue {
    static var type: ParameterType { .byte }

    func write(to bytes: inout [UInt8]) { bytes.append(self) }
}

/// A value of bytes in memory that somebody else holds.
struct ByteSlice: ParameterValue {
    static var type: ParameterType { .bytes }
    let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    func write(to target: inout [UInt8]) { target.append(contentsOf: bytes) }
}

/// A text in memory that somebody else holds.
struct TextSlice: ParameterValue {
    static var type: ParameterType { .text }
    private let text: ByteSlice

    init(_ text: ByteSlice) { self.text = text }

    func write(to target: inout [UInt8]) { text.write(to: &target) }
}

extension String: ParameterValue {
    static var type: ParameterType { .text }

    func write(to bytes: inout [UInt8]) { bytes.append(contentsOf: utf8) }
}

extension ListName: ParameterValue {
    static var type: ParameterType { .text }

    func write(to bytes: inout [UInt8]) { text.write(to: &bytes) }
}

extension Optional: ParameterValue where Wrapped: ParameterValue {
    static var type: ParameterType { Wrapped.type }
    var isNull: Bool { self == nil }

    func write(to bytes: inout [UInt8]) { self?.write(to: &bytes) }
}

extension Array: ParameterValue where Element: ParameterValue {
    static var type: ParameterType { Element.type.array }

    func write(to bytes: inout [UInt8]) {
        // An array of bytes is one value. The cast alone accepts every empty array.
        if Element.type == .byte, let value = self as? [UInt8] { return bytes += value }
        var array = ParameterArray(of: Element.type)
        for value in self { array.add(value) }
        array.write(to: &bytes)
    }
}

extension [UInt8] {
    mutating func appendBigEndian(_ number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }

    /// Removes all bytes. It frees only the memory of a rare large group.
    fileprivate mutating func removeAllForReuse() {
        removeAll(keepingCapacity: capacity <= Parameters.maximumKeptBytes)
    }

    fileprivate mutating func setBigEndian(_ number: Int32, at start: Int) {
        withUnsafeMutableBytes { $0.storeBytes(of: number.bigEndian, toByteOffset: start, as: Int32.self) }
    }
}
