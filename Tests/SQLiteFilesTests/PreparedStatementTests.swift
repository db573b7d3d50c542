import SQLiteFiles
import Testing

/// Statements that are prepared once.
@Suite struct PreparedStatementTests {
    /// Runs `body` with a table `t` that has a number and a text.
    private func withTable(_ body: (Database) throws -> Void) throws {
        try DatabaseQueue().sync { db in
            try db.execute("CREATE TABLE t (number INTEGER PRIMARY KEY, text TEXT)")
            try body(db)
        }
    }

    private struct Found: Equatable {
        var number: Int64
        var text: String?
    }

    private func rows(_ select: PreparedStatement, from number: Int64? = nil) throws -> [Found] {
        var found: [Found] = []
        try select.run { values in
            if let number { values.add(number) }
        } forEachRow: { row in
            let text = row.isNull(at: 1) ? nil : try row.read(at: 1, as: String.self)
            if let text { #expect(try row.utf8(at: 1) == Array(text.utf8)) }
            found.append(Found(number: try row.integer(at: 0), text: text))
        }
        return found
    }

    @Test func valuesComeBackAsTheyWereWritten() throws {
        try withTable { db in
            let insert = try db.prepare("INSERT INTO t VALUES (?, ?)")
            let texts = ["", "a", "ü\u{0}b", String(repeating: "long ", count: 1_000)]
            for (number, text) in texts.enumerated() {
                try insert.run { values in
                    values.add(Int64(number))
                    values.add(text)
                }
                try insert.run { values in
                    values.add(Int64(number + texts.count))
                    values.add(utf8: Array(text.utf8))
                }
            }
            try insert.run { values in
                values.add(.max)
                values.addNull()
            }
            let select = try db.prepare("SELECT number, text FROM t WHERE number >= ? ORDER BY number")
            let written = (texts + texts).enumerated().map { Found(number: Int64($0), text: $1) }
            let last = Found(number: .max, text: nil)
            #expect(try rows(select, from: 0) == written + [last])
            #expect(try rows(select, from: Int64(2 * texts.count)) == [last])
        }
    }

    @Test func aColumnOfAnotherTypeIsAnError() throws {
        try withTable { db in
            let select = try db.prepare("SELECT 'a', 1.5, x'00', NULL")
            var first: String?
            try select.run { _ in
            } forEachRow: { row in
                first = try row.read(at: 0)
                for index in 0...4 { #expect(throws: DatabaseError.self) { try row.integer(at: index) } }
                for index in 1...4 { #expect(throws: DatabaseError.self) { try row.read(at: index, as: String.self) } }
            }
            #expect(first == "a")
        }
    }

    @Test func anErrorNamesItsCodeAndLeavesTheStatementUsable() throws {
        try withTable { db in
            let insert = try db.prepare("INSERT INTO t VALUES (?, ?)")
            func add(_ number: Int64) throws {
                try insert.run { values in
                    values.add(number)
                    values.addNull()
                }
            }
            try add(1)
            let error = #expect(throws: DatabaseError.self) { try add(1) }
            #expect(error?.failure == .constraint)
            #expect(error?.reason.contains("UNIQUE") == true)
            try add(2)
        }
    }

    @Test func anErrorInARowEndsTheStatement() throws {
        struct Failure: Error {}
        try withTable { db in
            try db.execute("INSERT INTO t VALUES (1, 'a'), (2, 'b')")
            let select = try db.prepare("SELECT number, text FROM t")
            #expect(throws: Failure.self) { try select.run({ _ in }, forEachRow: { _ in throw Failure() }) }
            // A statement that still ran would keep the table.
            try db.execute("DROP TABLE t")
        }
    }

    @Test func wrongUseIsAnError() throws {
        try withTable { db in
            #expect(throws: DatabaseError.self) { try db.prepare("SELECT * FROM missing") }
            let select = try db.prepare("SELECT number, text FROM t WHERE number = ?")
            #expect(throws: DatabaseError.self) { try select.run { _ in } }
            #expect(throws: DatabaseError.self) {
                try select.run { values in
                    values.addNull()
                    values.addNull()
                }
            }
            try db.close()
            #expect(throws: DatabaseError.self) { try select.run { $0.addNull() } }
        }
    }

    @Test func itFollowsAChangeOfTheSchema() throws {
        try withTable { db in
            let select = try db.prepare("SELECT number, text FROM t")
            try db.execute("INSERT INTO t VALUES (1, 'a'); ALTER TABLE t ADD COLUMN more TEXT")
            #expect(try rows(select) == [Found(number: 1, text: "a")])
            try db.execute("DROP TABLE t")
            #expect(throws: DatabaseError.self) { try rows(select) }
        }
    }
}
