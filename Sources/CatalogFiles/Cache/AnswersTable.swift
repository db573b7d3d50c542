internal import GRDB
internal import SQLiteRows

/// Answers of gateways, and which of them held a character last.
enum AnswersTable {
    static func use(_ question: String, of gateway: String, in db: Database) throws -> AnswerRow? {
        let statement = try db.cachedStatement(
            sql: """
                UPDATE answers SET last_use = (SELECT max(last_use) + 1 FROM answers)
                WHERE gateway = ? AND question = ? RETURNING *
                """
        )
        return try Row.fetchOne(statement, arguments: [gateway, question]).map { try AnswerRow($0) }
    }

    static func useLast(holding id: Int64, of gateway: String, in db: Database) throws -> AnswerRow? {
        let statement = try db.cachedStatement(
            sql: """
                UPDATE answers SET last_use = (SELECT max(last_use) + 1 FROM answers)
                WHERE id = (SELECT answer FROM sightings WHERE gateway = ? AND character_id = ?) RETURNING *
                """
        )
        return try Row.fetchOne(statement, arguments: [gateway, id]).map { try AnswerRow($0) }
    }

    /// - Parameters:
    ///   - row: The answer. One to the same question makes room for it.
    ///   - ids: The characters in it.
    ///   - gateway: Whose answer it is.
    ///   - db: The file.
    /// - Throws: `DatabaseError`.
    static func insert(_ row: AnswerRow, holding ids: [Int64], of gateway: String, in db: Database) throws {
        // What it held before, and holds no more, must not be looked for in it.
        try delete(row.question, of: gateway, in: db)
        let insertion = try db.cachedStatement(
            sql: """
                INSERT INTO answers (question, first, received, total, attribution, etag, characters, fetched_at, digest,
                    cost, gateway, last_use)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT coalesce(max(last_use), 0) + 1 FROM answers))
                """
        )
        try insertion.execute(arguments: row.arguments + [gateway])
        let answer = db.lastInsertedRowID
        let sighting = try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO sightings (gateway, character_id, answer) VALUES (?, ?, ?)"
        )
        for id in ids { try sighting.execute(arguments: [gateway, id, answer]) }
    }

    static func delete(_ question: String, of gateway: String, in db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM answers WHERE gateway = ? AND question = ?")
            .execute(arguments: [gateway, question])
    }

    static func forget(_ id: Int64, of gateway: String, in db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM sightings WHERE gateway = ? AND character_id = ?")
            .execute(arguments: [gateway, id])
    }

    static func trim(to byteCount: Int, in db: Database) throws {
        try LeastUsedRows.trim("answers", to: byteCount, in: db)
    }
}

/// Rows of tables with the columns `cost` and `last_use`.
enum LeastUsedRows {
    /// Deletes what was used longest ago until the rest costs no more than that.
    static func trim(_ table: String, to byteCount: Int, in db: Database) throws {
        var cost = try Int.fetchOne(db.cachedStatement(sql: "SELECT coalesce(sum(cost), 0) FROM \(table)")) ?? 0
        guard cost > byteCount else { return }
        let rows = try Row.fetchCursor(db, sql: "SELECT rowid AS rowid, cost FROM \(table) ORDER BY last_use")
        var gone: [Int64] = []
        while cost > byteCount, let row = try rows.next() {
            gone.append(try row.read("rowid"))
            // Somebody else's row may say anything; one that frees nothing goes too.
            cost = cost.subtractingReportingOverflow(max(try row.read("cost"), 0)).partialValue
        }
        let deletion = try db.cachedStatement(sql: "DELETE FROM \(table) WHERE rowid = ?")
        for id in gone { try deletion.execute(arguments: [id]) }
    }
}
