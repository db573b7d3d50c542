internal import CatalogEdits
internal import GRDB
internal import MarvelDomain
internal import SQLiteFiles

/// The table of answered requests, so that a request that is sent again is not carried out again.
enum EditRequestsTable {
    /// The time in seconds after which a request is deleted: 7 days, as for toggles.
    private static let maximumAge: Int64 = 7 * 86_400
    /// The maximum number of requests. Beyond it the oldest are deleted, a tenth of all at a time.
    static let maximumCount = 100_000
    /// The time in seconds for which a request is always kept, because a client may send it again.
    private static let minimumAge: Int64 = 120

    /// Returns the character of an earlier request with the same id; nil if there was none.
    ///
    /// - Throws: `EditError.requestIDReused` if the earlier request was a different one.
    static func character(of order: EditOrder, _ requestID: RequestID, in db: Database) throws -> Int64? {
        let sql = "SELECT digest, character_id FROM requests WHERE request_id = ?"
        guard let row = try Row.fetchOne(db, sql: sql, arguments: [requestID.text]) else { return nil }
        guard try row.read("digest") == order.digest else { throw EditError.requestIDReused }
        return try row.read("character_id", as: Int64.self)
    }

    static func insert(
        _ order: EditOrder,
        _ requestID: RequestID,
        of id: Int64,
        at now: Timestamp,
        in db: Database
    ) throws {
        try db.execute(sql: "DELETE FROM requests WHERE created_at < ?", arguments: [now.seconds - maximumAge])
        if try Int.fetchOne(db, sql: "SELECT count(*) FROM requests") ?? 0 >= maximumCount {
            try db.execute(
                sql: """
                    DELETE FROM requests WHERE created_at < ? AND request_id IN
                        (SELECT request_id FROM requests ORDER BY created_at LIMIT ?)
                    """,
                arguments: [now.seconds - minimumAge, maximumCount / 10]
            )
        }
        try db.execute(
            sql: "INSERT INTO requests (request_id, digest, character_id, created_at) VALUES (?, ?, ?, ?)",
            arguments: [requestID.text, order.digest, id, now.seconds]
        )
    }
}
