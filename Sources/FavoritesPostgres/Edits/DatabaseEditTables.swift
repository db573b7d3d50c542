internal import CatalogEdits
internal import MarvelDomain

/// The tables of edits in a database, in a transaction that holds the lock of edits.
struct DatabaseEditTables: EditTables {
    let connection: PostgresConnection

    func edit(of id: Int64) throws -> EditedCharacter? {
        let rows = try connection.run(.editOfCharacter, .number(id))
        return rows.count > 0 ? try EditedCharacter(rows, 0) : nil
    }

    func put(_ edited: EditedCharacter) throws {
        let edit = edited.edit
        var parameters = Parameters()
        parameters.add(edited.id)
        parameters.add(edited.kind.rawValue)
        parameters.add(ifAny: edit.name)
        parameters.add(ifAny: edit.description)
        for count in [edit.comicCount, edit.seriesCount, edit.storyCount, edit.eventCount] {
            parameters.add(ifAny: count.map(Int64.init))
        }
        parameters.add(
            ifAny: edit.urls.map { urls in
                var json = JSONWriter()
                json.urls(urls)
                return json.text
            }
        )
        parameters.add(edited.editedAt.seconds)
        parameters.add(edited.revision)
        try connection.run(.putEdit, parameters)
    }

    func count() throws -> Int { Int(try connection.run(.editCount).integer(0, 0)) }

    /// It is above the base of the history, because an earlier history may have given the revisions below to edits that are
    /// lost.
    func nextRevision() throws -> Int64 {
        let newest = try connection.newestEdit()
        return max(newest.revision, newest.base) + 1
    }

    func lastID(in ids: ClosedRange<Int64>) throws -> Int64? {
        var parameters = Parameters()
        parameters.add(ids.lowerBound)
        parameters.add(ids.upperBound)
        let rows = try connection.run(.lastEditedID, parameters)
        return rows.isNull(0, 0) ? nil : try rows.integer(0, 0)
    }

    func picture(of id: Int64) throws -> Picture? { try storedPicture(of: id) }

    func storedPicture(of id: Int64) throws(DatabaseFault) -> Picture? {
        let rows = try connection.run(.editPicture, .number(id))
        guard rows.count > 0, let type = PictureType(rawValue: try rows.text(0, 0)) else { return nil }
        return Picture(bytes: try rows.bytes(0, 1), mediaType: type)
    }

    func put(_ picture: Picture, of id: Int64) throws {
        var parameters = Parameters()
        parameters.add(id)
        parameters.add(picture.mediaType.rawValue)
        parameters.add(picture.bytes)
        try connection.run(.putEditPicture, parameters)
    }

    func deletePicture(of id: Int64) throws { try connection.run(.deleteEditPicture, .number(id)) }

    func character(of order: EditOrder, _ request: RequestKey) throws -> Int64? {
        var parameters = Parameters()
        parameters.add(request.principal)
        parameters.add(request.id.text)
        let rows = try connection.run(.editRequest, parameters)
        guard rows.count > 0 else { return nil }
        guard try rows.integer(0, 0) == order.digest else { throw EditError.requestIDReused }
        // The earlier request may be visible although no standby has it.
        try connection.run(.awaitStandby)
        return try rows.integer(0, 1)
    }

    /// The time in seconds after which a request is deleted: 7 days, as for toggles.
    private static let maximumAge: Int64 = 7 * 86_400

    func insert(_ order: EditOrder, _ request: RequestKey, of id: Int64, at now: Timestamp) throws {
        try connection.run(.pruneEditRequests, .number(now.seconds - Self.maximumAge))
        var parameters = Parameters()
        parameters.add(request.principal)
        parameters.add(request.id.text)
        parameters.add(order.digest)
        parameters.add(id)
        parameters.add(now.seconds)
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
}

extension Parameters {
    fileprivate static func number(_ number: Int64) -> Parameters {
        var parameters = Parameters()
        parameters.add(number)
        return parameters
    }
}

extension EditedCharacter {
    /// Reads a row of `Statement.edits`.
    init(_ rows: Rows, _ row: Int) throws(DatabaseFault) {
        guard let kind = Kind(rawValue: try rows.text(row, 1)) else { throw .malformed("an edit is of no known kind") }
        self.init(
            id: try rows.integer(row, 0),
            kind: kind,
            edit: CharacterEdit(
                name: try rows.textIfAny(row, 2),
                description: try rows.textIfAny(row, 3),
                comicCount: try rows.countIfAny(row, 4),
                seriesCount: try rows.countIfAny(row, 5),
                storyCount: try rows.countIfAny(row, 6),
                eventCount: try rows.countIfAny(row, 7),
                urls: try rows.urlsIfAny(row, 8)
            ),
            pictureType: try rows.textIfAny(row, 11).flatMap(PictureType.init(rawValue:)),
            editedAt: Timestamp(seconds: try rows.integer(row, 9)),
            revision: try rows.integer(row, 10)
        )
    }
}

extension Rows {
    fileprivate func textIfAny(_ row: Int, _ column: Int) throws(DatabaseFault) -> String? {
        isNull(row, column) ? nil : try text(row, column)
    }

    fileprivate func countIfAny(_ row: Int, _ column: Int) throws(DatabaseFault) -> Int32? {
        isNull(row, column) ? nil : Int32(clamping: try integer(row, column))
    }

    fileprivate func urlsIfAny(_ row: Int, _ column: Int) throws(DatabaseFault) -> [CharacterURL]? {
        guard let bytes = try bytesIfAny(row, column) else { return nil }
        do {
            return try JSONReader.read(bytes) { (reader) throws(JSONError) in try reader.urls() }
        } catch {
            throw .malformed("the urls of an edit cannot be read: \(error)")
        }
    }
}
