internal import CatalogEdits
internal import GRDB
internal import MarvelDomain

/// The tables of a file of edits.
struct EditsFileTables: EditTables {
    let db: Database

    func edit(of id: Int64) throws -> EditedCharacter? { try EditsTable.edit(of: id, in: db) }

    func put(_ edited: EditedCharacter) throws { try EditsTable.put(edited, in: db) }

    func count() throws -> Int { try EditsTable.count(in: db) }

    func nextRevision() throws -> Int64 { try EditsTable.nextRevision(in: db) }

    func nextCreatedID() throws -> Int64 { try EditsTable.nextCreatedID(in: db) }

    func picture(of id: Int64) throws -> Picture? { try EditPicturesTable.picture(of: id, in: db) }

    func put(_ picture: Picture, of id: Int64) throws { try EditPicturesTable.put(picture, of: id, in: db) }

    func deletePicture(of id: Int64) throws { try EditPicturesTable.delete(of: id, in: db) }

    func character(of order: EditOrder, _ request: RequestKey) throws -> Int64? {
        try EditRequestsTable.character(of: order, request, in: db)
    }

    func insert(_ order: EditOrder, _ request: RequestKey, of id: Int64, at now: Timestamp) throws {
        try EditRequestsTable.insert(order, request, of: id, at: now, in: db)
    }
}
