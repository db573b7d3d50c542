/// A value of a row in PostgreSQL's binary format. It is valid as long as the rows that it comes from.
struct BinaryValue {
    private let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// Reads a number of any width up to 8 bytes.
    func integer() throws(DatabaseFault) -> Int64 {
        switch bytes.count {
        case 2: Int64(Int16(truncatingIfNeeded: number(bytes[...])))
        case 4: Int64(Int32(truncatingIfNeeded: number(bytes[...])))
        case 8: number(bytes[...])
        default: throw .malformed("a number of \(bytes.count) bytes")
        }
    }

    func boolean() throws(DatabaseFault) -> Bool {
        guard bytes.count == 1 else { throw .malformed("a truth value of \(bytes.count) bytes") }
        return bytes[0] != 0
    }

    func text() -> String { String(decoding: bytes, as: UTF8.self) }

    func array() -> [UInt8] { [UInt8](bytes) }

    /// Reads an array of `int8` without nulls, of at most one dimension.
    func integers() throws(DatabaseFault) -> [Int64] {
        guard bytes.count >= 12 else { throw .malformed("an array of \(bytes.count) bytes") }
        guard number(bytes[0..<4]) != 0 else { return [] }
        // The count and the first index follow; an element has a length and 8 bytes.
        guard number(bytes[0..<4]) == 1, bytes.count >= 20, (bytes.count - 20) % 12 == 0,
            number(bytes[12..<16]) == (bytes.count - 20) / 12
        else { throw .malformed("an array that is not one of numbers") }
        return stride(from: 24, to: bytes.count, by: 12).map { number(bytes[$0..<$0 + 8]) }
    }

    private func number(_ bytes: Slice<UnsafeRawBufferPointer>) -> Int64 {
        bytes.reduce(0) { $0 << 8 | Int64($1) }
    }
}
