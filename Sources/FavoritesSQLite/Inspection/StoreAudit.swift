internal import MarvelDomain
internal import SQLiteFiles

/// A check of the consistency of a store: the lists' rows, the log with its digests, and the answers. SQLite's own check
/// finds nothing of this: for SQLite, a store that lost a write is valid.
struct StoreAudit {
    private var audit: RecordAudit

    /// Checks a store of the newest schema, in a transaction of the caller. `witness` is the progress as recorded
    /// before the transaction began. A thorough check also reads every page and index of the file, and every answer and
    /// edit.
    ///
    /// - Throws: Errors of SQLite.
    static func audit(
        _ db: Database,
        witness: StoreWitness.Progress?,
        isThorough: Bool = false
    ) throws -> StoreReport {
        var audit = StoreAudit(audit: RecordAudit(digest: ChangeDigest.next(after:revision:text:)))
        try audit.readFacts(db)
        try audit.compareLists(db)
        try audit.compareOrphans(db)
        if let witness {
            for loss in try witness.losses(in: db, besides: audit.audit.report.damagedLists) {
                audit.audit.report.note(loss: loss)
            }
        }
        if isThorough {
            try audit.checkFile(db)
            try audit.compareRecords(db)
        }
        return audit.audit.report
    }

    private mutating func readFacts(_ db: Database) throws {
        func count(_ table: String) throws -> Int { try db.value("SELECT count(*) FROM \(table)", as: Int.self) ?? 0 }
        audit.report.history = try StoreHistory.read(db).id.description
        audit.report.schemaVersion = try StoreSchema.version(of: db)
        audit.report.answerCount = try count("answers")
        audit.report.editCount = try count("edits")
        audit.report.byteCount =
            try db.value("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size", as: Int64.self) ?? 0
    }

    private mutating func compareLists(_ db: Database) throws {
        let rows = try db.rows("SELECT name, revision, digest, log_bytes, deletion IS NULL FROM lists ORDER BY name")
        while let row = try rows.next() {
            guard let name = try? ListName(stored: row.read(at: 0)) else {
                note("a list has an invalid name; it is not served")
                continue
            }
            let favorites: [StoreRecord.Favorite]
            do {
                favorites = try ListRows.read(name, withTexts: true, in: db)?.favorites ?? []
            } catch let damage as DamagedList {
                note(damage)
                favorites = try FavoritesTable.rows(on: name, in: db)
            }
            guard let state = try? ListState(of: name, row, from: 1) else { continue }
            let list = StoreRecord.List(
                name,
                revision: state.revision,
                digest: state.digest,
                deletion: try row.read(at: 4) ? nil : 0,
                favorites: favorites
            )
            let log = try audit.read(list) { body in try ChangesTable.forEach(of: name, in: db, body) }
            if !audit.report.damagedLists.contains(name) { audit.report.logBytes += log.byteCount }
            if log.problems.isEmpty, log.byteCount != state.logBytes {
                note("list \(name): its log has \(log.byteCount) bytes, but its list says \(state.logBytes)")
            }
        }
    }

    private mutating func compareOrphans(_ db: Database) throws {
        for list in try ListsTable.missing(in: db) {
            if let list {
                note(DamagedList(list: list, problem: .noRow))
            } else {
                note("favorites are on a list with an invalid name; they are not served")
            }
        }
    }

    private mutating func checkFile(_ db: Database) throws {
        for finding in try db.values("PRAGMA integrity_check(20)", as: String.self) where finding != "ok" {
            note("SQLite: \(finding)")
        }
        if try db.first("PRAGMA foreign_key_check", body: { _ in true }) != nil {
            note("a favorite or a change belongs to a missing list")
        }
    }

    private mutating func compareRecords(_ db: Database) throws {
        let (edits, damaged) = try EditsTable.all(in: db)
        for damage in damaged { note("\(damage); it is refused") }
        for edited in edits {
            do {
                _ = try EditsTable.picture(of: edited.id, in: db)
            } catch let damage as DamagedEdit {
                note("\(damage): its picture is refused")
            }
        }
        let count = try Self.damagedAnswerCount(in: db)
        guard count > 0 else { return }
        note(
            "answers damaged, or not found by their request ids: \(count); a repeated request of these is refused, or "
                + "executed again"
        )
    }

    /// Counts the damaged answers, and those that the index does not find: their requests would be carried out again.
    private static func damagedAnswerCount(in db: Database) throws -> Int {
        let rows = try db.rows(
            """
            SELECT sequence IS (
                    SELECT i.sequence FROM answers i
                    WHERE i.principal = a.principal AND i.request_id = a.request_id
                ),
                principal, request_id, list, character_id, desired, is_favorite, revision, evicted, history,
                created_at, checksum
            FROM answers a ORDER BY sequence
            """
        )
        var count = 0
        while let row = try rows.next() {
            let values = row.values
            let checksum = RowChecksum.of(values[1..<(values.count - 1)])
            if values[0] != 1.sqlValue || Int64(values[values.count - 1]) != checksum { count += 1 }
        }
        return count
    }

    private mutating func note(_ problem: String) { audit.report.note(problem) }

    private mutating func note(_ damage: DamagedList) {
        note("\(damage); the list is refused")
        audit.report.damagedLists.insert(damage.list)
    }
}

extension StoreWitness.Progress {
    /// The acknowledged changes that a store lacks, in words for the operator. The state of a damaged list means nothing.
    func losses(in db: Database, besides damaged: Set<ListName> = []) throws -> [String] {
        let stored = try StoreHistory.read(db)
        // A restored copy, or another store, lacks what was acknowledged since. That is not a loss.
        guard !stored.isCopy, history ?? stored.id == stored.id else { return [] }
        var losses: [String] = []
        if !damaged.contains(list), let loss = lossOfList(in: db) { losses.append(loss) }
        let lostCount = changeCount.subtractingSaturated(try StoreHistory.changeCount(in: db))
        if lostCount > 0 { losses.append("\(lostCount) acknowledged changes are lost, of lists or of edits") }
        return losses
    }

    /// Nil also if the list is damaged, which an audit reports.
    private func lossOfList(in db: Database) -> String? {
        guard let state = try? ListsTable.state(of: list, in: db) ?? ListState() else { return nil }
        if state.revision < revision {
            return "list \(list) is at revision \(state.revision), but changes were acknowledged up to \(revision): "
                + "the changes after \(state.revision) are lost"
        }
        guard state.revision == revision, state.digest != digest, state.digest != 0 else { return nil }
        return "list \(list): change \(state.revision) differs from the acknowledged one"
    }
}
