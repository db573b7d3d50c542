internal import MarvelDomain
internal import SQLiteFiles
package import Upstream

extension CacheFile: CachedPictures {
    /// A damaged picture is deleted, and fetched again.
    package func picture(at url: String) async -> CachedPicture? {
        await query { db in
            let sql = """
                UPDATE pictures SET last_use = (SELECT max(last_use) + 1 FROM pictures) WHERE url = ?
                RETURNING url, media_type, is_placeholder, bytes, etag, fetched_at, digest
                """
            guard let found = try db.first(sql, url, body: CachedPicture.init) else { return nil }
            if found == nil { try Self.deletePicture(at: url, in: db) }
            return found
        }
    }

    package func keep(_ picture: CachedPicture, at url: String) {
        perform { [limits] db in
            let kept = picture.picture
            try db.run(
                """
                INSERT OR REPLACE INTO pictures (url, media_type, is_placeholder, bytes, etag, fetched_at, digest, cost,
                    last_use)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, (SELECT coalesce(max(last_use), 0) + 1 FROM pictures))
                """,
                binding: [
                    url, kept.mediaType.rawValue, kept.isPlaceholder, kept.bytes, picture.etag,
                    picture.fetchedAt.milliseconds,
                    picture.digest(url), kept.bytes.count + url.utf8.count + 1_024,
                ]
            )
            try Self.trim("pictures", to: limits.pictureByteCount, in: db)
        }
    }

    package func confirmPicture(at url: String, _ moment: Moment) {
        perform { db in try db.run("UPDATE pictures SET fetched_at = ? WHERE url = ?", moment.milliseconds, url) }
    }

    package func forgetPicture(at url: String) { perform { db in try Self.deletePicture(at: url, in: db) } }

    private static func deletePicture(at url: String, in db: Database) throws {
        try db.run("DELETE FROM pictures WHERE url = ?", url)
    }
}

extension CachedPicture {
    fileprivate init?(_ row: Row) throws {
        guard let type = PictureType(rawValue: try row.read("media_type")) else { return nil }
        let picture = Picture(
            bytes: try row.read("bytes"),
            mediaType: type,
            isPlaceholder: try row.read("is_placeholder")
        )
        let fetchedAt = Moment(milliseconds: try row.read("fetched_at"))
        self.init((picture, try row.readIfPresent("etag")), fetchedAt: fetchedAt)
        let digest: Int64 = try row.read("digest")
        guard digest == self.digest(try row.read("url")) else { return nil }
    }

    fileprivate func digest(_ url: String) -> Int64 {
        let mark = picture.isPlaceholder ? "placeholder" : ""
        return CacheFile.digest([url, picture.mediaType.rawValue, etag ?? "", mark], picture.bytes)
    }
}
