/// The parameters of a statement in PostgreSQL's binary format.
///
/// Arrays are sent in binary, because as text every byte of a snapshot would be two digits.
struct Parameters: Equatable {
    /// A parameter's bytes in `bytes`; nil for null.
    private(set) var ranges: [Range<Int>?] = []
    private(set) var types: [UInt32] = []
    private(set) var bytes: [UInt8] = []

    /// The OIDs of the types that are sent, which are the same in every PostgreSQL.
    private enum TypeID {
        static let bytes: UInt32 = 17
        static let int8: UInt32 = 20
        static let int2: UInt32 = 21
        static let text: UInt32 = 25
        static let bytesArray: UInt32 = 1001
        static let int2Array: UInt32 = 1005
        static let textArray: UInt32 = 1009
        static let int8Array: UInt32 = 1016
    }

    mutating func add(_ number: Int64) {
        add(TypeID.int8) { $0.appendBigEndian(number) }
    }

    mutating func add(_ text: String) {
        add(TypeID.text) { $0.append(contentsOf: text.utf8) }
    }

    mutating func add(_ value: [UInt8]) {
        add(TypeID.bytes) { $0.append(contentsOf: value) }
    }

    mutating func add(ifAny number: Int64?) {
        if let number { add(number) } else { addNull(TypeID.int8) }
    }

    mutating func add(ifAny text: String?) {
        if let text { add(text) } else { addNull(TypeID.text) }
    }

    mutating func add(ifAny bytes: [UInt8]?) {
        if let bytes { add(bytes) } else { addNull(TypeID.bytes) }
    }

    private mutating func addNull(_ type: UInt32) {
        types.append(type)
        ranges.append(nil)
    }

    mutating func add(_ numbers: [Int64?]) {
        addArray(numbers, TypeID.int8Array, of: TypeID.int8) { $0.appendBigEndian($1) }
    }

    mutating func add(_ numbers: [Int16]) {
        addArray(numbers, TypeID.int2Array, of: TypeID.int2) { $0.appendBigEndian($1) }
    }

    mutating func add(_ texts: [String?]) {
        addArray(texts, TypeID.textArray, of: TypeID.text) { $0.append(contentsOf: $1.utf8) }
    }

    mutating func add(_ values: [[UInt8]?]) {
        addArray(values, TypeID.bytesArray, of: TypeID.bytes) { $0.append(contentsOf: $1) }
    }

    private mutating func add(_ type: UInt32, _ write: (inout [UInt8]) -> Void) {
        let start = bytes.count
        write(&bytes)
        types.append(type)
        ranges.append(start..<bytes.count)
    }

    /// Adds an array of one dimension:
    ///
    ///     i32 dimensions | i32 whether there are nulls | u32 type of the elements | i32 count | i32 first index (1)
    ///     then for each element: i32 length, -1 for null | bytes
    private mutating func addArray<Element>(
        _ elements: [Element?],
        _ type: UInt32,
        of elementType: UInt32,
        _ write: (inout [UInt8], Element) -> Void
    ) {
        add(type) { bytes in
            bytes.appendBigEndian(Int32(elements.isEmpty ? 0 : 1))
            bytes.appendBigEndian(Int32(elements.contains { $0 == nil } ? 1 : 0))
            bytes.appendBigEndian(elementType)
            guard !elements.isEmpty else { return }
            bytes.appendBigEndian(Int32(elements.count))
            bytes.appendBigEndian(Int32(1))
            for element in elements {
                let start = bytes.count
                bytes.appendBigEndian(Int32(-1))
                guard let element else { continue }
                write(&bytes, element)
                bytes.setBigEndian(Int32(bytes.count - start - 4), at: start)
            }
        }
    }
}

extension [UInt8] {
    mutating func appendBigEndian(_ number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }

    fileprivate mutating func setBigEndian(_ number: Int32, at start: Int) {
        Swift.withUnsafeBytes(of: number.bigEndian) { replaceSubrange(start..<start + 4, with: $0) }
    }
}
