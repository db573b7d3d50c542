internal import MarvelDomain

/// The parameters of a statement in PostgreSQL's binary format. As text, every byte of a snapshot would be two digits.
final class Parameters {
    /// The OIDs of the types.
    private(set) var types: [UInt32] = []
    /// The length of each value; -1 for null.
    private(set) var lengths: [Int32] = []
    /// The memory of each value, and the place of its first byte there.
    private(set) var places: [(memory: ByteMemory, start: Int)] = []
    /// The single values, one after the other.
    let values = ByteMemory()

    init<each Value: ParameterValue>(_ value: repeat each Value) { repeat add(each value) }

    func add<Value: ParameterValue>(_ value: Value) {
        let start = values.count
        if !value.isNull { value.write(to: values) }
        add(Value.type, value.isNull ? -1 : values.count - start, in: values, at: start)
    }

    /// Adds a column. It must not change until the parameters are sent.
    func add<Value: ParameterValue>(_ column: Column<Value>) {
        add(Value.type.array, column.finish(), in: column.memory, at: 0)
    }

    private func add(_ type: ParameterType, _ length: Int, in memory: ByteMemory, at start: Int) {
        types.append(type.rawValue)
        lengths.append(Int32(length))
        places.append((memory, start))
    }

    /// Keeps the memory for the next values.
    func removeAll() {
        types.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
        values.removeAll()
    }
}

/// Bytes whose memory is kept for the next ones. An array would look for other owners at each value.
final class ByteMemory {
    /// The maximum that is kept. A group has some 30 columns, of which four may be large.
    static let maximumKept = 1 << 20
    private static let minimumCapacity = 128

    private var memory = UnsafeMutableRawBufferPointer.allocate(byteCount: minimumCapacity, alignment: 8)
    private(set) var count = 0

    deinit { memory.deallocate() }

    /// They are valid until more is appended, or they are removed.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

    /// Frees the memory only of a rare large group.
    func removeAll() {
        count = 0
        if memory.count > Self.maximumKept { resize(to: Self.minimumCapacity) }
    }

    func append(_ bytes: UnsafeRawBufferPointer) {
        grow(by: bytes.count)
        UnsafeMutableRawBufferPointer(rebasing: memory[(count - bytes.count)...]).copyMemory(from: bytes)
    }

    func append(_ text: String) {
        // `withUTF8` would need a copy, which retains the text.
        let isAppended: Void? = text.utf8.withContiguousStorageIfAvailable { append(UnsafeRawBufferPointer($0)) }
        if isAppended == nil { for byte in text.utf8 { append(bigEndian: byte) } }
    }

    func append(bigEndian number: some FixedWidthInteger) {
        let place = count
        grow(by: number.bitWidth / 8)
        set(bigEndian: number, at: place)
    }

    fileprivate func set<Number: FixedWidthInteger>(bigEndian number: Number, at place: Int) {
        memory.storeBytes(of: number.bigEndian, toByteOffset: place, as: Number.self)
    }

    /// Appends the digits of a number.
    func append(decimal number: Int64) {
        withDecimalDigits(of: number) { append($0) }
    }

    /// Appends a value with its length before it, as a part of an array.
    fileprivate func append(element value: some ParameterValue) {
        guard !value.isNull else { return append(bigEndian: Int32(-1)) }
        let place = count
        append(bigEndian: Int32(0))
        value.write(to: self)
        set(bigEndian: Int32(count - place - 4), at: place)
    }

    /// Appends the head of an array of one dimension, without values:
    ///
    ///     i32 dimensions | i32 whether there are nulls | u32 type of the values | i32 count | i32 first index (1)
    ///     then for each value: i32 length, -1 for null | bytes
    fileprivate func beginArray(of type: ParameterType) {
        append(bigEndian: Int32(0))
        append(bigEndian: Int32(0))
        append(bigEndian: type.rawValue)
        append(bigEndian: Int32(0))
        append(bigEndian: Int32(1))
    }

