internal import MarvelDomain
internal import SQLiteFiles

/// A check of the answers, which no digest of a log covers, with the index that finds them. It runs in steps: a long
/// reader would keep the log from starting over.
enum RecordsAudit {
    static let batch = 200

    struct Step {
        /// The key of the last row; nil at the end.
        var last: Int64?
        var count = 0
        var damagedCount = 0
    }

    /// Checks answers by their sequence numbers. A request whose answer the index does not find would be carried out
    /// again.
    static func answers(after key: Int64?, in db: Database) throws -> Step {
        var step = Step()
        let rows = try db.rows(
            """
            SELECT sequence,
                sequence IS (
                    SELECT i.sequence FROM answers i
                    WHERE i.principal = a.principal AND i.request_id = a.request_id
                ),
                principal, request_id, list, character_id, desired, is_favorite, revision, evicted, history,
                created_at, checksum
            FROM answers a WHERE sequence > ? ORDER BY sequence LIMIT ?
            """,
            key ?? .min,
            batch
        )
        while let row = try rows.next() {
            let values = row.values
            step.count += 1
            step.last = try values[0].decoded(Int64.self)
            let checksum = RowChecksum.of(values[2..<(values.count - 1)])
            let isWhole = values[1] == 1.sqlValue && Int64(values[values.count - 1]) == checksum
            if !isWhole { step.damagedCount += 1 }
        }
        if step.count < batch { step.last = nil }
        return step
    }
}

package struct RecordsReport: Sendable, Hashable {
    package var answerCount = 0
    package var damagedAnswerCount = 0

    static func text(damagedAnswers count: Int) -> String {
        "answers damaged, or not found by their request ids: \(count); a repeated request of these is refused, "
            + "or executed again"
    }
}

extension SQLiteFavoritesStore {
    /// Checks all answers, a few at a time between other work, and reports damage to the operator.
    ///
    /// - Returns: The result up to the point where the store was closed or could not be read.
    package func verifyRecords() async -> RecordsReport {
        var report = RecordsReport()
        var key: Int64?
        repeat {
            let last = key
            // The error was reported at its source.
            guard let step = try? await read({ db in try RecordsAudit.answers(after: last, in: db) }) else { break }
            report.answerCount += step.count
            report.damagedAnswerCount += step.damagedCount
            key = step.last
        } while key != nil && !Task.isCancelled
        if report.damagedAnswerCount > 0 { onError(RecordsReport.text(damagedAnswers: report.damagedAnswerCount)) }
        return report
    }
}
