package import GRDB

/// Reading of rows that another program may have written.
///
/// GRDB's own subscripts end the process if a column is missing, null, or holds a value of another type. A file that
/// another program can write to must not be able to do that: these functions throw instead.
extension Row {
    /// Returns the value in the column of that name.
    ///
    /// - Throws: `DatabaseError` with `SQLITE_CORRUPT` if there is no such column, or its value is of another type.
    package func read<Value: DatabaseValueConvertible>(
        _ column: String,
        as type: Value.Type = Value.self
    ) throws -> Value {
        guard hasColumn(column) else { throw DatabaseError.damagedRow("there is no column \(column)") }
        return try Row.value(self[column], in: column)
    }

    /// Returns the value in the column at that index, from 0.
    ///
    /// - Throws: The same as `read(_:as:)`.
    package func read<Value: DatabaseValueConvertible>(at index: Int, as type: Value.Type = Value.self) throws -> Value
    {
        guard (0..<count).contains(index) else { throw DatabaseError.damagedRow("there is no column \(index)") }
        return try Row.value(self[index], in: "\(index)")
    }

    /// Returns the value in the column of that name; nil if it is null.
    ///
    /// - Throws: The same as `read(_:as:)`.
    package func readIfPresent<Value: DatabaseValueConvertible>(
        _ column: String,
        as type: Value.Type = Value.self
    ) throws -> Value? {
        let stored: DatabaseValue = try read(column)
        return stored.isNull ? nil : try Row.value(stored, in: column)
    }

    /// Returns the value in the column at that index, from 0; nil if it is null.
    ///
    /// - Throws: The same as `read(_:as:)`.
    package func readIfPresent<Value: DatabaseValueConvertible>(
        at index: Int,
        as type: Value.Type = Value.self
    ) throws -> Value? {
        let stored: DatabaseValue = try read(at: index)
        return stored.isNull ? nil : try Row.value(stored, in: "\(index)")
    }

    private static func value<Value: DatabaseValueConvertible>(
        _ stored: DatabaseValue,
        in column: @autoclosure () -> String
    ) throws -> Value {
        guard let value = Value.fromDatabaseValue(stored) else {
            throw DatabaseError.damagedRow("column \(column()) holds another kind of value")
        }
        return value
    }
}

extension DatabaseError {
    fileprivate static func damagedRow(_ message: String) -> DatabaseError {
        DatabaseError(resultCode: .SQLITE_CORRUPT, message: message)
    }
}
