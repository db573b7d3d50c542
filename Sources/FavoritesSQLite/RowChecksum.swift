internal import Foundation
internal import GRDB
internal import MarvelDomain

/// A number over the values of a row that no other row repeats, so that damage in it is seen.
///
/// FNV-1a, as in `ChangeDigest` and for the same reason: it guards against disks, not against people.
enum RowChecksum {
    /// The checksum of all values of a row but itself, in the order in which its table names them.
    static func of(_ values: some Sequence<DatabaseValue>) -> Int64 {
        var hash = FNV1a()
        for value in values {
            switch value.storage {
            case .null: hash.combine(UInt8(0))
            case .int64(let number):
                hash.combine(UInt8(1))
                hash.combine(number: number)
            case .double(let number):
                hash.combine(UInt8(2))
                hash.combine(number: Int64(bitPattern: number.bitPattern))
            case .string(let text):
                hash.combine(UInt8(3))
                hash.combine(number: Int64(text.utf8.count))
                hash.combine(text.utf8)
            case .blob(let bytes):
                hash.combine(UInt8(4))
                hash.combine(number: Int64(bytes.count))
                hash.combine(bytes)
            }
        }
        return Int64(bitPattern: hash.value)
    }

    /// `row_checksum(value, …)` in SQL.
    static let function = DatabaseFunction("row_checksum", pure: true) { values in of(values) }
}

extension Row {
    /// The values of a row whose last column is the checksum of the others.
    ///
    /// - Throws: `DamagedRecord` if they are not as they were written.
    func verifiedValues() throws(DamagedRecord) -> [DatabaseValue] {
        var values = Array(databaseValues)
        guard let last = values.popLast(), Int64.fromDatabaseValue(last) == RowChecksum.of(values) else {
            throw DamagedRecord()
        }
        return values
    }
}

extension DatabaseValue {
    /// The value as its column declares it. GRDB's own way of reading ends the process where a damaged file has another
    /// kind of value.
    ///
    /// - Throws: `DamagedRecord` if it is of another kind.
    func decoded<Value: DatabaseValueConvertible>(_ type: Value.Type = Value.self) throws(DamagedRecord) -> Value {
        guard let value = Value.fromDatabaseValue(self) else { throw DamagedRecord() }
        return value
    }
}

/// A record of the store that is not as it was written.
struct DamagedRecord: Error, Equatable, CustomStringConvertible {
    var description: String { "a record is not as it was written: the disk or another program damaged it" }
}
