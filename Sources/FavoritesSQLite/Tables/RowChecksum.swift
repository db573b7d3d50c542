internal import Foundation
internal import MarvelDomain
internal import SQLiteFiles

/// A checksum over the values of a row, which reveals damage.
///
/// It is FNV-1a, as in `ChangeDigest` and for the same reason: it protects against disk errors, not against people.
struct RowChecksum {
    private var hash = FNV1a()

    var value: Int64 { Int64(bitPattern: hash.value) }

    mutating func addNull() { hash.combine(UInt8(0)) }

    mutating func add(_ number: Int64) {
        hash.combine(UInt8(1))
        hash.combine(number: number)
    }

    mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { add(utf8: UnsafeRawBufferPointer($0)) }
    }

    mutating func add(utf8 text: [UInt8]) { text.withUnsafeBytes { add(utf8: $0) } }

    mutating func add(utf8 text: UnsafeRawBufferPointer) {
        hash.combine(UInt8(3))
        hash.combine(number: Int64(text.count))
        hash.combine(text)
    }

    private mutating func add(_ value: SQLValue) {
        switch value {
        case .null: addNull()
        case .integer(let number): add(number)
        case .real(let number):
            hash.combine(UInt8(2))
            hash.combine(number: Int64(bitPattern: number.bitPattern))
        case .text(let text): add(text)
        case .blob(let bytes):
            hash.combine(UInt8(4))
            hash.combine(number: Int64(bytes.count))
            hash.combine(bytes)
        }
    }

    /// Returns the checksum of all other values of a row, in the order of the table's columns.
    static func of(_ values: some Sequence<SQLValue>) -> Int64 {
        var checksum = RowChecksum()
        for value in values { checksum.add(value) }
        return checksum.value
    }

    static let function = DatabaseFunction("row_checksum") { values in .integer(of(values)) }
}

extension Row {
    /// The values of a row whose last column is the checksum of the others.
    ///
    /// - Throws: `DamagedRecord` if they differ from the written ones.
    func verifiedValues() throws(DamagedRecord) -> [SQLValue] {
        var values = values
        guard let last = values.popLast(), Int64(last) == RowChecksum.of(values) else {
            throw DamagedRecord()
        }
        return values
    }
}

extension SQLValue {
    /// The value in the type that its column declares.
    ///
    /// - Throws: `DamagedRecord` if it is of another type.
    func decoded<Value: SQLConvertible>(_ type: Value.Type = Value.self) throws(DamagedRecord) -> Value {
        guard let value = Value(self) else { throw DamagedRecord() }
        return value
    }
}

/// A record of the store differs from the written one.
struct DamagedRecord: Error, Equatable, CustomStringConvertible {
    var description: String { "a record does not match its checksum: the disk or another program damaged it" }
}
