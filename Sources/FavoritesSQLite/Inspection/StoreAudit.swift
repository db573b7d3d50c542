internal import MarvelDomain
internal import SQLiteFiles

/// A check of the consistency of a store: the lists' revisions, their rows, the log with its digests, and the answers.
/// SQLite's own check finds nothing of this: for SQLite, a store that lost a write is valid.
struct StoreAudit {
    var report = StoreReport()

    /// Checks a store of the newest schema, in a transaction of the caller. `witness` is the progress as recorded
    /// before the transaction began.
    ///
    /// - Throws: Errors of SQLite.
    static func audit(_ db: Database, witness: StoreWitness.Progress?) throws -> StoreReport {
        var audit = StoreAudit()
        let history = try StoreHistory.read(db)
        audit.report.history = history.id.description
        try audit.count(db)
        try audit.compareChecksums(db)
        try audit.compareLogs(db)
        try audit.compareFavorites(db)
        try audit.compareAnswers(db)
        // A restored copy, or another store, lacks what was acknowledged since. That is not a loss.
        if let witness, !history.isCopy, witness.history ?? history.id == history.id { try audit.compare(witness, db) }
        return audit.report
    }

    /// Adds the slow checks: it reads every page and index of the file, and compares every record with the log.
    static func thoroughAudit(_ db: Database, witness: StoreWitness.Progress?) throws -> StoreReport {
        var audit = StoreAudit(report: try audit(db, witness: witness))
        for finding in try db.values("PRAGMA integrity_check(20)", as: String.self) where finding != "ok" {
            audit.report.note("SQLite: \(finding)")
        }
        if try db.first("PRAGMA foreign_key_check", body: { _ in true }) != nil {
            audit.report.note("a favorite or a change belongs to a missing list")
        }
        try audit.compareRecords(db)
        try ListsTable.forEach(in: db) { list, _ in
            for problem in try replayProblems(of: list, in: db) { audit.report.note(problem) }
        }
        return audit.report
    }

    private static func replayProblems(of list: ListName, in db: Database) throws -> [String] {
        var replay = LogReplay(list: list)
        let rows = try db.rows("SELECT revision, change FROM changes WHERE list = ? ORDER BY revision", list.text)
        while let row = try rows.next() {
            let text: String = try row.read(at: 1)
            replay.play(try row.read(at: 0), Array(text.utf8))
        }
        guard let favorites = try FavoritesTable.rows(on: list, in: db) else { return [] }
        for favorite in favorites { replay.compare(favorite) }
        replay.finish()
        return replay.problems
    }

    private mutating func count(_ db: Database) throws {
        func count(_ table: String) throws -> Int { try db.value("SELECT count(*) FROM \(table)", as: Int.self) ?? 0 }
        report.schemaVersion = try StoreSchema.version(of: db)
        report.listCount = try count("lists WHERE deletion IS NULL")
        report.favoriteCount = try count("favorites")
        report.keptChangeCount = try count("changes")
        report.answerCount = try count("answers")
        report.editCount = try count("edits")
        try ListsTable.forEachRevision(in: db) { report.changeCount &+= $0 & 0xFFFF_FFFF }
        report.byteCount =
            try db.value("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size", as: Int64.self) ?? 0
    }

    private mutating func compareLogs(_ db: Database) throws {
        let sql = "SELECT revision, change, digest FROM changes WHERE list = ? ORDER BY revision"
        try ListsTable.forEach(in: db) { list, state in
            var log = LogAudit(list: list, digest: ChangeDigest.next(after:revision:text:))
            let rows = try db.rows(sql, list.text)
            while let row = try rows.next() {
                log.read(
                    StoreRecord.Change(
                        revision: try row.read(at: 0),
                        text: try row.utf8(at: 1),
                        digest: try row.read(at: 2)
                    )
                )
            }
            log.finish(revision: state.revision, digest: state.digest)
            for problem in log.problems { report.note(problem, isLostEnd: log.isAhead) }
            if !report.damagedLists.contains(list) {
                report.logByteSurplus = report.logByteSurplus.addingSaturated(log.byteCount - state.logBytes)
            }
            if log.problems.isEmpty, log.byteCount != state.logBytes {
                report.note(
                    "list \(list): its log has \(log.byteCount) bytes, but its list says \(state.logBytes)"
                )
            }
        }
    }

    /// Compares the rows of lists and favorites with their checksums. It reports one problem for each damaged list.
    private mutating func compareChecksums(_ db: Database) throws {
        let statement = try PreparedStatement(
            """
            SELECT name, revision, digest, log_bytes, deletion IS NULL, lists.checksum,
                character_id, saved_revision, favorites.checksum, snapshot
            FROM lists LEFT JOIN favorites ON list = name ORDER BY name
            """,
            in: db
        )
        defer { statement.finalize() }
        var list: ListChecksums?
        // The name in the previous rows, which may be invalid.
        var last: String??
        try statement.run { _ in
        } forEachRow: { row in
            let text = try? row.text(at: 0)
            if last != .some(text) {
                last = .some(text)
                if let problem = list?.problem { note(problem) }
                list = (try? text.map(ListName.init(stored:))).flatMap(\.self).map {
                    ListChecksums(name: $0, row, from: 1)
                }
                if list == nil { report.note("a list has an invalid name; it is not served") }
            }
            if !row.isNull(at: 6) { list?.read(row, from: 6) }
        }
        if let problem = list?.problem { note(problem) }
    }

