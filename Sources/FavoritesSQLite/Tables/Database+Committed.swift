internal import GRDB

extension Database {
    /// Runs `body` in a transaction and returns its value once the transaction is on disk; rolls back on any error.
    ///
    /// The write lock is taken first: a transaction that reads and then writes could be refused in between.
    func committed<Value>(_ body: () throws -> Value) throws -> Value {
        // GRDB's `inTransaction` prepares both statements again each time, which is a large part of a small commit.
        try cachedStatement(sql: "BEGIN IMMEDIATE").execute()
        do {
            let value = try body()
            try cachedStatement(sql: "COMMIT").execute()
            return value
        } catch {
            // This does nothing if SQLite has rolled back already, as it does after some errors of a disk.
            try? rollback()
            throw error
        }
    }

    /// Runs `body` in a transaction, so that all reads see the same state.
    func reading<Value>(_ body: () throws -> Value) throws -> Value {
        var value: Value?
        try inTransaction(.deferred) {
            value = try body()
            return .commit
        }
        guard let value else { throw DatabaseError(resultCode: .SQLITE_INTERNAL) }
        return value
    }
}
