internal import GRDB
internal import MarvelDomain
internal import SQLiteFiles

/// A check of the consistency of a store: the lists' revisions, their rows, the log with its digests, and the answers.
/// SQLite's own check finds none of this: for SQLite, a store that lost a write is valid.
struct StoreAudit {
    var report = StoreReport()

    /// Checks the whole log, in one transaction, so that all reads see the same state.
    ///
    /// - Parameters:
    ///   - db: A connection to a store of the newest schema.
    ///   - witness: The progress of the store, as recorded before the transaction began.
    /// - Returns: The contents of the store, and its inconsistencies.
    /// - Throws: Errors of SQLite.
    static func audit(_ db: Database, witness: StoreWitness.Progress?) throws -> StoreReport {
        var audit = StoreAudit()
        let history = try StoreHistory.read(db)
        audit.report.history = history.id.description
        try audit.count(db)
        try audit.compareLogs(db)
        try audit.compareChecksums(db)
        try audit.compareFavorites(db)
        try audit.compareAnswers(db)
        // A restored copy, or another store, lacks what was acknowledged since. That is not a loss.
        if let witness, !history.isCopy, witness.history ?? history.id == history.id { try audit.compare(witness, db) }
        return audit.report
    }

    /// Does the same, and the checks that take long: it reads every page and index of the file, and compares every
    /// record with the log.
    static func thoroughAudit(_ db: Database, witness: StoreWitness.Progress?) throws -> StoreReport {
        var audit = StoreAudit(report: try audit(db, witness: witness))
        for finding in try String.fetchAll(db, sql: "PRAGMA integrity_check(20)") where finding != "ok" {
            audit.report.note("SQLite: \(finding)")
        }
        if try Row.fetchOne(db, sql: "PRAGMA foreign_key_check") != nil {
            audit.report.note("a favorite or a change is of a list that is not there")
        }
        try audit.compareRecords(db)
        try ListsTable.forEach(in: db) { list, _ in
            for problem in try replayProblems(of: list, in: db) { audit.report.note(problem) }
        }
        return audit.report
    }

    private static func replayProblems(of list: ListName, in db: Database) throws -> [String] {
        var replay = LogReplay(list: list)
        let rows = try Row.fetchCursor(
            db,
            sql: "SELECT revision, change FROM changes WHERE list = ? ORDER BY revision",
            arguments: [list.text]
        )
        while let row = try rows.next() {
            let text: String = try row.decode(atIndex: 1)
            replay.play(try row.decode(atIndex: 0), Array(text.utf8))
        }
        for (id, revision, text) in try FavoritesTable.rows(on: list, in: db) {
            replay.compare(StoreRecord.Favorite(id: id, savedRevision: revision, text: Array(text.utf8)))
        }
        replay.finish()
        return replay.problems
    }

    private mutating func count(_ db: Database) throws {
        func count(_ table: String) throws -> Int { try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0 }
        report.schemaVersion = try StoreSchema.version(of: db)
        report.listCount = try count("lists WHERE deletion IS NULL")
        report.favoriteCount = try count("favorites")
        report.keptChangeCount = try count("changes")
        report.answerCount = try count("answers")
        report.pictureCount = try count("pictures")
        try ListsTable.forEach(in: db) { _, state in report.changeCount &+= state.revision & 0xFFFF_FFFF }
        report.byteCount =
            try Int64.fetchOne(db, sql: "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size") ?? 0
    }

    private mutating func compareLogs(_ db: Database) throws {
        let entries = try db.makeStatement(
            sql: "SELECT revision, change, digest FROM changes WHERE list = ? ORDER BY revision"
        )
        try ListsTable.forEach(in: db) { list, state in
            var log = LogAudit(list: list, digest: ChangeDigest.next(after:revision:text:))
            let rows = try Row.fetchCursor(entries, arguments: [list.text])
            while let row = try rows.next() {
                let text: String = try row.decode(atIndex: 1)
                log.read(
                    StoreRecord.Change(
                        revision: try row.decode(atIndex: 0),
                        text: Array(text.utf8),
                        digest: try row.decode(atIndex: 2)
                    )
                )
            }
            log.finish(revision: state.revision, digest: state.digest)
            for problem in log.problems { report.note(problem, isLostEnd: log.isAhead) }
            if log.problems.isEmpty, log.byteCount != state.logBytes {
                report.note(
                    "list \(list): its log has \(log.byteCount) bytes, and its list says \(state.logBytes)"
                )
            }
        }
    }

