package import MarvelDomain
internal import SQLiteFiles

extension CacheFile: PinnedPictures {
    private static let columns = "character_id, media_type, is_placeholder, bytes, fetched_at, digest"

    package func pinnedPicture(of id: Int64) async -> KeptPicture? {
        await query { db in
            let sql = "SELECT \(Self.columns) FROM pins WHERE character_id = ?"
            guard let found = try db.first(sql, id, body: KeptPicture.init) else { return nil }
            // A damaged row is unpinned.
            if found == nil { try Self.unpin([id], in: db) }
            return found
        }
    }

    package func pinnedIDs() async -> Set<Int64>? {
        await query { db in Set(try db.values("SELECT character_id FROM pins")) }
    }

    package func pin(_ pictures: [KeptPicture]) async -> Bool {
        await query(beginsTransaction: false) { db in try Self.pin(pictures, in: db) } != nil
    }

    /// Blocks until the pictures are synced: only before serving. Returns whether they are synced.
    package func pinNow(_ pictures: [KeptPicture]) -> Bool { performNow { try Self.pin(pictures, in: $0) } }

    /// Synced: other rows can be fetched again, and these perhaps cannot.
    private static func pin(_ pictures: [KeptPicture], in db: Database) throws {
        try db.execute("PRAGMA synchronous = FULL")
        defer { try? db.execute("PRAGMA synchronous = NORMAL") }
        try db.committed {
            let sql = "INSERT OR REPLACE INTO pins (\(columns)) VALUES (?, ?, ?, ?, ?, ?)"
            for kept in pictures {
                let picture = kept.picture
                let (type, seconds) = (picture.mediaType.rawValue, kept.fetchedAt.seconds)
                try db.run(sql, kept.id, type, picture.isPlaceholder, picture.bytes, seconds, kept.digest)
            }
        }
    }

    package func unpin(_ ids: Set<Int64>) async { _ = await query { db in try Self.unpin(ids, in: db) } }

    private static func unpin(_ ids: Set<Int64>, in db: Database) throws {
        for id in ids { try db.run("DELETE FROM pins WHERE character_id = ?", id) }
    }
}

extension KeptPicture {
    fileprivate init?(_ row: Row) {
        guard let mediaType: String = try? row.read("media_type"), let type = PictureType(rawValue: mediaType),
            let bytes: [UInt8] = try? row.read("bytes"), let id: Int64 = try? row.read("character_id"),
            let isPlaceholder: Bool = try? row.read("is_placeholder"),
            let seconds: Int64 = try? row.read("fetched_at"), let digest: Int64 = try? row.read("digest")
        else { return nil }
        let picture = Picture(bytes: bytes, mediaType: type, isPlaceholder: isPlaceholder)
        self.init(id: id, picture: picture, fetchedAt: Timestamp(seconds: seconds))
        guard digest == self.digest else { return nil }
    }

    fileprivate var digest: Int64 {
        var hash = FNV1a()
        hash.combine(number: id)
        hash.combine(number: fetchedAt.seconds)
        hash.combine(UInt8(picture.isPlaceholder ? 1 : 0))
        hash.combine(picture.mediaType.rawValue.utf8)
        hash.combine(UInt8(0))
        hash.combine(picture.bytes)
        return Int64(bitPattern: hash.value)
    }
}
