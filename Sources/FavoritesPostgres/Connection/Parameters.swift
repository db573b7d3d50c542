/// The parameters of a statement in PostgreSQL's binary format.
///
/// Arrays are sent in binary, because as text every byte of a snapshot would be two digits.
struct Parameters: Equatable {
    /// The OIDs of the types.
    private(set) var types: [UInt32] = []
    /// The bytes of each parameter; nil for null.
    private(set) var values: [[UInt8]?] = []

    init() {}

    /// Adds an array for each column.
    init(_ rows: ParameterRows) { add(rows) }

    mutating func add<Value: ParameterValue>(_ value: Value) { add(ifAny: value) }

    /// Adds a value, or null.
    mutating func add<Value: ParameterValue>(ifAny value: Value?) {
        types.append(Value.type.rawValue)
        values.append(
            value.map { value in
                var bytes: [UInt8] = []
                value.write(to: &bytes)
                return bytes
            }
        )
    }

    mutating func add<Value: ParameterValue>(_ values: [Value]) {
        var array = ParameterArray(of: Value.type)
        for value in values { array.add(value) }
        add(array)
    }

    /// Adds an array for each column.
    mutating func add(_ rows: ParameterRows) { for column in rows.columns { add(column) } }

    private mutating func add(_ array: ParameterArray) {
        types.append(array.type.arrayID)
        values.append(array.bytes)
    }
}

/// Rows for a statement that gets an array for each of their columns.
struct ParameterRows {
    fileprivate private(set) var columns: [ParameterArray]
    /// The column of the next value.
    private var next = 0

    init(_ types: ParameterType...) { columns = types.map(ParameterArray.init) }

    /// Adds the next value of a row, or null. After its last value the next row begins.
    mutating func add<Value: ParameterValue>(_ value: Value?) {
        columns[next].add(value)
        next = next + 1 == columns.count ? 0 : next + 1
    }
}

/// An array of one dimension:
///
///     i32 dimensions | i32 whether there are nulls | u32 type of the values | i32 count | i32 first index (1)
///     then for each value: i32 length, -1 for null | bytes
///
/// An array without values has no dimension, and ends before its count.
private struct ParameterArray {
    let type: ParameterType
    private(set) var bytes: [UInt8] = []
    private var count: Int32 = 0

    init(of type: ParameterType) {
        self.type = type
        bytes.appendBigEndian(Int32(0))
        bytes.appendBigEndian(Int32(0))
        bytes.appendBigEndian(type.rawValue)
    }

    mutating func add<Value: ParameterValue>(_ value: Value?) {
        precondition(Value.type == type, "the values of a column have one type")
        if count == 0 {
            bytes.setBigEndian(1, at: 0)
            bytes.appendBigEndian(Int32(0))
            bytes.appendBigEndian(Int32(1))
        }
        count += 1
        bytes.setBigEndian(count, at: 12)
        if let value {
            bytes.appendBigEndian(Int32(value.byteCount))
            value.write(to: &bytes)
        } else {
            bytes.setBigEndian(1, at: 4)
            bytes.appendBigEndian(Int32(-1))
        }
    }
}

/// The types of values that are sent, with their OIDs, which are the same in every PostgreSQL.
enum ParameterType: UInt32 {
    case bytes = 17
    case int8 = 20
    case int2 = 21
    case text = 25

    /// The OID of arrays of the type.
    var arrayID: UInt32 {
        switch self {
        case .bytes: 1001
        case .int8: 1016
        case .int2: 1005
        case .text: 1009
        }
    }
}

/// A value in PostgreSQL's binary format.
protocol ParameterValue {
    static var type: ParameterType { get }
    var byteCount: Int { get }

    /// Appends `byteCount` bytes.
    func write(to bytes: inout [UInt8])
}

extension Int64: ParameterValue {
    static var type: ParameterType { .int8 }
    var byteCount: Int { 8 }

    func write(to bytes: inout [UInt8]) { bytes.appendBigEndian(self) }
}

extension Int16: ParameterValue {
    static var type: ParameterType { .int2 }
    var byteCount: Int { 2 }

    func write(to bytes: inout [UInt8]) { bytes.appendBigEndian(self) }
}

extension String: ParameterValue {
    static var type: ParameterType { .text }
    var byteCount: Int { utf8.count }

    func write(to bytes: inout [UInt8]) { bytes.append(contentsOf: utf8) }
}

extension [UInt8]: ParameterValue {
    static var type: ParameterType { .bytes }
    var byteCount: Int { count }

    func write(to bytes: inout [UInt8]) { bytes += self }
}

extension [UInt8] {
    mutating func appendBigEndian(_ number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }

    fileprivate mutating func setBigEndian(_ number: Int32, at start: Int) {
        withUnsafeMutableBytes { $0.storeBytes(of: number.bigEndian, toByteOffset: start, as: Int32.self) }
    }
}
