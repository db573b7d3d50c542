internal import FavoritesEngine
internal import MarvelDomain
internal import SQLiteFiles

/// The table of the lists' names and their last revisions, with the statements of the writer. It keeps the names of
/// deleted lists.
struct ListsTable {
    private let db: Database
    private let selection: PreparedStatement
    private let row: PreparedStatement
    private let writing: PreparedStatement
    private let owning: PreparedStatement
    private let counting: PreparedStatement

    init(_ db: Database) throws {
        self.db = db
        selection = try db.prepare(ListRows.selection)
        row = try db.prepare(
            "SELECT revision, digest, log_bytes, deletion IS NULL, checksum FROM lists WHERE name = ?"
        )
        writing = try db.prepare(
            """
            INSERT INTO lists (name, revision, digest, log_bytes, checksum) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (name) DO UPDATE
            SET revision = excluded.revision, digest = excluded.digest, log_bytes = excluded.log_bytes,
                checksum = excluded.checksum, deletion = NULL
            """
        )
        owning = try db.prepare("UPDATE lists SET owner = ? WHERE name = ?")
        // Up to a maximum. It reads only the index of owners.
        counting = try db.prepare("SELECT count(*) FROM (SELECT 1 FROM lists WHERE owner = ? LIMIT ?)")
    }

    /// A list for the engine. An unknown name begins at the revision `base`.
    ///
    /// - Throws: `DamagedList` if the list's row, or the ids on it, differ from the written ones.
    func list(_ name: ListName, base: Int64) throws -> KnownList {
        var rows = ListRows(name)
        try selection.run({ $0.add(name.text) }, forEachRow: { try rows.add($0) })
        guard try rows.verify(in: db) else { return .unknown(base: base) }
        let state = rows.state
        return KnownList(revision: state.revision, ids: state.ids, exists: rows.exists, owner: try rows.owner.name)
    }

    /// The state of a list that the engine knows as `known`; nil for an unknown name.
    ///
    /// - Throws: `DamagedList` if the list's row differs from `known`.
    func state(of name: ListName, as known: KnownList) throws -> ListState? {
        var state: ListState?
        try row.run {
            $0.add(name.text)
        } forEachRow: { row in
            try DamagedList.reading(name) {
                state = try ListState(of: name, row)
                guard state?.revision == known.revision, try row.integer(at: 3) == (known.exists ? 1 : 0),
                    try row.integer(at: 4) == RowChecksum.ofList(name, known)
                else { throw DamagedList(list: name, problem: .row) }
            }
        }
        guard (state == nil) == known.isUnknown else { throw DamagedList(list: name, problem: .row) }
        state?.ids = known.ids
        return state
    }

    /// It creates the list if necessary; a deleted list exists again until `markDeleted`. `exists` is for the end of
    /// the transaction.
    ///
    /// - Throws: Errors of SQLite.
    func set(_ state: ListState, of list: ListName, exists: Bool) throws {
        try writing.run { values in
            values.add(list.text)
            values.add(state.revision)
            values.add(state.digest)
            values.add(state.logBytes)
            values.add(state.checksum(of: list, exists: exists))
        }
    }

    /// The list has a row. A nil owner means a list without one.
    func setOwner(_ owner: String?, of list: ListName) throws {
        try owning.run { values in
            if let owner { values.add(owner) } else { values.addNull() }
            values.add(list.text)
        }
    }

    /// At most `maximum`.
    func count(ownedBy owner: String, atMost maximum: Int) throws -> Int {
        var count = 0
        try counting.run { values in
            values.add(owner)
            values.add(Int64(maximum))
        } forEachRow: { row in
            count = Int(try row.integer(at: 0))
        }
        return count
    }

    /// The state of a list, also of a deleted one, without its ids; nil for an unknown name.
    ///
    /// - Throws: `DamagedList`, or errors of SQLite.
    static func state(of list: ListName, in db: Database) throws -> ListState? {
        try db.first("SELECT revision, digest, log_bytes FROM lists WHERE name = ?", list.text) { row in
            try ListState(of: list, row)
        }
    }

