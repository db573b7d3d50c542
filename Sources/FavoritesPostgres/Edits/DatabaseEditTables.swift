internal import MarvelDomain

/// The tables of edits in a database, in a transaction that holds the lock of edits.
struct DatabaseEditTables: EditTables {
    let connection: PostgresConnection
    let now: Timestamp

    func edit(of id: Int64) throws -> EditedCharacter? {
        let rows = try connection.run(.editOfCharacter, .number(id))
        return rows.count > 0 ? try EditedCharacter.read(rows, 0).get() : nil
    }

    func editPicture(of id: Int64) throws -> Picture? { try connection.editPicture(of: id).get() }

    func put(_ edited: EditedCharacter, _ picture: EditOrder.PictureChange?) throws {
        var parameters = Parameters()
        parameters.add(edited.id)
        parameters.add(edited.revision)
        parameters.add(edited.document)
        try connection.run(.putEdit, parameters)
        switch picture {
        case nil: break
        case .remove: try connection.run(.deleteEditPicture, .number(edited.id))
        case .set(let picture):
            var parameters = Parameters()
            parameters.add(edited.id)
            parameters.add(picture.mediaType.rawValue)
            parameters.add(picture.bytes)
            try connection.run(.putEditPicture, parameters)
        }
    }

    func editCount(atMost maximum: Int) throws -> Int {
        Int(try connection.run(.editCount, .number(Int64(maximum))).integer(0, 0))
    }

    func newestEditRevision() throws -> Int64 {
        let newest = try connection.newestEdit()
        return max(newest.revision, newest.base)
    }

    func lastEditedID(in ids: ClosedRange<Int64>) throws -> Int64? {
        var parameters = Parameters()
        parameters.add(ids.lowerBound)
        parameters.add(ids.upperBound)
        let rows = try connection.run(.lastEditedID, parameters)
        return rows.isNull(0, 0) ? nil : try rows.integer(0, 0)
    }

    func answeredEdit(_ request: RequestKey) throws -> AnsweredEdit? {
        var parameters = Parameters()
        parameters.add(request.principal)
        parameters.add(request.id.text)
        let rows = try connection.run(.editRequest, parameters)
        guard rows.count > 0 else { return nil }
        guard try rows.integer(0, 0) == Int64(AnsweredEdit.stored) else { throw EditError.requestIDReused }
        // The earlier request may be visible although no standby has it.
        try connection.run(.awaitStandby)
        return try AnsweredEdit(rows, 0, list: 1, character: 2)
    }

    /// The time in seconds after which a request is deleted: 7 days.
    private static let maximumAge: Int64 = 7 * 86_400

    func keep(_ edit: AnsweredEdit, under request: RequestKey) throws {
        var parameters = Parameters()
        parameters.add(request.principal)
        parameters.add(request.id.text)
        parameters.add(edit.digest)
        parameters.add(edit.characterID)
        parameters.add(now.seconds)
        parameters.add(now.seconds - Self.maximumAge)
        try connection.run(.insertEditRequest, parameters)
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
        let rows = try run(.editPicture, .number(id))
        guard rows.count > 0 else { return .success(nil) }
        guard try rows.boolean(0, 2), let type = PictureType(rawValue: try rows.text(0, 0)) else {
            return .failure(DamagedEdit(of: id))
        }
        return .success(Picture(bytes: try rows.bytes(0, 1), mediaType: type))
    }
}

extension Parameters {
    fileprivate static func number(_ number: Int64) -> Parameters {
        var parameters = Parameters()
        parameters.add(number)
        return parameters
    }
}

extension EditedCharacter {
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