    /// Completes an array. One without values has no dimension, and ends before its count.
    ///
    /// - Returns: Its length.
    fileprivate func endArray(at start: Int, count valueCount: Int, hasNull: Bool) -> Int {
        if valueCount == 0 {
            count = start + 12
        } else {
            set(bigEndian: Int32(1), at: start)
            set(bigEndian: Int32(hasNull ? 1 : 0), at: start + 4)
            set(bigEndian: Int32(valueCount), at: start + 12)
        }
        return count - start
    }

    private func grow(by added: Int) {
        count += added
        if count > memory.count { resize(to: max(count, 2 * memory.count)) }
    }

    private func resize(to capacity: Int) {
        let former = memory
        memory = .allocate(byteCount: capacity, alignment: 8)
        memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: former.prefix(capacity)))
        former.deallocate()
    }
}

/// An array with a value for each row, to which rows are added one by one. It keeps its memory for the next rows.
final class Column<Value: ParameterValue>: ParameterColumn {
    fileprivate let memory = ByteMemory()
    private var count = 0
    private var hasNull = false

    init() { removeAll() }

    func append(_ value: Value) {
        count += 1
        if value.isNull { hasNull = true }
        memory.append(element: value)
    }

    func removeAll() {
        (count, hasNull) = (0, false)
        memory.removeAll()
        memory.beginArray(of: Value.type)
    }

    func add(to parameters: Parameters) { parameters.add(self) }

    /// Writes the head.
    ///
    /// - Returns: The length of the array.
    fileprivate func finish() -> Int { memory.endArray(at: 0, count: count, hasNull: hasNull) }
}

/// A column with values of any type.
protocol ParameterColumn {
    func removeAll()
    func add(to parameters: Parameters)
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

    /// Appends the value, without its length. It is not null.
    func write(to memory: ByteMemory)
}

extension ParameterValue {
    var isNull: Bool { false }
}

extension Int64: ParameterValue {
    static var type: ParameterType { .int8 }

    func write(to memory: ByteMemory) { memory.append(bigEndian: self) }
}

extension Int: ParameterValue {
    static var type: ParameterType { .int8 }

    func write(to memory: ByteMemory) { memory.append(bigEndian: Int64(self)) }
}

extension Int16: ParameterValue {
    static var type: ParameterType { .int2 }

    func write(to memory: ByteMemory) { memory.append(bigEndian: self) }
}

extension TransactionID: ParameterValue {
    static var type: ParameterType { .xid8 }

    func write(to memory: ByteMemory) { memory.append(bigEndian: value) }
}

extension UInt8: ParameterValue {
    static var type: ParameterType { .byte }

    func write(to memory: ByteMemory) { memory.append(bigEndian: self) }
}

/// A value of bytes in memory that somebody else holds.
struct ByteSlice: ParameterValue {
    static var type: ParameterType { .bytes }
    let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    func write(to memory: ByteMemory) { memory.append(bytes) }
}

extension String: ParameterValue {
    static var type: ParameterType { .text }

    func write(to memory: ByteMemory) { memory.append(self) }
}

extension ListName: ParameterValue {
    static var type: ParameterType { .text }

    func write(to memory: ByteMemory) { memory.append(text) }
}

extension Optional: ParameterValue where Wrapped: ParameterValue {
    static var type: ParameterType { Wrapped.type }
    var isNull: Bool { self == nil }

    func write(to memory: ByteMemory) { self?.write(to: memory) }
}

extension Array: ParameterValue where Element: ParameterValue {
    static var type: ParameterType { Element.type.array }

    func write(to memory: ByteMemory) {
        // An array of bytes is one value. The cast alone accepts every empty array.
        if Element.type == .byte, let value = self as? [UInt8] { return value.withUnsafeBytes { memory.append($0) } }
        let start = memory.count
        memory.beginArray(of: Element.type)
        for value in self { memory.append(element: value) }
        _ = memory.endArray(at: start, count: count, hasNull: contains { $0.isNull })
    }
}