    /// Writes the state after changes were cut from the log.
    static func setLog(_ state: ListState, of list: ListName, in db: Database) throws {
        try db.run("UPDATE lists SET digest = ?, log_bytes = ? WHERE name = ?", state.digest, state.logBytes, list.text)
    }

    /// Gives the name of a deleted list the next deletion number.
    static func markDeleted(_ list: ListName, in db: Database) throws {
        try db.run(
            """
            UPDATE lists SET deletion = (
                SELECT ifnull(max(deletion), 0) + 1 FROM lists WHERE deletion IS NOT NULL
            ) WHERE name = ?
            """,
            list.text
        )
    }

    /// The names of deleted lists, the longest deleted first, with their states. Damaged ones are left out. A list with
    /// favorites is not deleted, so such a name is damaged too.
    static func oldestDeleted(_ count: Int, in db: Database) throws -> [(list: ListName, state: ListState)] {
        try db.all(
            """
            SELECT name, revision, digest, log_bytes FROM lists
            WHERE deletion IS NOT NULL AND NOT EXISTS (SELECT 1 FROM favorites WHERE list = name)
                AND revision BETWEEN 0 AND ? AND log_bytes BETWEEN 0 AND ?
            ORDER BY deletion LIMIT ?
            """,
            ListState.maximumRevision,
            ListState.maximumLogBytes,
            count,
            body: state
        ).compactMap(\.self)
    }

    /// Nil if they are damaged.
    private static func state(_ row: Row) -> (list: ListName, state: ListState)? {
        guard let list = try? ListName(stored: row.read(at: 0)), let state = try? ListState(of: list, row, from: 1)
        else { return nil }
        return (list, state)
    }

    static func drop(_ list: ListName, in db: Database) throws {
        try db.run("DELETE FROM changes WHERE list = ?", list.text)
        try db.run("DELETE FROM lists WHERE name = ?", list.text)
    }

    /// Calls `body` with each name, in order, also of deleted lists, and its favorites, without its changes. It calls
    /// `onDamage` instead with a list whose rows differ from the written ones, and with nil for an invalid name.
    static func forEachRecord(
        in db: Database,
        onDamage: (ListName?) throws -> Void,
        _ body: (StoreRecord.List) throws -> Void
    ) throws {
        let names = try db.rows("SELECT name FROM lists ORDER BY name")
        while let row = try names.next() {
            guard let name = try? ListName(stored: row.read(at: 0)) else {
                try onDamage(nil)
                continue
            }
            var record: StoreRecord.List?
            do {
                record = try ListRows.read(name, withTexts: true, in: db)?.record
            } catch let damage as DamagedList {
                try onDamage(damage.list)
            }
            if let record { try body(record) }
        }
    }

    /// The lists that have favorites, but no row; nil for an invalid name.
    static func missing(in db: Database) throws -> [ListName?] {
        let sql = """
            SELECT DISTINCT list FROM favorites WHERE NOT EXISTS (SELECT 1 FROM lists WHERE name = list) ORDER BY list
            """
        return try db.all(sql) { row in try? ListName(stored: row.read(at: 0)) }
    }

    /// Nil if there is no such list, or it was deleted.
    ///
    /// - Throws: `DamagedList`, or errors of SQLite.
    static func record(of name: ListName, in db: Database) throws -> StoreRecord.List? {
        guard let rows = try ListRows.read(name, withTexts: true, in: db), rows.exists else { return nil }
        return try rows.record
    }

    static func count(in db: Database) throws -> Int {
        try db.value("SELECT count(*) FROM lists WHERE deletion IS NULL", as: Int.self) ?? 0
    }

    static func deletedCount(in db: Database) throws -> Int {
        try db.value("SELECT count(*) FROM lists WHERE deletion IS NOT NULL", as: Int.self) ?? 0
    }

    private static let hasValidRevision = "typeof(revision) = 'integer' AND revision BETWEEN 0 AND ?"

    /// The highest of all names, also of deleted ones.
    static func highestRevision(in db: Database) throws -> Int64 {
        let sql = "SELECT ifnull(max(revision), 0) FROM lists WHERE \(hasValidRevision)"
        return try db.value(sql, ListState.maximumRevision) ?? 0
    }

