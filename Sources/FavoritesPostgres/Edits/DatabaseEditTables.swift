internal import MarvelDomain

/// The tables of edits in a database, in a transaction that holds the lock of edits.
struct DatabaseEditTables: EditTables {
    let connection: PostgresConnection
    let now: Timestamp

    func edit(of id: Int64) throws -> EditedCharacter? {
        let rows = try connection.run(.editOfCharacter, id)
        return rows.count > 0 ? try EditedCharacter.read(rows, 0).get() : nil
    }

    func editPicture(of id: Int64) throws -> Picture? { try connection.editPicture(of: id).get() }

    func put(_ edited: EditedCharacter, _ picture: EditOrder.PictureChange?) throws {
        try connection.run(.putEdit, edited.id, edited.revision, edited.document)
        switch picture {
        case nil: break
        case .remove: try connection.run("DELETE FROM marvel.edit_pictures WHERE character_id = $1", edited.id)
        case .set(let picture):
            try connection.run(.putEditPicture, edited.id, picture.mediaType.rawValue, picture.bytes)
        }
    }

    func editCount(atMost maximum: Int) throws -> Int {
        let statement: Statement = "SELECT count(*) FROM (SELECT FROM marvel.edits LIMIT $1) AS e"
        return Int(try connection.run(statement, maximum).integer(0, 0))
    }

    func newestEditRevision() throws -> Int64 {
        let newest = try connection.newestEdit()
        return max(newest.revision, newest.base)
    }

    func lastEditedID(in ids: ClosedRange<Int64>) throws -> Int64? {
        let statement: Statement =
            "SELECT max(character_id) FROM marvel.edits WHERE character_id BETWEEN $1 AND $2"
        let rows = try connection.run(statement, ids.lowerBound, ids.upperBound)
        return rows.isNull(0, 0) ? nil : try rows.integer(0, 0)
    }

    func answeredEdit(_ request: RequestKey) throws -> AnsweredEdit? {
        let rows = try connection.run(.editRequest, request.principal, request.id.text)
        guard rows.count > 0 else { return nil }
        guard try rows.integer(0, 0) == Int64(AnsweredEdit.stored) else { throw StoreError.requestIDReused }
        // The earlier request may be visible although no standby has it. A message that nobody reads makes this commit wait.
        try connection.run("SELECT pg_logical_emit_message(true, 'marvel', '')::text")
        return try AnsweredEdit(rows, 0, list: 1, character: 2)
    }

    func keep(_ edit: AnsweredEdit, under request: RequestKey) throws {
        let columns = AnswerColumns(edit)
        try connection.run(
            .insertEditRequest,
            request.principal,
            request.id.text,
            columns.list,
            columns.characterID,
            now.seconds
        )
    }
}

extension PostgresConnection {
    /// Reads the revision of the newest edit, and the history of the store with its base.
    func newestEdit() throws(DatabaseFault) -> (revision: Int64, history: HistoryID, base: Int64) {
        let rows = try run(.newestEdit)
        guard rows.count == 1 else { throw .malformed("marvel.meta has \(rows.count) rows") }
        return (try rows.integer(0, 0), HistoryID(try rows.integer(0, 1)), try rows.integer(0, 2))
    }

    func editPicture(of id: Int64) throws(DatabaseFault) -> Result<Picture?, DamagedEdit> {
        let rows = try run(.editPicture, id)
        guard rows.count > 0 else { return .success(nil) }
        guard try rows.boolean(0, 2), let type = PictureType(rawValue: try rows.text(0, 0)) else {
            return .failure(DamagedEdit(of: id))
        }
        return .success(Picture(bytes: try rows.bytes(0, 1), mediaType: type))
    }
}

extension EditedCharacter {
    /// Reads a row of `Statement.edits`.
    static func read(_ rows: Rows, _ row: Int) throws(DatabaseFault) -> Result<EditedCharacter, DamagedEdit> {
        let id = try rows.integer(row, 0)
        guard try rows.boolean(row, 3) else { return .failure(DamagedEdit(of: id)) }
        let (revision, document) = (try rows.integer(row, 1), try rows.text(row, 2))
        return Result { () throws(DamagedEdit) in
            try EditedCharacter(id: id, revision: revision, document: document)
        }
    }
}

