internal import CPostgres

/// The rows that a statement returned, in binary format.
final class Rows {
    let result: OpaquePointer

    init(owning result: OpaquePointer) { self.result = result }

    deinit { PQclear(result) }

    var count: Int { Int(PQntuples(result)) }

    func isNull(_ row: Int, _ column: Int) -> Bool { PQgetisnull(result, Int32(row), Int32(column)) != 0 }

    func value(_ row: Int, _ column: Int) throws(DatabaseFault) -> BinaryValue {
        guard !isNull(row, column), let start = PQgetvalue(result, Int32(row), Int32(column)) else {
            throw .malformed("column \(column) is null")
        }
        let length = Int(PQgetlength(result, Int32(row), Int32(column)))
        return BinaryValue(UnsafeRawBufferPointer(start: start, count: length))
    }

    func integer(_ row: Int, _ column: Int) throws(DatabaseFault) -> Int64 { try value(row, column).integer() }

    func boolean(_ row: Int, _ column: Int) throws(DatabaseFault) -> Bool { try value(row, column).boolean() }

    func text(_ row: Int, _ column: Int) throws(DatabaseFault) -> String { try value(row, column).text() }

    func integers(_ row: Int, _ column: Int) throws(DatabaseFault) -> [Int64] { try value(row, column).integers() }

    func bytes(_ row: Int, _ column: Int) throws(DatabaseFault) -> [UInt8] { try value(row, column).array() }

    func transaction(_ row: Int, _ column: Int) throws(DatabaseFault) -> TransactionID? {
        isNull(row, column) ? nil : TransactionID(value: try integer(row, column))
    }

    func texts(_ column: Int) throws(DatabaseFault) -> [String] {
        try (0..<count).map { row throws(DatabaseFault) in try text(row, column) }
    }

    func integers(inColumn column: Int) throws(DatabaseFault) -> Set<Int64> {
        Set(try (0..<count).map { row throws(DatabaseFault) in try integer(row, column) })
    }

    func bytesIfAny(_ row: Int, _ column: Int) throws(DatabaseFault) -> [UInt8]? {
        isNull(row, column) ? nil : try bytes(row, column)
    }
}

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
