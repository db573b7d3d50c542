internal import GRDB
package import Upstream

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

    /// Decodes a row. A damaged row is deleted, and its answer is fetched again.
    private func read(_ row: AnswerRow) -> KeptAnswer? {
        if let answer = row.answer { return answer }
        perform { [gateway] db in try GatewayAnswersTable.delete(row.question, of: gateway, in: db) }
        return nil
    }
}