extension AnsweredEdit {
    /// The number in the column `desired` of the answer to an edit.
    static var stored: Int16 { 4 }

    init(_ rows: Rows, _ row: Int, list: Int, character: Int) throws(DatabaseFault) {
        let digest = try rows.text(row, list)
        guard let edit = AnsweredEdit(list: digest, characterID: try rows.integer(row, character)) else {
            throw .malformed("an answer to an edit has no digest")
        }
        self = edit
    }
}

extension Statement {
    /// Whether a row of `marvel.edits AS e` matches its checksum.
    private static let isEditWhole = "coalesce(e.checksum = marvel.edit_checksum_1(e), false)"

    /// Whether a row of `marvel.edit_pictures AS p` matches its checksum.
    private static let isPictureWhole = "coalesce(p.checksum = marvel.edit_picture_checksum_1(p), false)"

    /// Columns: the character, the revision, the document, whether the row matches its checksum.
    private static func edits(isWhole: String) -> String {
        """
        SELECT e.character_id, e.revision, (to_jsonb(e) || jsonb_build_object('media_type', p.media_type))::text, \(isWhole)
        FROM marvel.edits AS e LEFT JOIN marvel.edit_pictures AS p ON p.character_id = e.character_id
        """
    }

    static let edits: Statement = "\(edits(isWhole: isEditWhole)) WHERE e.revision > $1 ORDER BY e.revision"

    /// All edits, oldest first, and then their pictures.
    static func recordedEdits(hasChecksums: Bool) -> String {
        """
        SELECT e.*, p.bytes, \(hasChecksums ? "p.character_id IS NULL OR \(isPictureWhole)" : "true")
        FROM (\(edits(isWhole: hasChecksums ? isEditWhole : "true"))) AS e (character_id, revision, document, is_whole)
        LEFT JOIN marvel.edit_pictures AS p ON p.character_id = e.character_id ORDER BY e.revision
        """
    }

    static let editOfCharacter: Statement = "\(edits(isWhole: isEditWhole)) WHERE e.character_id = $1"

    /// Columns: the revision of the newest edit, the history, the base. Rows are never deleted, so the newest edit is in
    /// the table.
    static let newestEdit: Statement = """
        SELECT coalesce((SELECT revision FROM marvel.edits ORDER BY revision DESC LIMIT 1), 0), history, base
        FROM marvel.meta
        """

    private static let fields = """
        kind, name, description, comic_count, series_count, story_count, event_count, urls, edited_at
        """

    /// Parameters: the character, the revision, the document.
    static let putEdit: Statement = """
        INSERT INTO marvel.edits (character_id, revision, \(fields))
        SELECT $1, $2, \(fields) FROM jsonb_populate_record(NULL::marvel.edits, $3::jsonb)
        ON CONFLICT (character_id) DO UPDATE SET (revision, \(fields)) = (
            SELECT excluded.revision, \(fields) FROM jsonb_populate_record(NULL::marvel.edits, $3::jsonb)
        )
        """

    static let editPicture: Statement =
        "SELECT media_type, bytes, \(isPictureWhole) FROM marvel.edit_pictures AS p WHERE character_id = $1"

    static let putEditPicture: Statement = """
        INSERT INTO marvel.edit_pictures (character_id, media_type, bytes) VALUES ($1, $2, $3)
        ON CONFLICT (character_id) DO UPDATE SET media_type = excluded.media_type, bytes = excluded.bytes
        """

    /// Columns: the kind of the request, its digest as hexadecimal digits, the character. Parameters: the principal, the request id.
    static let editRequest: Statement =
        "SELECT desired, list, character_id FROM marvel.answers WHERE principal = $1 AND request_id = $2"

    /// Parameters: the principal, the request id, the digest as hexadecimal digits, the character, the time.
    static let insertEditRequest: Statement = """
        INSERT INTO marvel.answers (principal, request_id, history, list, character_id, desired, is_favorite, revision,
            created_at)
        SELECT $1, $2, history, $3, $4, \(AnsweredEdit.stored), false, 0, $5 FROM marvel.meta
        """
}
