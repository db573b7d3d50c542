internal import CatalogEdits
internal import GRDB
internal import MarvelDomain

/// A check of all records that no digest of a log covers: answers with the index that finds them, and pictures. It runs
/// in steps, so that no reader keeps the log from starting over for long.
enum RecordsAudit {
    /// The number of rows that a step reads.
    static let batch = 200

    /// The result of one step.
    struct Step {
        /// The key of the last row that was read; nil if there are no more.
        var last: Int64?
        /// The number of rows that were read.
        var count = 0
        /// The keys of the rows that differ from what was written.
        var damaged: [Int64] = []
    }

    /// Checks answers by their sequence numbers. A request whose answer the index does not find would be carried out
    /// again.
    static func answers(after key: Int64?, in db: Database) throws -> Step {
        try step(
            """
            SELECT sequence,
                sequence IS (
                    SELECT i.sequence FROM answers i WHERE i.principal = a.principal AND i.request_id = a.request_id
                ),
                principal, request_id, list, character_id, desired, is_favorite, revision, evicted, history,
                created_at, checksum
            FROM answers a WHERE sequence > ? ORDER BY sequence LIMIT ?
            """,
            after: key,
            in: db
        )
    }

    /// Checks pictures by their characters.
    static func pictures(after key: Int64?, in db: Database) throws -> Step {
        try step(
            """
            SELECT character_id, 1, character_id, media_type, is_placeholder, bytes, fetched_at, checksum
            FROM pictures WHERE character_id > ? ORDER BY character_id LIMIT ?
            """,
            after: key,
            in: db
        )
    }

    /// Reads some rows. `sql` selects the key, whether an index finds the row, and then the columns that the checksum
    /// covers, with the checksum last.
    private static func step(_ sql: String, after key: Int64?, in db: Database) throws -> Step {
        var step = Step()
        let rows = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: [key ?? .min, batch])
        while let row = try rows.next() {
            let values = Array(row.databaseValues)
            let key = try values[0].decoded(Int64.self)
            step.count += 1
            step.last = key
            let checksum = RowChecksum.of(values[2..<(values.count - 1)])
            let isWhole = values[1] == 1.databaseValue && Int64.fromDatabaseValue(values[values.count - 1]) == checksum
            if !isWhole { step.damaged.append(key) }
        }
        if step.count < batch { step.last = nil }
        return step
    }
}

extension StoreAudit {
    /// Checks all answers, pictures and edits.
    mutating func compareRecords(_ db: Database) throws {
        let answers = try Self.countDamaged { try RecordsAudit.answers(after: $0, in: db) }
        if answers > 0 { report.note(RecordsReport.text(damagedAnswers: answers)) }
        let pictures = try Self.countDamaged { try RecordsAudit.pictures(after: $0, in: db) }
        if pictures > 0 { report.note("damaged pictures: \(pictures)") }
        let (edits, damaged) = try EditsTable.all(in: db)
        for damage in damaged { report.note("\(damage); it is refused") }
        for edited in edits {
            do {
                _ = try EditsTable.picture(of: edited.id, in: db)
            } catch let damage as DamagedEdit {
                report.note("\(damage): its picture is refused")
            }
        }
    }

    private static func countDamaged(_ step: (Int64?) throws -> RecordsAudit.Step) throws -> Int {
        var (key, count): (Int64?, Int) = (nil, 0)
        repeat {
            let found = try step(key)
            count += found.damaged.count
            key = found.last
        } while key != nil
        return count
    }
}

/// The result of a check of all answers and pictures.
package struct RecordsReport: Sendable, Hashable {
    package var answerCount = 0
    package var damagedAnswerCount = 0
    package var pictureCount = 0
    package var damagedPictureCount = 0

    static func text(damagedAnswers count: Int) -> String {
        "answers that are damaged, or not found by their request ids: \(count); a repeated request of these is refused, "
            + "or carried out again"
    }
}

extension SQLiteFavoritesStore {
    /// Checks all answers and pictures, a few at a time between other work, reports damage to the operator, and deletes
    /// damaged pictures, so that they are fetched again.
    ///
    /// - Returns: The result up to the point where the store was closed or could not be read.
    package func verifyRecords() async -> RecordsReport {
        var report = RecordsReport()
        do throws(StoreError) {
            (report.answerCount, report.damagedAnswerCount) = try await verify { key, db in
                try RecordsAudit.answers(after: key, in: db)
            } found: { _ in
            }
            (report.pictureCount, report.damagedPictureCount) = try await verify { key, db in
                try RecordsAudit.pictures(after: key, in: db)
            } found: { [self] ids in
                try? await deletePictures(ids)
            }
        } catch {
            // The error was reported at its source.
        }
        if report.damagedAnswerCount > 0 { onError(RecordsReport.text(damagedAnswers: report.damagedAnswerCount)) }
        if report.damagedPictureCount > 0 {
            onError("pictures that were damaged, and are fetched anew: \(report.damagedPictureCount)")
        }
        return report
    }

    private func verify(
        _ step: @escaping @Sendable (Int64?, Database) throws -> RecordsAudit.Step,
        found: ([Int64]) async -> Void
    ) async throws(StoreError) -> (count: Int, damagedCount: Int) {
        var (key, count, damagedCount): (Int64?, Int, Int) = (nil, 0, 0)
        repeat {
            let last = key
            let result = try await read { db in try step(last, db) }
            count += result.count
            damagedCount += result.damaged.count
            if !result.damaged.isEmpty { await found(result.damaged) }
            key = result.last
        } while key != nil && !Task.isCancelled
        return (count, damagedCount)
    }
}
