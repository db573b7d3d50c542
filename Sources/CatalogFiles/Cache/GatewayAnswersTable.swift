internal import SQLiteFiles
package import Upstream

/// The tables of gateways' answers, and of the newest answer that contains each character.
enum GatewayAnswersTable {
    static func use(_ question: String, of gateway: String, in db: Database) throws -> AnswerRow? {
        try db.first(
            """
            UPDATE answers SET last_use = (SELECT max(last_use) + 1 FROM answers)
            WHERE gateway = ? AND question = ? RETURNING *
            """,
            gateway,
            question,
            body: AnswerRow.init
        )
    }

    static func useLast(holding id: Int64, of gateway: String, in db: Database) throws -> AnswerRow? {
        try db.first(
            """
            UPDATE answers SET last_use = (SELECT max(last_use) + 1 FROM answers)
            WHERE id = (SELECT answer FROM sightings WHERE gateway = ? AND character_id = ?) RETURNING *
            """,
            gateway,
            id,
            body: AnswerRow.init
        )
    }

    /// Inserts an answer, which replaces an earlier answer to its question.
    static func insert(_ row: AnswerRow, holding ids: [Int64], of gateway: String, in db: Database) throws {
        // This also removes the references of characters that the new answer no longer contains.
        try delete(row.question, of: gateway, in: db)
        try db.run(
            """
            INSERT INTO answers (question, first, received, total, attribution, etag, characters, fetched_at, digest,
                cost, gateway, last_use)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT coalesce(max(last_use), 0) + 1 FROM answers))
            """,
            binding: row.arguments + [gateway]
        )
        let answer = db.lastInsertedRowID
        for id in ids {
            try db.run(
                "INSERT OR REPLACE INTO sightings (gateway, character_id, answer) VALUES (?, ?, ?)",
                gateway,
                id,
                answer
            )
        }
    }

    static func delete(_ question: String, of gateway: String, in db: Database) throws {
        try db.run("DELETE FROM answers WHERE gateway = ? AND question = ?", gateway, question)
    }

    static func forget(_ id: Int64, of gateway: String, in db: Database) throws {
        try db.run("DELETE FROM sightings WHERE gateway = ? AND character_id = ?", gateway, id)
    }

    static func trim(to byteCount: Int, in db: Database) throws {
        try LeastUsedRows.trim("answers", to: byteCount, in: db)
    }
}

enum LeastUsedRows {
    /// Deletes the least recently used rows until the others cost at most `byteCount`.
    static func trim(_ table: String, to byteCount: Int, in db: Database) throws {
        var cost = try db.value("SELECT coalesce(sum(cost), 0) FROM \(table)", as: Int.self) ?? 0
        guard cost > byteCount else { return }
        let rows = try db.rows("SELECT rowid AS rowid, cost FROM \(table) ORDER BY last_use")
        var evicted: [Int64] = []
        while cost > byteCount, let row = try rows.next() {
            evicted.append(try row.read("rowid"))
            // The cost of a forged row may be any number. A row with a negative cost is deleted too.
            cost = cost.subtractingReportingOverflow(max(try row.read("cost"), 0)).partialValue
        }
        for id in evicted { try db.run("DELETE FROM \(table) WHERE rowid = ?", id) }
    }
}

extension CacheFile: AnswerStore {
    package func answer(to key: String) async -> KeptAnswer? {
        let row = await query { [gateway] db in try GatewayAnswersTable.use(key, of: gateway, in: db) }
        return row.flatMap(read)
    }

    package func answer(holding id: Int64) async -> (key: String, answer: KeptAnswer)? {
        let row = await query { [gateway] db in try GatewayAnswersTable.useLast(holding: id, of: gateway, in: db) }
        guard let row, let answer = read(row), answer.ids.contains(id) else { return nil }
        return (row.question, answer)
    }

    package func keep(_ answer: KeptAnswer, to key: String) {
        let row = AnswerRow(answer, question: key)
        let ids = answer.ids
        perform { [gateway, limits] db in
            try GatewayAnswersTable.insert(row, holding: ids, of: gateway, in: db)
            try GatewayAnswersTable.trim(to: limits.answerByteCount, in: db)
        }
    }

    package func forgetCharacter(_ id: Int64) {
        perform { [gateway] db in
            try GatewayAnswersTable.forget(id, of: gateway, in: db)
            try GatewayAnswersTable.delete(GatewayQuestion.character(id: id).key, of: gateway, in: db)
        }
    }

    /// Decodes a row. It deletes a damaged row, whose answer is fetched again.
    private func read(_ row: AnswerRow) -> KeptAnswer? {
        if let answer = row.answer { return answer }
        perform { [gateway] db in try GatewayAnswersTable.delete(row.question, of: gateway, in: db) }
        return nil
    }
}
