internal import CatalogEdits
internal import Foundation
internal import GRDB
internal import MarvelDomain
internal import SQLiteFiles

/// A file of edits beside a store, as servers kept it before version 7 of the schema.
///
/// A store takes such a file over once, and then renames it. It notes a digest of the edits in the transaction that takes
/// them, so that a server which was killed before the rename only renames the file at its next start.
enum OldEdits {
    /// The end of the name of a file that was taken over.
    static let suffix = ".taken-over"
    /// "Mrpe", in the header of each file of edits.
    private static let applicationID: Int64 = 0x4D72_7065
    private static let versions: ClosedRange<Int64> = 1...3

    /// Finds the files beside a store or a copy of one.
    ///
    /// - Parameters:
    ///   - store: The path of the store.
    ///   - isCopy: Whether the store is a copy in any folder, so that only a file of its own name belongs to it.
    /// - Returns: The paths.
    private static func paths(beside store: String, isCopy: Bool) -> [String] {
        let own = [store + ".edits"] + (isCopy ? [] : [FilePath.folder(of: store) + "/edits.sqlite"])
        return own.filter { access($0, F_OK) == 0 }
    }

    /// Finds the file that a store would take over.
    ///
    /// - Throws: An error if there are two.
    static func path(
        beside store: String,
        isCopy: Bool,
        _ db: Database
    ) throws -> String? {
        guard try takenDigest(db) == nil, try EditsTable.isEmpty(db) else { return nil }
        return try one(of: paths(beside: store, isCopy: isCopy))
    }

    private static func one(of paths: [String]) throws(FavoritesStoreOpenError) -> String? {
        guard paths.count < 2 else {
            throw FavoritesStoreOpenError(
                code: .invalidSetting,
                message:
                    "\(paths[0]) and \(paths[1]) both hold edits, of which a store takes over one: move the other away"
            )
        }
        return paths.first
    }

    private static func takenDigest(_ db: Database) throws -> Int64? {
        try Row.fetchOne(db, sql: "SELECT taken_edits FROM history")?.readIfPresent(at: 0)
    }

    // MARK: Taking over

    /// Takes over the file beside a store that has no edits yet, and renames it.
    ///
    /// - Returns: What was done, in words for the operator.
    /// - Throws: `FavoritesStoreOpenError` if there is a file that cannot be read; or errors of the store.
    static func takeOver(beside store: String, into tables: StoreTables) throws -> [String] {
        let found = paths(beside: store, isCopy: false)
        guard !found.isEmpty else { return [] }
        if let taken = try takenDigest(tables.db) {
            return found.map { path in
                // A damaged file is not the one that was taken over.
                (try? digest(of: path)) == taken
                    ? setAside(path) : "\(path) was left as it is: this store took over other edits before"
            }
        }
        guard try EditsTable.isEmpty(tables.db) else {
            return found.map { "\($0) was left as it is: this store has edits of its own" }
        }
        guard let path = try one(of: found) else { return [] }
        let history = try StoreHistory.read(tables.db).id
        var count = 0
        try tables.db.committed {
            var digest = Digest()
            try forEachRecord(path, in: history) { record in
                switch record {
                case .edit(let record):
                    let (edited, picture) = try EditedCharacter.read(record)
                    try EditsTable.put(edited, picture.map { .set($0) }, in: tables.db)
                    digest.add(edited)
                    count += 1
                case .answer(let answer):
                    guard try !tables.answers.contains(answer.request) else { break }
                    try tables.answers.insert(
                        answer.answered,
                        answer.request,
                        history: answer.history,
                        at: answer.createdAt
                    )
                default: break
                }
            }
            try tables.db.execute(sql: "UPDATE history SET taken_edits = ?", arguments: [digest.value])
        }
        return ["the edits of \(count) characters in \(path) are in the store now", setAside(path)]
    }

    /// Renames a file that was taken over. A file of that name stays.
    private static func setAside(_ path: String) -> String {
        var (target, number) = (path + suffix, 1)
        while access(target, F_OK) == 0 {
            number += 1
            target = "\(path)\(suffix)-\(number)"
        }
        guard rename(path, target) == 0 else {
            return "\(path) cannot be renamed: \(String(cString: strerror(errno)))"
        }
        return "\(path) is not used any more, and is \(target) now"
    }

    /// A digest of the characters and revisions of all edits, by which a file is known again.
    private struct Digest {
        private var hash = FNV1a()

        var value: Int64 { Int64(bitPattern: hash.value) }

        mutating func add(_ edited: EditedCharacter) {
            hash.combine(number: edited.id)
            hash.combine(number: edited.revision)
        }
    }

    private static func digest(of path: String) throws -> Int64 {
        var digest = Digest()
        try read(path) { db, _ in
            try forEachEdit(in: db) { edited, _ in digest.add(edited) }
        }
        return digest.value
    }

    // MARK: Reading

