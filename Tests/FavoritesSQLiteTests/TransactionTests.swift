internal import SQLiteFiles
internal import Testing

@testable internal import FavoritesSQLite

/// A transaction is made whole or not at all, and others follow it.
@Suite struct TransactionTests {
    /// With `OR ROLLBACK`, SQLite itself ends the transaction, as it does after some errors of a disk.
    @Test(arguments: ["INSERT", "INSERT OR ROLLBACK"])
    func aTransactionThatFailsIsFollowedByOthers(_ insert: String) throws {
        let numbers = try DatabaseQueue().sync { db in
            try db.execute("CREATE TABLE numbers (number INTEGER PRIMARY KEY)")
            let insertion = try PreparedStatement("\(insert) INTO numbers VALUES (?)", in: db)
            defer { insertion.finalize() }
            #expect(add([1, 1], by: insertion, in: db) == .constraint)
            #expect(add([2], by: insertion, in: db) == nil)
            return try db.values("SELECT number FROM numbers", as: Int.self)
        }
        #expect(numbers == [2])
    }

    /// Adds numbers in one transaction.
    ///
    /// - Returns: The failure; nil if there was none.
    private func add(_ numbers: [Int64], by insertion: PreparedStatement, in db: Database) -> DatabaseFailure? {
        do {
            try db.committed { for number in numbers { try insertion.run { $0.add(number) } } }
            return nil
        } catch {
            return (error as? DatabaseError)?.failure
        }
    }
}
