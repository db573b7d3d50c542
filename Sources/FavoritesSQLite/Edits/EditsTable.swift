internal import MarvelDomain
internal import SQLiteFiles

/// The table of the operator's edits, with one row for each character that was ever edited.
enum EditsTable {
    /// The columns that the checksum covers, and the checksum. The picture has its own checksum, so that not all
    /// pictures must be read.
    private static let columns = "character_id, revision, document, picture_checksum, checksum"

    /// All edits, oldest first, and the damaged ones. It reads no index: a damaged revision in the table could be right
    /// in the index.
    static func all(in db: Database) throws -> (edits: [EditedCharacter], damaged: [DamagedEdit]) {
        var (edits, damaged): ([EditedCharacter], [DamagedEdit]) = ([], [])
        let rows = try db.rows("SELECT \(columns) FROM edits NOT INDEXED")
        while let row = try rows.next() {
            do throws(DamagedEdit) {
                edits.append(try EditedCharacter(row.values))
            } catch {
                damaged.append(error)
            }
        }
        return (edits.sorted { $0.revision < $1.revision }, damaged)
    }

    /// - Throws: `DamagedEdit`, or errors of SQLite.
    static func edit(of id: Int64, in db: Database) throws -> EditedCharacter? {
        try db.first("SELECT \(columns) FROM edits WHERE character_id = ?", id) { try EditedCharacter($0.values) }
    }

    /// - Throws: `DamagedEdit`, or errors of SQLite.
    static func picture(of id: Int64, in db: Database) throws -> Picture? {
        let row = try db.first("SELECT \(columns), picture FROM edits WHERE character_id = ?", id, body: \.values)
        guard var values = row else { return nil }
        let picture = values.removeLast()
        let edited = try EditedCharacter(values)
        guard let type = edited.pictureType else { return nil }
        guard values[3] == RowChecksum.of([picture]).sqlValue, case .blob(let bytes) = picture else {
            throw DamagedEdit(of: id)
        }
        return Picture(bytes: bytes, mediaType: type)
    }

    static func put(_ edited: EditedCharacter, _ change: EditOrder.PictureChange?, in db: Database) throws {
        let id = edited.id
        var picture = SQLValue.null
        var pictureChecksum = SQLValue.null
        switch change {
        case .set(let set):
            picture = .blob(set.bytes)
            pictureChecksum = RowChecksum.of([picture]).sqlValue
        case .remove: break
        case nil:
            pictureChecksum =
                try db.value("SELECT picture_checksum FROM edits WHERE character_id = ?", id, as: SQLValue.self)
                ?? .null
        }
        var row = [id.sqlValue, edited.revision.sqlValue, edited.document.sqlValue, pictureChecksum]
        row.append(RowChecksum.of(row).sqlValue)
        try db.run(
            """
            INSERT INTO edits (\(columns)) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (character_id) DO UPDATE SET revision = excluded.revision, document = excluded.document,
                picture_checksum = excluded.picture_checksum, checksum = excluded.checksum
            """,
            binding: row
        )
        guard change != nil else { return }
        try db.run("UPDATE edits SET picture = ? WHERE character_id = ?", picture, id)
    }

    static func isEmpty(_ db: Database) throws -> Bool {
        try db.value("SELECT 1 FROM edits LIMIT 1", as: Int.self) == nil
    }

    /// At least 0.
    static func newestRevision(in db: Database) throws -> Int64 {
        // A damaged revision may be of another type, and the largest.
        let revisions = "SELECT max(revision) FROM edits WHERE typeof(revision) = 'integer'"
        return max(0, try db.value(revisions) ?? 0)
    }
}

struct EditedTables: EditTables {
    let tables: StoreTables
    let now: Timestamp
    let instant: ContinuousClock.Instant
    /// The state after the transaction.
    var state: WriterState

    func edit(of id: Int64) throws -> EditedCharacter? { try EditsTable.edit(of: id, in: tables.db) }

    func editPicture(of id: Int64) throws -> Picture? { try EditsTable.picture(of: id, in: tables.db) }

    mutating func put(_ edited: EditedCharacter, _ picture: EditOrder.PictureChange?) throws {
        state.addChanges(edited.revision - (try EditsTable.newestRevision(in: tables.db)))
        try EditsTable.put(edited, picture, in: tables.db)
    }

    func editCount(atMost maximum: Int) throws -> Int {
        try tables.db.value("SELECT count(*) FROM (SELECT 1 FROM edits LIMIT ?)", maximum, as: Int.self) ?? 0
    }

    func newestEditRevision() throws -> Int64 {
        max(state.history.base, try EditsTable.newestRevision(in: tables.db))
    }

    func lastEditedID(in ids: ClosedRange<Int64>) throws -> Int64? {
        try tables.db.value(
            "SELECT max(character_id) FROM edits WHERE character_id BETWEEN ? AND ?",
            ids.lowerBound,
            ids.upperBound,
            as: Int64.self
        )
    }

    func answeredEdit(_ request: RequestKey) throws -> AnsweredEdit? {
        guard let answered = try tables.answers.find(request) else { return nil }
        guard case .edit(let edit) = answered else { throw StoreError.requestIDReused }
        return edit
    }

    mutating func keep(_ edit: AnsweredEdit, under request: RequestKey) throws {
        let answer = AnswerColumns(edit)
        let newest = try tables.answers.insert(answer, request, history: state.history.id, at: now)
        try tables.answers.delete(through: state.expiry.lastExpired(newest: newest, at: instant), limit: 2)
    }
}

extension EditedCharacter {
    fileprivate init(_ values: [SQLValue]) throws(DamagedEdit) {
        let id = Int64(values[0]) ?? 0
        guard values[4] == RowChecksum.of(values[..<4]).sqlValue, let document = String(values[2]),
            let revision = Int64(values[1])
        else { throw DamagedEdit(of: id) }
        try self.init(id: id, revision: revision, document: document)
    }
}
