internal import CPostgres

/// The rows that a statement returned, in binary format.
final class Rows {
    private let result: OpaquePointer

    /// - Parameter result: A result of libpq, which this object frees.
    init(owning result: OpaquePointer) { self.result = result }

    deinit { PQclear(result) }

    var count: Int { Int(PQntuples(result)) }

    func isNull(_ row: Int, _ column: Int) -> Bool { PQgetisnull(result, Int32(row), Int32(column)) != 0 }

    /// - Throws: `.malformed` if it is null.
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

    func bytesIfAny(_ row: Int, _ column: Int) throws(DatabaseFault) -> [UInt8]? {
        isNull(row, column) ? nil : try bytes(row, column)
    }
}
