internal import Catalog
internal import GRDB
internal import MarvelDomain

/// Which requests were answered, so that one sent again is not done again.
enum EditRequestsTable {
    /// For 7 days, as those of toggles.
    private static let maximumAge: Int64 = 7 * 86_400

    /// The character that an earlier request with that id was about; nil if there was none.
    ///
    /// - Throws: `EditError.requestIDReused` if it wished something else.
    static func character(of order: EditOrder, _ requestID: RequestID, in db: Database) throws -> Int64? {
        let sql = "SELECT digest, character_id FROM requests WHERE request_id = ?"
        guard let row = try Row.fetchOne(db, sql: sql, arguments: [requestID.text]) else { return nil }
        guard row["digest"] == order.digest else { throw EditError.requestIDReused }
        return row["character_id"]
    }

    static func insert(
        _ order: EditOrder,
        _ requestID: RequestID,
        of id: Int64,
        at now: Timestamp,
        in db: Database
    ) throws {
        try db.execute(sql: "DELETE FROM requests WHERE created_at < ?", arguments: [now.seconds - maximumAge])
        try db.execute(
            sql: "INSERT INTO requests (request_id, digest, character_id, created_at) VALUES (?, ?, ?, ?)",
            arguments: [requestID.text, order.digest, id, now.seconds]
        )
    }
}
