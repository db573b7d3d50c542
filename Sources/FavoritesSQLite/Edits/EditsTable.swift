internal import CatalogEdits
internal import Foundation
internal import GRDB
internal import MarvelDomain
internal import SQLiteFiles

/// The table of the operator's edits, one row for each character that was ever edited.
enum EditsTable {
    /// The columns that the checksum covers, and the checksum. The picture has one of its own, so that nobody has to read
    /// all pictures.
    private static let columns = "character_id, revision, document, picture_checksum, checksum"

    /// Returns all edits, oldest first, and the damaged ones. It reads no index: a damaged revision in the table would
    /// look right in the index.
    static func all(in db: Database) throws -> (edits: [EditedCharacter], damaged: [DamagedEdit]) {
        var (edits, damaged): ([EditedCharacter], [DamagedEdit]) = ([], [])
        let rows = try Row.fetchCursor(db, sql: "SELECT \(columns) FROM edits NOT INDEXED")
        while let row = try rows.next() {
            do throws(DamagedEdit) {
                edits.append(try EditedCharacter(Array(row.databaseValues)))
            } catch {
                damaged.append(error)
            }
        }
        return (edits.sorted { $0.revision < $1.revision }, damaged)
    }

    /// - Throws: `DamagedEdit`, or errors of SQLite.
    static func edit(of id: Int64, in db: Database) throws -> EditedCharacter? {
        let statement = try db.cachedStatement(sql: "SELECT \(columns) FROM edits WHERE character_id = ?")
        return try Row.fetchOne(statement, arguments: [id]).map { try EditedCharacter(Array($0.databaseValues)) }
    }

    /// - Throws: `DamagedEdit`, or errors of SQLite.
    static func picture(of id: Int64, in db: Database) throws -> Picture? {
        let statement = try db.cachedStatement(sql: "SELECT \(columns), picture FROM edits WHERE character_id = ?")
        guard let row = try Row.fetchOne(statement, arguments: [id]) else { return nil }
        var values = Array(row.databaseValues)
        let picture = values.removeLast()
        let edited = try EditedCharacter(values)
        guard let type = edited.pictureType else { return nil }
        guard values[3] == RowChecksum.of([picture]).databaseValue, let bytes = Data.fromDatabaseValue(picture) else {
            throw DamagedEdit(of: id)
        }
        return Picture(bytes: [UInt8](bytes), mediaType: type)
    }

    static func put(_ edited: EditedCharacter, _ change: EditOrder.PictureChange?, in db: Database) throws {
        let id = edited.id
        var picture = DatabaseValue.null
        var pictureChecksum = DatabaseValue.null
        switch change {
        case .set(let set):
            picture = Data(set.bytes).databaseValue
            pictureChecksum = RowChecksum.of([picture]).databaseValue
        case .remove: break
        case nil:
            let kept = try db.cachedStatement(sql: "SELECT picture_checksum FROM edits WHERE character_id = ?")
            pictureChecksum = try DatabaseValue.fetchOne(kept, arguments: [id]) ?? .null
        }
        var row = [id.databaseValue, edited.revision.databaseValue, edited.document.databaseValue, pictureChecksum]
        row.append(RowChecksum.of(row).databaseValue)
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO edits (\(columns)) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (character_id) DO UPDATE SET revision = excluded.revision, document = excluded.document,
                    picture_checksum = excluded.picture_checksum, checksum = excluded.checksum
                """
        )
        try statement.execute(arguments: StatementArguments(row))
        guard change != nil else { return }
        let setting = try db.cachedStatement(sql: "UPDATE edits SET picture = ? WHERE character_id = ?")
        try setting.execute(arguments: [picture, id])
    }

    /// Calls `body` with each edit, oldest first.
    ///
    /// - Throws: `DamagedEdit`, errors of SQLite, or the error of `body`.
    static func forEach(in db: Database, _ body: (StoreRecord.Edit) throws -> Void) throws {
        let (edits, damaged) = try all(in: db)
        if let damage = damaged.first { throw damage }
        for edited in edits { try body(edited.record(picture(of: edited.id, in: db))) }
    }

    static func isEmpty(_ db: Database) throws -> Bool {
        try Row.fetchOne(db, sql: "SELECT 1 FROM edits LIMIT 1") == nil
    }

    static func newestRevision(in db: Database) throws -> Int64 {
        // A damaged revision may be of another type, and the largest.
        let revisions = "SELECT ifnull(max(revision), 0) FROM edits WHERE typeof(revision) = 'integer'"
        return try Row.fetchOne(db, sql: revisions)?.read(at: 0) ?? 0
    }
}

/// The rules of edits in a group, which shares its transaction and the pruning of its answers with toggles.
extension ToggleGroup: EditTables {
    func edit(of id: Int64) throws -> EditedCharacter? { try EditsTable.edit(of: id, in: tables.db) }

    func editPicture(of id: Int64) throws -> Picture? { try EditsTable.picture(of: id, in: tables.db) }

    mutating func put(_ edited: EditedCharacter, _ picture: EditOrder.PictureChange?) throws {
        revisionCount &+= edited.revision - (try EditsTable.newestRevision(in: tables.db))
        try EditsTable.put(edited, picture, in: tables.db)
    }

    func editCount(atMost maximum: Int) throws -> Int {
        let statement = try tables.db.cachedStatement(sql: "SELECT count(*) FROM (SELECT 1 FROM edits LIMIT ?)")
        return try Int.fetchOne(statement, arguments: [maximum]) ?? 0
    }

    func newestEditRevision() throws -> Int64 {
        max(history.base, try EditsTable.newestRevision(in: tables.db))
    }

    func lastEditedID(in ids: ClosedRange<Int64>) throws -> Int64? {
        let statement = try tables.db.cachedStatement(
            sql: "SELECT max(character_id) FROM edits WHERE character_id BETWEEN ? AND ?"
        )
        return try Int64.fetchOne(statement, arguments: [ids.lowerBound, ids.upperBound])
    }

    func answeredEdit(_ request: RequestKey) throws -> AnsweredEdit? {
        guard let answered = try tables.answers.find(request) else { return nil }
        guard case .edit(let edit) = answered else { throw EditError.requestIDReused }
        return edit
    }

    mutating func keep(_ edit: AnsweredEdit, under request: RequestKey) throws { try keep(.edit(edit), request) }
}

extension EditedCharacter {
    /// Reads the values of `EditsTable.columns`.
    fileprivate init(_ values: [DatabaseValue]) throws(DamagedEdit) {
        let id = Int64.fromDatabaseValue(values[0]) ?? 0
        // GRDB reads a blob as a text too.
        guard values[4] == RowChecksum.of(values[..<4]).databaseValue, case .string(let document) = values[2].storage,
            let revision = Int64.fromDatabaseValue(values[1])
        else { throw DamagedEdit(of: id) }
        try self.init(id: id, revision: revision, document: document)
    }
}
