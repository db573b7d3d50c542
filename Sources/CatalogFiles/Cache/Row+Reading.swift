internal import GRDB

extension Row {
    /// The value in a column. GRDB's own way of reading ends the process where a damaged file has another kind of value.
    ///
    /// - Throws: `DatabaseError` of a damaged file.
    func read<Value: DatabaseValueConvertible>(_ column: String) throws -> Value {
        let stored: DatabaseValue = self[column]
        guard let value = Value.fromDatabaseValue(stored) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "column \(column) holds another kind of value")
        }
        return value
    }

    func readIfPresent<Value: DatabaseValueConvertible>(_ column: String) throws -> Value? {
        let stored: DatabaseValue = self[column]
        return stored.isNull ? nil : try read(column)
    }
}
