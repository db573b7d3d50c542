package import MarvelDomain
internal import SQLiteFiles

/// The pictures of favorites in a store of schema version 2 to 7. Servers move them into their cache file.
enum FormerPictures {
    /// Damaged pictures are skipped: they were never shown. The store was migrated; it has the table of pictures until
    /// they are moved.
    ///
    /// - Throws: Errors of SQLite, or the error of `body`.
    static func forEach(in db: Database, _ body: (KeptPicture) throws -> Void) throws {
        guard try StoreSchema.version(of: db) < StoreSchema.versionWithoutPictures else { return }
        let rows = try db.rows(
            "SELECT character_id, media_type, is_placeholder, bytes, fetched_at, checksum FROM pictures"
        )
        while let row = try rows.next() {
            if let picture = try? KeptPicture(row.verifiedValues()) { try body(picture) }
        }
    }

    /// `move` returns when the pictures are synced.
    ///
    /// - Returns: Whether all pictures were moved; false if `move` failed, or is nil and there are pictures.
    /// - Throws: Errors of SQLite.
    static func move(from db: Database, to move: PictureMove?) throws -> Bool {
        guard let move else { return try db.value("SELECT 1 FROM pictures LIMIT 1", as: Int.self) == nil }
        var batch: [KeptPicture] = []
        func pass() throws {
            if !batch.isEmpty, !move(batch) { throw MoveFailed() }
            batch = []
        }
        do {
            try forEach(in: db) { picture in
                batch.append(picture)
                if batch.count == maximumBatch { try pass() }
            }
            try pass()
        } catch is MoveFailed {
            return false
        }
        return true
    }

    /// A picture has at most 3 MiB.
    private static let maximumBatch = 8

    private struct MoveFailed: Error {}
}

/// Takes pictures out of a store, and returns whether they are synced in another place.
package typealias PictureMove = ([KeptPicture]) -> Bool

extension KeptPicture {
    fileprivate init(_ values: [SQLValue]) throws(DamagedRecord) {
        guard values.count == 5, let mediaType = PictureType(rawValue: try values[1].decoded()) else {
            throw DamagedRecord()
        }
        let bytes: [UInt8] = try values[3].decoded()
        self.init(
            id: try values[0].decoded(),
            picture: Picture(bytes: bytes, mediaType: mediaType, isPlaceholder: try values[2].decoded()),
            fetchedAt: Timestamp(seconds: try values[4].decoded())
        )
    }
}