    private mutating func note(_ damage: DamagedList) {
        report.note("\(damage); the list is refused")
        report.damagedLists.insert(damage.list)
    }

    private mutating func compareFavorites(_ db: Database) throws {
        let rows = try db.rows(
            """
            SELECT f.list, count(*), count(DISTINCT f.saved_revision), max(f.saved_revision), ifnull(l.revision, 0),
                l.name IS NULL
            FROM favorites f LEFT JOIN lists l ON l.name = f.list GROUP BY f.list
            """
        )
        while let row = try rows.next() {
            let count: Int = try row.read(at: 1)
            report.longestList = max(report.longestList, count)
            guard let list = try? ListName(stored: row.read(at: 0)) else {
                report.note("favorites are on a list with an invalid name; they are not served")
                continue
            }
            if try row.read(at: 5) { note(DamagedList(list: list, problem: .noRow)) }
            let differentCount: Int = try row.read(at: 2)
            // Values of another type are reported with the checksums.
            guard let newest = try? row.read(at: 3, as: Int64.self),
                let revision = try? row.read(at: 4, as: Int64.self)
            else { continue }
            if newest > revision {
                report.note("list \(list) is at revision \(revision), but has a favorite of revision \(newest)")
            }
            if differentCount != count { report.note("list \(list): two favorites have the same revision") }
        }
    }

    /// A repeated request must not be answered with a revision that does not exist.
    private mutating func compareAnswers(_ db: Database) throws {
        let rows = try db.rows(
            """
            SELECT a.list, max(a.revision), ifnull(l.revision, h.base)
            FROM answers a JOIN history h ON h.history = a.history LEFT JOIN lists l ON l.name = a.list
            GROUP BY a.list HAVING max(a.revision) > ifnull(l.revision, h.base)
            """
        )
        while let row = try rows.next() {
            let (list, answered): (String, Int64) = (try row.read(at: 0), try row.read(at: 1))
            // The revision of a damaged list may be of another type.
            guard let revision = try? row.read(at: 2, as: Int64.self) else { continue }
            report.note("list \(list) is at revision \(revision), but a request was answered with \(answered)")
        }
    }

    private mutating func compare(_ witness: StoreWitness.Progress, _ db: Database) throws {
        if !report.damagedLists.contains(witness.list) { try compareList(witness, db) }
        let lostCount = witness.changeCount.subtractingSaturated(try StoreHistory.changeCount(in: db))
        if lostCount > 0 { report.note(loss: "\(lostCount) acknowledged changes are lost, of lists or of edits") }
    }

    private mutating func compareList(_ witness: StoreWitness.Progress, _ db: Database) throws {
        let state = try ListsTable.state(of: witness.list, in: db) ?? ListState()
        if state.revision < witness.revision {
            report.note(
                loss: "list \(witness.list) is at revision \(state.revision), but changes were acknowledged up to "
                    + "\(witness.revision): the changes after \(state.revision) are lost"
            )
        } else if state.revision == witness.revision, state.digest != witness.digest, state.digest != 0 {
            report.note(loss: "list \(witness.list): change \(state.revision) differs from the acknowledged one")
        }
    }
}

private struct ListChecksums {
    let name: ListName
    /// Nil if the row cannot be read.
    private var own: (state: ListState, exists: Bool, checksum: Int64)?
    private var favorites: [(id: Int64, savedRevision: Int64)] = []
    private var damagedID: Int64?

    init(name: ListName, _ row: Row, from index: Int) {
        self.name = name
        own = try? (
            ListState(
                of: name,
                revision: row.integer(at: index),
                digest: row.integer(at: index + 1),
                logBytes: row.integer(at: index + 2)
            ),
            row.integer(at: index + 3) != 0, row.integer(at: index + 4)
        )
    }

    mutating func read(_ row: Row, from index: Int) {
        guard let id = try? row.integer(at: index), let savedRevision = try? row.integer(at: index + 1) else {
            own = nil
            return
        }
        favorites.append((id, savedRevision))
        let checksum = try? row.withUTF8(at: index + 3) { text in
            RowChecksum.ofFavorite(id, on: name, savedRevision: savedRevision, text: UnsafeRawBufferPointer(text))
        }
        let isWhole = checksum != nil && (try? row.integer(at: index + 2)) == checksum
        if damagedID == nil, !isWhole { damagedID = id }
    }

    var problem: DamagedList? {
        if let damagedID { return DamagedList(list: name, problem: .favorite(damagedID)) }
        guard var own else { return DamagedList(list: name, problem: .row) }
        own.state.ids = favorites.sorted { $0.savedRevision < $1.savedRevision }.map(\.id)
        let isWhole = own.checksum == own.state.checksum(of: name, exists: own.exists)
        return isWhole ? nil : DamagedList(list: name, problem: .row)
    }
}