    /// Compares the rows of lists and favorites with their checksums. It notes one problem for each damaged list.
    private mutating func compareChecksums(_ db: Database) throws {
        let statement = try PreparedStatement(
            """
            SELECT name, revision, deletion IS NULL, lists.checksum, character_id, saved_revision, favorites.checksum,
                snapshot
            FROM lists LEFT JOIN favorites ON list = name ORDER BY name
            """,
            in: db
        )
        defer { statement.finalize() }
        var list: ListChecksums?
        try statement.run { _ in
        } forEachRow: { row in
            let name = try row.text(at: 0)
            if list?.name.text != name {
                if let problem = list?.problem { note(problem) }
                list = ListChecksums(
                    name: try ListName(stored: name),
                    revision: try row.integer(at: 1),
                    exists: try row.integer(at: 2) != 0,
                    checksum: try row.integer(at: 3)
                )
            }
            if !row.isNull(at: 4) { try list?.read(row, from: 4) }
        }
        if let problem = list?.problem { note(problem) }
    }

    private mutating func note(_ damage: DamagedList) {
        report.note("\(damage); the list is refused")
        report.damagedLists.insert(damage.list)
    }

    private mutating func compareFavorites(_ db: Database) throws {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT f.list, count(*), count(DISTINCT f.saved_revision), max(f.saved_revision), ifnull(l.revision, 0),
                    l.name IS NULL
                FROM favorites f LEFT JOIN lists l ON l.name = f.list GROUP BY f.list
                """
        )
        while let row = try rows.next() {
            let (list, count): (String, Int) = (try row.decode(atIndex: 0), try row.decode(atIndex: 1))
            let differentCount: Int = try row.decode(atIndex: 2)
            let (newest, revision): (Int64, Int64) = (try row.decode(atIndex: 3), try row.decode(atIndex: 4))
            report.longestList = max(report.longestList, count)
            if newest > revision {
                report.note("list \(list) is at revision \(revision), and holds what revision \(newest) saved")
            }
            if try row.decode(atIndex: 5) { note(DamagedList(list: try ListName(stored: list), problem: .noRow)) }
            if differentCount != count { report.note("list \(list): two favorites were saved by one revision") }
        }
    }

    /// Checks the answers. A repeated request must not be answered with a revision that does not exist.
    private mutating func compareAnswers(_ db: Database) throws {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT a.list, max(a.revision), ifnull(l.revision, h.base)
                FROM answers a JOIN history h ON h.history = a.history LEFT JOIN lists l ON l.name = a.list
                GROUP BY a.list HAVING max(a.revision) > ifnull(l.revision, h.base)
                """
        )
        while let row = try rows.next() {
            let list: String = try row.decode(atIndex: 0)
            let (answered, revision): (Int64, Int64) = (try row.decode(atIndex: 1), try row.decode(atIndex: 2))
            report.note("list \(list) is at revision \(revision), and a request was answered with \(answered)")
        }
    }

    private mutating func compare(_ witness: StoreWitness.Progress, _ db: Database) throws {
        let state = try ListsTable.state(of: witness.list, in: db) ?? ListState()
        if state.revision < witness.revision {
            report.note(
                loss: "list \(witness.list) is at revision \(state.revision), and was acknowledged up to "
                    + "\(witness.revision): what came after \(state.revision) is lost"
            )
        } else if state.revision == witness.revision, state.digest != witness.digest, state.digest != 0 {
            report.note(loss: "list \(witness.list): change \(state.revision) is not the one that was acknowledged")
        }
        let lostCount = witness.changeCount.subtractingSaturated(try ListsTable.revisionCount(in: db))
        if lostCount > 0 { report.note(loss: "\(lostCount) acknowledged changes are lost, of this list or of others") }
    }
}

/// The rows of a list as the audit reads them.
private struct ListChecksums {
    let name: ListName
    let revision: Int64
    let exists: Bool
    let checksum: Int64
    private var favorites: [(id: Int64, savedRevision: Int64)] = []
    /// The first favorite that differs from its checksum.
    private var damagedID: Int64?

    init(name: ListName, revision: Int64, exists: Bool, checksum: Int64) {
        (self.name, self.revision, self.exists, self.checksum) = (name, revision, exists, checksum)
    }

    /// Reads a favorite: its id, the revision that saved it, its checksum and its text.
    mutating func read(_ row: StatementRow, from index: Int) throws {
        let (id, savedRevision) = (try row.integer(at: index), try row.integer(at: index + 1))
        favorites.append((id, savedRevision))
        let checksum = try row.withUTF8(at: index + 3) { text in
            RowChecksum.ofFavorite(id, on: name, savedRevision: savedRevision, text: UnsafeRawBufferPointer(text))
        }
        if damagedID == nil, try row.integer(at: index + 2) != checksum { damagedID = id }
    }

    var problem: DamagedList? {
        if let damagedID { return DamagedList(list: name, problem: .favorite(damagedID)) }
        let ids = favorites.sorted { $0.savedRevision < $1.savedRevision }.map(\.id)
        let isWhole = checksum == RowChecksum.ofList(name, revision: revision, exists: exists, ids: ids)
        return isWhole ? nil : DamagedList(list: name, problem: .row)
    }
}
