internal import Foundation
package import MarvelDomain
internal import SQLiteFiles

enum PinnedPicturesTable {
    private static let columns = "character_id, media_type, is_placeholder, bytes, fetched_at, digest"

    /// Synced: other rows can be fetched again, and these perhaps cannot.
    static func insert(_ pictures: [KeptPicture], in db: Database) throws {
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

    /// The inner value is nil if the row is damaged.
    static func picture(of id: Int64, in db: Database) throws -> KeptPicture?? {
        try db.first("SELECT \(columns) FROM pins WHERE character_id = ?", id, body: KeptPicture.init)
    }

    static func delete(_ ids: Set<Int64>, in db: Database) throws {
        for id in ids { try db.run("DELETE FROM pins WHERE character_id = ?", id) }
    }

    /// Calls `body` with each intact picture of another file. Returns whether all pages could be read.
    static func forEach(in db: Database, _ body: (KeptPicture) throws -> Void) throws -> Bool {
        guard try db.value("PRAGMA application_id", as: Int32.self) == CacheSchema.applicationID else {
            // A file without bytes was created, but not written yet.
            guard try db.value("PRAGMA page_count", as: Int.self) != 0 else { return true }
            throw CacheFileError.notACache
        }
        // A file of schema version 1 lacks this table, and another program's file may have a view of that name.
        let kind = "SELECT type FROM sqlite_schema WHERE name = 'pins'"
        guard try db.value(kind, as: String.self) == "table" else { return true }
        var isWhole = true
        func noting(_ work: () throws -> Void) throws {
            do {
                try work()
            } catch let error as DatabaseError where error.failure.isDamage {
                isWhole = false
            }
        }
        var ids: Set<Int64> = []
        // Read the ids before the first damaged page of the table, and then those after the last one.
        for order in ["ASC", "DESC"] where order == "ASC" || !isWhole {
            try noting {
                let rows = try db.rows("SELECT character_id FROM pins ORDER BY character_id \(order)")
                while let row = try rows.next() { ids.insert(try row.read(at: 0)) }
            }
        }
        for id in ids.sorted() {
            var found: KeptPicture?
            try noting { found = try picture(of: id, in: db) ?? nil }
            if let found { try body(found) }
        }
        return isWhole
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

extension CacheFile: PinnedPictures {
    package func pinnedPicture(of id: Int64) async -> KeptPicture? {
        await query { db in
            guard let found = try PinnedPicturesTable.picture(of: id, in: db) else { return nil }
            if found == nil { try PinnedPicturesTable.delete([id], in: db) }
            return found
        }
    }

    package func pinnedIDs() async -> Set<Int64>? {
        await query { db in Set(try db.values("SELECT character_id FROM pins")) }
    }

    package func pin(_ pictures: [KeptPicture]) async -> Bool {
        await query(beginsTransaction: false) { db in try PinnedPicturesTable.insert(pictures, in: db) } != nil
    }

    package func unpin(_ ids: Set<Int64>) async {
        _ = await query { db in try PinnedPicturesTable.delete(ids, in: db) }
    }

    /// Blocks until the pictures are synced: only before serving. Returns whether they are synced.
    package func pinNow(_ pictures: [KeptPicture]) -> Bool {
        performNow { try PinnedPicturesTable.insert(pictures, in: $0) }
    }
}

package enum PinnedPicturesCopy {
    package static func path(beside store: String) -> String { store + ".cache" }

    /// A server may have the file open. Returns whether all pages could be read.
    @discardableResult
    package static func read(_ path: String, _ body: (KeptPicture) throws -> Void) throws -> Bool {
        try CacheFileError.converting("the pictures of favorites in \(path) cannot be read") {
            try CacheConnection.read(path) { db in try PinnedPicturesTable.forEach(in: db, body) } ?? true
        }
    }

    /// No server may have the file open. Returns the number of pictures; without any, it creates no file.
    package static func add(
        to path: String,
        _ forEachPicture: ((KeptPicture) throws -> Void) throws -> Void
    ) throws -> Int {
        try CacheFileError.converting("the pictures of favorites cannot be written to \(path)") {
            var connection: CacheConnection?
            defer { try? connection?.close() }
            var count = 0
            var batch = PictureBatch { pictures in
                let opened = try connection ?? CacheConnection(path)
                connection = opened
                try opened.queue.sync { db in try PinnedPicturesTable.insert(pictures, in: db) }
                count += pictures.count
            }
            try forEachPicture { try batch.add($0) }
            try batch.flush()
            return count
        }
    }

    /// Writes a cache file with only pinned pictures, and returns their number. It gets its name after `body`, which
    /// copies the store. Without pictures, or on an error, a file at `path` is unchanged.
    package static func write<Result>(
        to path: String,
        overwriting: Bool,
        _ forEachPicture: ((KeptPicture) throws -> Void) throws -> Void,
        after body: () throws -> Result
    ) throws -> (count: Int, result: Result) {
        try refuse(target: path, overwriting: overwriting)
        let (partial, count) = try CacheFileError.converting("the pictures of favorites cannot be written to \(path)") {
            var cache: (partial: PartialFile, db: Database)?
            var count = 0
            var batch = PictureBatch { pictures in
                let opened = try cache ?? makeCache(for: path)
                cache = opened
                try PinnedPicturesTable.insert(pictures, in: opened.db)
                count += pictures.count
            }
            try forEachPicture { try batch.add($0) }
            try batch.flush()
            try cache?.db.close()
            return (cache?.partial, count)
        }
        guard let partial else { return (0, try body()) }
        defer { partial.remove() }
        // The lock keeps other programs out until the rename.
        let replaced = try lockReplaced(partial.target)
        defer { replaced?.close() }
        let result = try body()
        if replaced != nil { try? leaveLogBehind(partial.target) }
        // SQLite would apply the log of another file to the new file.
        for suffix in ["-wal", "-shm", "-journal"] { unlink(partial.target + suffix) }
        try CacheFileError.converting("cannot write \(path)") { try partial.place(overwriting: overwriting) }
        return (count, result)
    }

    private static func makeCache(for path: String) throws -> (partial: PartialFile, db: Database) {
        let partial = try PartialFile(of: path, applicationID: CacheSchema.applicationID)
        let db = try Database(partial.path)
        // As in the cache of a server, which may use the copy.
        try db.execute("PRAGMA auto_vacuum = INCREMENTAL")
        try CacheSchema.migrations.migrate(db)
        return (partial, db)
    }

    package static func refuse(target path: String, overwriting: Bool) throws {
        guard !overwriting else { return try lockReplaced(path)?.close() ?? () }
        for suffix in ["", "-wal"] where access(path + suffix, F_OK) == 0 {
            throw CacheFileError(description: "\(path)\(suffix) already exists and was not replaced: use --overwrite")
        }
    }

    private static func lockReplaced(_ path: String) throws -> LockedFile? {
        do {
            return try LockedFile(path, creating: false)
        } catch .isAbsent {
            return nil
        } catch .isLocked {
            throw CacheFileError(description: "\(path) was not replaced: a server has it open")
        } catch .system(let reason) {
            throw CacheFileError(description: "cannot write \(path): \(reason)")
        }
    }

    /// Makes the file complete without a log.
    private static func leaveLogBehind(_ path: String) throws {
        let db = try Database(path)
        try db.execute("PRAGMA journal_mode = DELETE")
        try db.close()
    }
}