    /// The sum of the revisions of all names, also of deleted ones. SQL would fail if it is too large.
    static func revisionSum(in db: Database) throws -> Int64 {
        let rows = try db.rows("SELECT revision FROM lists WHERE \(hasValidRevision)", ListState.maximumRevision)
        var sum: Int64 = 0
        while let row = try rows.next() { sum = sum.addingSaturated(try row.integer(at: 0)) }
        return sum
    }

    /// A page of existing lists, in the order of their names, without the damaged ones.
    static func summaries(
        prefix: String,
        after: ListName?,
        limit: Int,
        in db: Database
    ) throws -> (lists: [ListSummary], damaged: [DamagedList]) {
        var (lists, damaged): ([ListSummary], [DamagedList]) = ([], [])
        // `~` is above every letter of a name, so the names below `prefix~` are those that begin with the prefix.
        let cursor = try db.rows(
            """
            SELECT \(ListRows.columns), name FROM lists LEFT JOIN favorites ON list = name
            WHERE deletion IS NULL AND name \(after.map { $0.text >= prefix } == true ? ">" : ">=") ? AND name < ?
            ORDER BY name
            """,
            max(after?.text ?? "", prefix),
            prefix + "~"
        )
        var current: ListRows?
        func finish() throws {
            guard var rows = current.take() else { return }
            do {
                try rows.verify(in: db)
                lists.append(ListSummary(name: rows.name, revision: rows.state.revision, ids: rows.state.ids))
            } catch let damage as DamagedList {
                damaged.append(damage)
            }
        }
        while lists.count < limit, let row = try cursor.next() {
            guard let name = try? ListName(stored: row.read(at: ListRows.columnCount)) else { continue }
            if name != current?.name {
                try finish()
                current = ListRows(name)
            }
            try current?.add(row)
        }
        if lists.count < limit { try finish() }
        return (lists, damaged)
    }
}

/// The rows of a list: its own, joined with those of its favorites.
struct ListRows {
    static let columns =
        "revision, digest, log_bytes, deletion, lists.checksum, owner, character_id, saved_revision"
    static let columnCount = 8
    static let selection = "SELECT \(columns) FROM lists LEFT JOIN favorites ON list = name WHERE name = ?"
    private static let selectionWithTexts = """
        SELECT \(columns), snapshot, favorites.checksum FROM lists LEFT JOIN favorites ON list = name WHERE name = ?
        """

    let name: ListName
    /// Without the ids until the rows are verified. They are sorted here: SQLite would allocate a sorter for each list.
    private(set) var state = ListState()
    private var hasRow = false
    private var deletion: Int64?
    private var ownerName: String?
    private var checksum: Int64 = 0
    private(set) var favorites: [StoreRecord.Favorite] = []
    private var damage: DamagedList?

    init(_ name: ListName) { self.name = name }

    /// Reads a list, also a deleted or a damaged one.
    init(_ name: ListName, withTexts: Bool = false, in db: Database) throws {
        self.init(name)
        let cursor = try db.rows(withTexts ? Self.selectionWithTexts : Self.selection, name.text)
        while let row = try cursor.next() { try add(row, withText: withTexts) }
    }

    var exists: Bool { deletion == nil }

    var owner: ListOwner {
        get throws { try DamagedList.reading(name) { try ListOwner(inRow: ownerName) } }
    }

    var record: StoreRecord.List {
        get throws {
            StoreRecord.List(
                name,
                revision: state.revision,
                digest: state.digest,
                owner: try owner,
                deletion: deletion,
                favorites: favorites
            )
        }
    }

    /// Reads a list, also a deleted one; nil for an unknown name.
    ///
    /// - Throws: `DamagedList` if its rows differ from the written ones, or errors of SQLite.
    static func read(_ name: ListName, withTexts: Bool = false, in db: Database) throws -> ListRows? {
        var rows = try ListRows(name, withTexts: withTexts, in: db)
        return try rows.verify(in: db) ? rows : nil
    }

