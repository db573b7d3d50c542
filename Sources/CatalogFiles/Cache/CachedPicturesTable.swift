internal import Foundation
internal import MarvelDomain
internal import SQLiteFiles
package import Upstream

enum CachedPicturesTable {
    static func use(_ url: String, in db: Database) throws -> CachedPictureRow? {
        try db.first(
            """
            UPDATE pictures SET last_use = (SELECT max(last_use) + 1 FROM pictures) WHERE url = ?
            RETURNING url, media_type, is_placeholder, bytes, etag, fetched_at, digest
            """,
            url,
            body: CachedPictureRow.init
        )
    }

    static func insert(_ row: CachedPictureRow, in db: Database) throws {
        try db.run(
            """
            INSERT OR REPLACE INTO pictures (url, media_type, is_placeholder, bytes, etag, fetched_at, digest, cost,
                last_use)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, (SELECT coalesce(max(last_use), 0) + 1 FROM pictures))
            """,
            binding: row.arguments
        )
    }

    static func confirm(_ url: String, _ milliseconds: Int64, in db: Database) throws {
        try db.run("UPDATE pictures SET fetched_at = ? WHERE url = ?", milliseconds, url)
    }

    static func delete(_ url: String, in db: Database) throws {
        try db.run("DELETE FROM pictures WHERE url = ?", url)
    }

    static func trim(to byteCount: Int, in db: Database) throws {
        try LeastUsedRows.trim("pictures", to: byteCount, in: db)
    }
}

struct CachedPictureRow: Sendable {
    private let url: String
    private let mediaType: String
    private let isPlaceholder: Bool
    private let bytes: [UInt8]
    private let etag: String?
    private let fetchedAt: Int64
    private let digest: Int64

    init(_ cached: CachedPicture, url: String) {
        self.url = url
        mediaType = cached.tagged.picture.mediaType.rawValue
        isPlaceholder = cached.tagged.picture.isPlaceholder
        bytes = cached.tagged.picture.bytes
        etag = cached.tagged.etag
        fetchedAt = cached.fetchedAt.milliseconds
        digest = 0
    }

    init(_ row: Row) throws {
        url = try row.read("url")
        mediaType = try row.read("media_type")
        isPlaceholder = try row.read("is_placeholder")
        bytes = try row.read("bytes")
        etag = try row.readIfPresent("etag")
        fetchedAt = try row.read("fetched_at")
        digest = try row.read("digest")
    }

    /// Nil if the row is damaged.
    var picture: CachedPicture? {
        guard digest == actualDigest, let type = PictureType(rawValue: mediaType) else { return nil }
        let picture = Picture(bytes: bytes, mediaType: type, isPlaceholder: isPlaceholder)
        return CachedPicture(
            TaggedPicture(picture: picture, etag: etag),
            fetchedAt: Moment(milliseconds: fetchedAt)
        )
    }

    var arguments: [(any SQLConvertible)?] {
        [url, mediaType, isPlaceholder, bytes, etag, fetchedAt, actualDigest, bytes.count + url.utf8.count + 1_024]
    }

    private var actualDigest: Int64 {
        var hash = FNV1a()
        for text in [url, mediaType, etag ?? "", isPlaceholder ? "placeholder" : ""] {
            hash.combine(text.utf8)
            hash.combine(UInt8(0))
        }
        hash.combine(bytes)
        return Int64(bitPattern: hash.value)
    }
}

extension CacheFile: CachedPictures {
    package func picture(at url: String) async -> CachedPicture? {
        guard let row = await query({ db in try CachedPicturesTable.use(url, in: db) }) else { return nil }
        if let picture = row.picture { return picture }
        // Delete a damaged row: its picture is fetched again.
        forgetPicture(at: url)
        return nil
    }

    package func keep(_ picture: CachedPicture, at url: String) {
        let row = CachedPictureRow(picture, url: url)
        perform { [limits] db in
            try CachedPicturesTable.insert(row, in: db)
            try CachedPicturesTable.trim(to: limits.pictureByteCount, in: db)
        }
    }

    package func confirmPicture(at url: String, _ moment: Moment) {
        perform { db in try CachedPicturesTable.confirm(url, moment.milliseconds, in: db) }
    }

    package func forgetPicture(at url: String) {
        perform { db in try CachedPicturesTable.delete(url, in: db) }
    }
}
