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

    /// Returns the character of an earlier request with the same key; nil if there was none.
    ///
    /// - Throws: `EditError.requestIDReused` if the earlier request was a different one.
    static func character(of order: EditOrder, _ request: RequestKey, in db: Database) throws -> Int64? {
        let sql = "SELECT digest, character_id FROM requests WHERE principal = ? AND request_id = ?"
        guard let row = try Row.fetchOne(db, sql: sql, arguments: [request.principal, request.id.text]) else {
            return nil
        }
        guard try row.read("digest") == order.digest else { throw EditError.requestIDReused }
        return try row.read("character_id", as: Int64.self)
    }

    static func insert(
        _ order: EditOrder,
        _ request: RequestKey,
        of id: Int64,
        at now: Timestamp,
        in db: Database
    ) throws {
        try deleteOldest(at: now, in: db)
        try db.execute(
            sql: """
                INSERT INTO requests (principal, request_id, digest, character_id, created_at) VALUES (?, ?, ?, ?, ?)
                """,
            arguments: [request.principal, request.id.text, order.digest, id, now.seconds]
        )
    }

    /// Deletes the requests that are too old, and a tenth of all if there are too many. It reads only what it deletes: an
    /// edit costs the same however many requests are kept.
    private static func deleteOldest(at now: Timestamp, in db: Database) throws {
        // The clock may have been set back: what is older than its successors is kept as long as they are.
        let firstKept = "SELECT number FROM requests WHERE created_at >= ? ORDER BY number LIMIT 1"
        try db.execute(
            sql: "DELETE FROM requests WHERE number < ifnull((\(firstKept)), \(Int64.max))",
            arguments: [now.seconds - maximumAge]
        )
        // Each of the ends is found by itself; one query for both would read every row.
        let ends = (first: "(SELECT min(number) FROM requests)", last: "(SELECT max(number) FROM requests)")
        let isFull = try Bool.fetchOne(
            db,
            sql: "SELECT \(ends.last) - \(ends.first) >= ?",
            arguments: [maximumCount - 1]
        )
        guard isFull == true else { return }
        try db.execute(
            sql: "DELETE FROM requests WHERE number < \(ends.first) + ? AND created_at < ?",
            arguments: [maximumCount / 10, now.seconds - minimumAge]
        )
    }
}