    /// Damage is thrown by `verify`.
    mutating func add(_ row: Row, withText: Bool = false) throws {
        guard damage == nil else { return }
        do {
            try DamagedList.reading(name) {
                if !hasRow {
                    state = try ListState(of: name, row)
                    deletion = row.isNull(at: 3) ? nil : try row.integer(at: 3)
                    checksum = try row.integer(at: 4)
                    ownerName = try row.readIfPresent(at: 5)
                    hasRow = true
                }
                if !row.isNull(at: 6) { favorites.append(try favorite(row, withText)) }
            }
        } catch let damage as DamagedList {
            self.damage = damage
        }
    }

    private func favorite(_ row: Row, _ hasText: Bool) throws -> StoreRecord.Favorite {
        let id = try row.integer(at: 6)
        guard hasText else { return .init(id: id, savedRevision: try row.integer(at: 7), text: []) }
        let damaged = DamagedList(list: name, problem: .favorite(id))
        return try DamagedList.reading(name, damaged.problem) {
            let (saved, text) = (try row.integer(at: 7), try row.utf8(at: 8))
            let checksum = text.withUnsafeBytes { RowChecksum.ofFavorite(id, on: name, savedRevision: saved, text: $0) }
            guard try row.integer(at: 9) == checksum else { throw damaged }
            return StoreRecord.Favorite(id: id, savedRevision: saved, text: text)
        }
    }

    /// Verifies the rows, and brings the favorites into their order. Returns false for an unknown name.
    ///
    /// - Throws: `DamagedList` if the list's row, or the ids on it, differ from the written ones.
    @discardableResult
    mutating func verify(in db: Database) throws -> Bool {
        if let damage { throw damage }
        guard hasRow else {
            guard try db.value("SELECT 1 FROM favorites WHERE list = ? LIMIT 1", name.text, as: Int.self) == nil else {
                throw DamagedList(list: name, problem: .noRow)
            }
            return false
        }
        favorites.sort { $0.savedRevision < $1.savedRevision }
        state.ids = favorites.map(\.id)
        guard checksum == state.checksum(of: name, exists: exists) else {
            throw DamagedList(list: name, problem: .row)
        }
        return true
    }
}

/// The state of a list for a toggle. It is read in the transaction that changes the list.
struct ListState: Sendable, Hashable {
    /// The highest valid revision in a file. Above it there is room for any number of changes.
    static let maximumRevision: Int64 = (1 << 62) - 1
    /// The largest valid log in a file, in bytes: the sum of ten million of them does not overflow.
    static let maximumLogBytes: Int64 = 1 << 38

    /// 0 for a list that does not exist.
    var revision: Int64 = 0
    /// The digest of the last change.
    var digest: Int64 = 0
    /// The size of the kept changes, in bytes.
    var logBytes: Int64 = 0
    /// Oldest first.
    var ids: [Int64] = []
}

extension ListState {
    func checksum(of list: ListName, exists: Bool) -> Int64 {
        RowChecksum.ofList(list, revision: revision, exists: exists, ids: ids)
    }

    /// Reads three columns: the revision, the digest and the bytes of the log.
    ///
    /// - Throws: `DamagedList` if a number is out of its range, or of another type.
    init(of list: ListName, _ row: Row, from index: Int = 0) throws {
        self = try DamagedList.reading(list) {
            let (revision, logBytes) = (try row.integer(at: index), try row.integer(at: index + 2))
            guard (0...ListState.maximumRevision).contains(revision),
                (0...ListState.maximumLogBytes).contains(logBytes)
            else { throw DamagedList(list: list, problem: .row) }
            return ListState(revision: revision, digest: try row.integer(at: index + 1), logBytes: logBytes)
        }
    }
}

extension ListOwner {
    /// - Throws: `SQLITE_CORRUPT` if the text is not the name of an owner.
    init(inRow name: String?) throws {
        guard let name else {
            self = .nobody
            return
        }
        guard let owner = ListOwner(stored: name), owner != .nobody else {
            throw DatabaseError.damaged("a list has an invalid owner name")
        }
        self = owner
    }
}

extension ListName {
    /// - Throws: `SQLITE_CORRUPT` if the text is not a name.
    init(stored text: String) throws {
        guard !text.isEmpty, let name = ListName(text) else {
            throw DatabaseError.damaged("a list has an invalid name")
        }
        self = name
    }
}
