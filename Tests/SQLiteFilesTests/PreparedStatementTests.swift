import GRDB
import SQLiteFiles
import Testing

/// Statements that are prepared once.
@Suite struct PreparedStatementTests {
    /// Runs `body` with a table `t` that has a number and a text.
    private func withTable(_ body: (Database) throws -> Void) throws {
        try DatabaseQueue().writeWithoutTransaction { db in
            try db.execute(sql: "CREATE TABLE t (number INTEGER PRIMARY KEY, text TEXT)")
            try body(db)
        }
    }

    private func rows(_ select: PreparedStatement, _ values: [StatementValue] = []) throws -> [StatementValue] {
        var found: [StatementValue] = []
        try select.run(values) { row in
            found.append(.integer(try row.integer(at: 0)))
            found.append(row.isNull(at: 1) ? .null : .text(try row.text(at: 1)))
        }
        return found
    }

    @Test func valuesComeBackAsTheyWereWritten() throws {
        try withTable { db in
            let insert = try PreparedStatement("INSERT INTO t VALUES (?, ?)", in: db)
            let texts = ["", "a", "ü\u{0}b", String(repeating: "long ", count: 1_000)]
            for (number, text) in texts.enumerated() { try insert.run([.integer(Int64(number)), .text(text)]) }
            try insert.run([.integer(.max), .null])
            let select = try PreparedStatement("SELECT number, text FROM t WHERE number >= ? ORDER BY number", in: db)
            let written = texts.enumerated().flatMap { [.integer(Int64($0)), StatementValue.text($1)] }
            #expect(try rows(select, [.integer(0)]) == written + [.integer(.max), .null])
            #expect(try rows(select, [.integer(4)]) == [.integer(.max), .null])
        }
    }

    @Test func aColumnOfAnotherTypeIsAnError() throws {
        try withTable { db in
            let select = try PreparedStatement("SELECT 'a', 1.5, x'00', NULL", in: db)
            var first: String?
            try select.run([]) { row in
                first = try row.text(at: 0)
                for index in 0...4 { #expect(throws: DatabaseError.self) { try row.integer(at: index) } }
                for index in 1...4 { #expect(throws: DatabaseError.self) { try row.text(at: index) } }
            }
            #expect(first == "a")
        }
    }

    @Test func anErrorNamesItsCodeAndLeavesTheStatementUsable() throws {
        try withTable { db in
            let insert = try PreparedStatement("INSERT INTO t VALUES (?, ?)", in: db)
            try insert.run([.integer(1), .null])
            let error = #expect(throws: DatabaseError.self) { try insert.run([.integer(1), .null]) }
            #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_PRIMARYKEY)
            #expect(error?.message?.contains("UNIQUE") == true)
            try insert.run([.integer(2), .null])
        }
    }

    @Test func anErrorInARowEndsTheStatement() throws {
        struct Failure: Error {}
        try withTable { db in
            try db.execute(sql: "INSERT INTO t VALUES (1, 'a'), (2, 'b')")
            let select = try PreparedStatement("SELECT number, text FROM t", in: db)
            #expect(throws: Failure.self) { try select.run([]) { _ in throw Failure() } }
            // A statement that still ran would keep the table.
            try db.execute(sql: "DROP TABLE t")
        }
    }

    @Test func wrongUseIsAnError() throws {
        try withTable { db in
            #expect(throws: DatabaseError.self) { try PreparedStatement("SELECT * FROM missing", in: db) }
            let select = try PreparedStatement("SELECT number, text FROM t WHERE number = ?", in: db)
            #expect(throws: DatabaseError.self) { try select.run([]) }
            #expect(throws: DatabaseError.self) { try select.run([.null, .null]) }
            select.finalize()
            #expect(throws: DatabaseError.self) { try select.run([.null]) }
        }
    }

    @Test func itFollowsAChangeOfTheSchema() throws {
        try withTable { db in
            let select = try PreparedStatement("SELECT number, text FROM t", in: db)
            try db.execute(sql: "INSERT INTO t VALUES (1, 'a'); ALTER TABLE t ADD COLUMN more TEXT")
            #expect(try rows(select) == [.integer(1), .text("a")])
            try db.execute(sql: "DROP TABLE t")
            #expect(throws: DatabaseError.self) { try rows(select) }
        }
    }
}