    /// Calls `body` with the edits in a file, oldest first, and then with the answers to requests.
    ///
    /// - Parameters:
    ///   - path: The file. It is read by a connection that may write, because an unfinished change is rolled back first.
    ///   - history: The history of the store that gets the records.
    ///   - body: Takes a record.
    /// - Throws: `FavoritesStoreOpenError` if the file is damaged, or the error of `body`.
    static func forEachRecord(
        _ path: String,
        in history: HistoryID,
        _ body: (StoreRecord) throws -> Void
    ) throws {
        var failure: (any Error)?
        func take(_ record: StoreRecord) throws {
            do {
                try body(record)
            } catch {
                failure = error
                throw error
            }
        }
        do {
            try read(path) { db, version in
                try forEachEdit(in: db) { edited, picture in try take(.edit(edited.record(picture))) }
                try forEachAnswer(in: db, version, history) { try take(.answer($0)) }
            }
        } catch {
            throw failure ?? error
        }
    }

    private static func read(_ path: String, _ body: (Database, _ version: Int64) throws -> Void) throws {
        do {
            var configuration = Configuration.defended(timeLimit: Database.readingTime(of: path))
            configuration.busyMode = .timeout(StoreConnection.busyTimeout)
            let database = try DatabaseQueue(path: path, configuration: configuration)
            defer { try? database.close() }
            try database.writeWithoutTransaction { db in
                let id = try Int64.fetchOne(db, sql: "PRAGMA application_id")
                let version = try Int64.fetchOne(db, sql: "PRAGMA user_version") ?? 0
                guard id == applicationID, versions.contains(version) else {
                    throw DatabaseError(resultCode: .SQLITE_NOTADB, message: "it is not a file of edits")
                }
                let finding = try String.fetchOne(db, sql: "PRAGMA quick_check(1)")
                guard finding == "ok" else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: finding) }
                // Nobody writes an edit between the reading and the rename.
                try db.inTransaction(.immediate) {
                    try body(db, version)
                    return .commit
                }
            }
        } catch {
            let reason = (error as? DatabaseError)?.reason ?? "\(error)"
            throw FavoritesStoreOpenError(
                code: .damaged,
                message:
                    "the edits in \(path) cannot be read (\(reason)): put a copy of the file in its place, or move it "
                    + "away to go on without these edits"
            )
        }
    }

    private static func forEachEdit(
        in db: Database,
        _ body: (EditedCharacter, Picture?) throws -> Void
    ) throws {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT e.character_id, e.kind, e.name, e.description, e.comic_count, e.series_count, e.story_count,
                    e.event_count, e.urls, e.edited_at, e.revision, p.media_type, p.bytes
                FROM edits e LEFT JOIN pictures p ON p.character_id = e.character_id ORDER BY e.revision
                """
        )
        while let row = try rows.next() { try body(EditedCharacter(oldRow: row), Picture(oldRow: row)) }
    }

    private static func forEachAnswer(
        in db: Database,
        _ version: Int64,
        _ history: HistoryID,
        _ body: (StoreRecord.Answer) throws -> Void
    ) throws {
        // Requests that were answered before there were principals are those of callers without a name.
        let principal = version < 3 ? "''" : "principal"
        let rows = try Row.fetchCursor(
            db,
            sql: "SELECT \(principal), request_id, digest, character_id, created_at FROM requests ORDER BY created_at"
        )
        while let row = try rows.next() {
            guard let id = RequestID(try row.read(at: 1)) else { continue }
            let edit = AnsweredEdit(digest: try row.read(at: 2), characterID: try row.read(at: 3))
            let createdAt = Timestamp(seconds: try row.read(at: 4))
            let key = RequestKey(id, of: try row.read(at: 0))
            try body(.init(key, .edit(edit), evicted: nil, history: history, createdAt: createdAt))
        }
    }
}

extension EditedCharacter {
    fileprivate init(oldRow row: Row) throws {
        let id: Int64 = try row.read("character_id")
        let mediaType: String? = try row.readIfPresent("media_type")
        let pictureType = mediaType.flatMap(PictureType.init(rawValue:))
        let editedAt = Timestamp(seconds: try row.read("edited_at"))
        guard let kind = Kind(rawValue: try row.read("kind")), (mediaType == nil) == (pictureType == nil),
            editedAt.isValid,
            id > 0
        else { throw DamagedEdit(of: id) }
        let urls: String? = try row.readIfPresent("urls")
        self.init(
            id: id,
            kind: kind,
            edit: CharacterEdit(
                name: try row.readIfPresent("name"),
                description: try row.readIfPresent("description"),
                comicCount: try row.readIfPresent("comic_count"),
                seriesCount: try row.readIfPresent("series_count"),
                storyCount: try row.readIfPresent("story_count"),
                eventCount: try row.readIfPresent("event_count"),
                urls: try urls.map { text throws(JSONError) in
                    try JSONReader.read(text) { (reader) throws(JSONError) in try reader.urls() }
                }
            ),
            pictureType: pictureType,
            editedAt: editedAt,
            revision: try row.read("revision")
        )
    }
}

extension Picture {
    fileprivate init?(oldRow row: Row) throws {
        guard let type: String = try row.readIfPresent("media_type") else { return nil }
        guard let mediaType = PictureType(rawValue: type) else { return nil }
        let bytes: Data = try row.read("bytes")
        self.init(bytes: [UInt8](bytes), mediaType: mediaType)
    }
}
