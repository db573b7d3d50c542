internal import Catalog
internal import MarvelDomain
internal import NIOCore
internal import SQLiteFiles
package import Upstream
internal import WireMessages

extension CacheFile: AnswerStore {
    package func answer(to key: String) async -> KeptAnswer? {
        await use("gateway = ? AND question = ?", key)?.answer
    }

    package func answer(holding id: Int64) async -> (key: String, answer: KeptAnswer)? {
        let found = await use("id = (SELECT answer FROM sightings WHERE gateway = ? AND character_id = ?)", id)
        return found.flatMap { $0.answer.ids.contains(id) ? $0 : nil }
    }

    /// A damaged answer is deleted, and fetched again.
    private func use(
        _ condition: String,
        _ value: some SQLConvertible & Sendable
    ) async -> (key: String, answer: KeptAnswer)? {
        await query { [gateway] db in
            let next = "(SELECT max(last_use) + 1 FROM answers)"
            let found = try db.first(
                "UPDATE answers SET last_use = \(next) WHERE \(condition) RETURNING *",
                gateway,
                value
            ) { row in (key: try row.read("question", as: String.self), answer: try KeptAnswer(row)) }
            guard let found else { return nil }
            if let answer = found.answer { return (found.key, answer) }
            try Self.delete(found.key, of: gateway, in: db)
            return nil
        }
    }

    package func keep(_ answer: KeptAnswer, to key: String) {
        perform { [gateway, limits] db in
            // This also removes the references of characters that the new answer no longer contains.
            try Self.delete(key, of: gateway, in: db)
            let characters = Array(answer.encodedCharacters.readableBytesView)
            try db.run(
                """
                INSERT INTO answers (gateway, question, first, received, total, attribution, etag, characters, fetched_at,
                    digest, cost, last_use)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT coalesce(max(last_use), 0) + 1 FROM answers))
                """,
                binding: [
                    gateway, key, answer.offset, answer.receivedCount, answer.total, answer.attribution, answer.etag,
                    characters, answer.fetchedAt.milliseconds, answer.digest(key, characters),
                    characters.count + key.utf8.count + 1_024,
                ]
            )
            let row = db.lastInsertedRowID
            for id in answer.ids {
                let sql = "INSERT OR REPLACE INTO sightings (gateway, character_id, answer) VALUES (?, ?, ?)"
                try db.run(sql, gateway, id, row)
            }
            try Self.trim("answers", to: limits.answerByteCount, in: db)
        }
    }

    package func forgetCharacter(_ id: Int64) {
        perform { [gateway] db in
            try db.run("DELETE FROM sightings WHERE gateway = ? AND character_id = ?", gateway, id)
            try Self.delete(GatewayQuestion.character(id: id).key, of: gateway, in: db)
        }
    }

    private static func delete(_ question: String, of gateway: String, in db: Database) throws {
        try db.run("DELETE FROM answers WHERE gateway = ? AND question = ?", gateway, question)
    }
}

extension KeptAnswer {
    fileprivate init?(_ row: Row) throws {
        let characters: [UInt8] = try row.read("characters")
        let response = try? SearchCharactersResponse(decoding: ByteBuffer(bytes: characters), limit: .response)
        let results = CharacterResults(
            characters: response?.characters ?? [],
            offset: try row.read("first"),
            receivedCount: try row.read("received"),
            total: try row.read("total"),
            attribution: try row.read("attribution"),
            etag: try row.readIfPresent("etag")
        )
        self.init(results, fetchedAt: Moment(milliseconds: try row.read("fetched_at")))
        let digest: Int64 = try row.read("digest")
        guard response != nil, digest == self.digest(try row.read("question"), characters),
            // Sums of them must not overflow: the digest is not a signature.
            [offset, receivedCount, total].allSatisfy((0...PageToken.maximumOffset).contains)
        else { return nil }
    }

    fileprivate func digest(_ question: String, _ characters: [UInt8]) -> Int64 {
        let numbers = "\(offset) \(receivedCount) \(total)"
        return CacheFile.digest([question, attribution, etag ?? "", numbers], characters)
    }
}

extension CacheFile: CallLedger {
    package func note(_ entry: CallLedgerEntry) {
        perform { [gateway] db in
            switch entry {
            case .calls(let minute, let change):
                let sql = """
                    INSERT INTO calls (gateway, minute, count) VALUES (?, ?, ?)
                    ON CONFLICT DO UPDATE SET count = count + excluded.count
                    """
                try db.run(sql, gateway, minute, change)
                let oldest = minute - CallBudget.minutesPerDay - 1
                try db.run("DELETE FROM calls WHERE gateway = ? AND minute < ?", gateway, oldest)
            case .block(let block?):
                let sql = "INSERT OR REPLACE INTO blocks (gateway, until, is_probed) VALUES (?, ?, ?)"
                try db.run(sql, gateway, block.until.milliseconds, block.isProbed)
            case .block(nil):
                try db.run("DELETE FROM blocks WHERE gateway = ?", gateway)
            }
        }
    }

    /// A full budget if the file cannot be read. Calls more than a day later are ignored: the clock was wrong.
    package func budget(callsPerDay: Int, at now: Moment) async -> CallBudget {
        let known = await query { [gateway] db in
            let sql = "SELECT minute, count FROM calls WHERE gateway = ? AND minute BETWEEN ? AND ?"
            let (first, last) = (now.minute - CallBudget.minutesPerDay - 1, now.minute + CallBudget.minutesPerDay)
            let minutes = try db.all(sql, gateway, first, last) { row in
                CallBudget.Minute(try row.read("minute"), count: try row.read("count"))
            }
            let block = try db.first("SELECT until, is_probed FROM blocks WHERE gateway = ?", gateway) { row in
                CallBudget.Block(
                    until: Moment(milliseconds: try row.read("until")),
                    isProbed: try row.read("is_probed")
                )
            }
            return (minutes: minutes, block: block)
        }
        return CallBudget(
            callsPerDay: callsPerDay,
            minutes: known?.minutes ?? [],
            block: known?.block,
            ledger: self,
            at: now
        )
    }
}
