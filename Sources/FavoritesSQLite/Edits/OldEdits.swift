internal import Foundation
internal import MarvelDomain
internal import SQLiteFiles

/// A file of edits beside a store, from servers before version 7 of the schema.
///
/// A store takes such a file over once, marks this in the same transaction, and then renames the file. After a crash
/// between the two the file stays, and is not read again.
enum OldEdits {
    static let suffix = ".taken-over"
    /// "Mrpe", in the header of each file of edits.
    private static let applicationID: Int64 = 0x4D72_7065
    private static let versions: ClosedRange<Int64> = 1...3

    /// The files beside a store. A copy may be in any folder, so only a file of its own name belongs to it.
    private static func paths(beside store: String, isCopy: Bool) -> [String] {
        let own = [store + ".edits"] + (isCopy ? [] : [FilePath.folder(of: store) + "/edits.sqlite"])
        return own.filter { access($0, F_OK) == 0 }
    }

    static func isPresent(beside store: String) -> Bool { !paths(beside: store, isCopy: false).isEmpty }

    /// The file that a store would take over.
    ///
    /// - Throws: An error if there are two.
    static func path(beside store: String, isCopy: Bool, _ db: Database) throws -> String? {
        let found = paths(beside: store, isCopy: isCopy)
        guard try !hasTaken(db), try EditsTable.isEmpty(db) else { return nil }
        guard found.count < 2 else {
            throw FavoritesStoreOpenError(
                "\(found[0]) and \(found[1]) both contain edits, but a store imports only one: move the other away"
            )
        }
        return found.first
    }

    private static func hasTaken(_ db: Database) throws -> Bool {
        try db.value("SELECT has_taken_edits FROM history") ?? false
    }

    /// Reads the file that `takeOver` would take over. A copy without one takes none later.
    ///
    /// - Throws: The same as `takeOver`.
    static func check(beside store: String, isCopy: Bool, _ db: Database) throws {
        guard let path = try path(beside: store, isCopy: isCopy, db) else {
            if isCopy { try db.run("UPDATE history SET has_taken_edits = 1") }
            return
        }
        try read(path)
    }

    /// Takes over the file beside a store that has no edits yet, and renames it.
    ///
    /// - Returns: The actions, in words for the operator.
    /// - Throws: `FavoritesStoreOpenError` if there is a file that cannot be read; or errors of the store.
    static func takeOver(beside store: String, isCopy: Bool, into tables: StoreTables) throws -> [String] {
        guard let path = try path(beside: store, isCopy: isCopy, tables.db) else {
            guard try !EditsTable.isEmpty(tables.db) else { return [] }
            return paths(beside: store, isCopy: isCopy).map { "\($0) is not used: the edits are in the store" }
        }
        let count = try put(path, into: tables)
        return [
            "the edits of \(count) characters in \(path) were imported into the store, and the file is \(setAside(path))"
        ]
    }

    /// Copies the edits of the file beside a store into a copy of the store. The file is unchanged.
    ///
    /// - Throws: The same as `takeOver`.
    static func copy(beside store: String, into db: Database) throws {
        guard let path = try path(beside: store, isCopy: StoreHistory.read(db).isCopy, db) else { return }
        _ = try put(path, into: StoreTables(db))
    }

    private static func put(_ path: String, into tables: StoreTables) throws -> Int {
        let history = try StoreHistory.read(tables.db).id
        var count = 0
        try tables.db.committed {
            try read(path) { edited, picture in
                count += 1
                try EditsTable.put(edited, picture.map { .set($0) }, in: tables.db)
            } onAnswer: { request, edit, createdAt in
                guard try !tables.answers.contains(request) else { return }
                try tables.answers.insert(AnswerColumns(edit), request, history: history, at: createdAt)
            }
            try tables.db.execute("UPDATE history SET has_taken_edits = 1")
        }
        return count
    }

    /// Renames a file that was taken over, and returns its name. It replaces no other file.
    private static func setAside(_ path: String) -> String {
        var (target, number) = (path + suffix, 1)
        while access(target, F_OK) == 0 {
            number += 1
            target = "\(path)\(suffix)-\(number)"
        }
        return rename(path, target) == 0 ? target : "not renamed: \(String(cString: strerror(errno)))"
    }

    // MARK: Reading

    private typealias EditBody = (EditedCharacter, Picture?) throws -> Void
    private typealias AnswerBody = (RequestKey, AnsweredEdit, _ createdAt: Timestamp) throws -> Void

    /// Calls `onEdit` with the edits in a file, oldest first, and then `onAnswer` with the answers to requests. Each edit
    /// is valid. A writable file is opened for writing: SQLite first rolls an unfinished change back.
    ///
    /// - Throws: `FavoritesStoreOpenError` if the file is damaged, or the error of a body.
    private static func read(
        _ path: String,
        onEdit: EditBody = { _, _ in },
        onAnswer: AnswerBody = { _, _, _ in }
    ) throws {
        var failure: (any Error)?
        func keeping(_ body: () throws -> Void) throws {
            do {
                try body()
            } catch {
                failure = error
                throw error
            }
        }
        do {
            let (db, version) = try open(path)
            func readAll() throws {
                try forEachEdit(in: db) { edited, picture in try keeping { try onEdit(edited, picture) } }
                try forEachAnswer(in: db, version) { request, edit, createdAt in
                    try keeping { try onAnswer(request, edit, createdAt) }
                }
            }
            // Without another edit between the reading and the rename.
            if isReadOnly(path) { try db.reading(readAll) } else { try db.committed(readAll) }
        } catch {
            if let failure { throw failure }
            let reason = (error as? DatabaseError)?.reason ?? "\(error)"
            throw FavoritesStoreOpenError(
                "the edits in \(path) cannot be read (\(reason)): put a copy of the file in its place, or move it "
                    + "away to continue without these edits"
            )
        }
    }

    private static func isReadOnly(_ path: String) -> Bool {
        access(path, W_OK) != 0 || access(FilePath.folder(of: path), W_OK) != 0
    }

    private static func open(_ path: String) throws -> (Database, version: Int64) {
        var settings = Database.Settings()
        settings.timeLimit = Database.readingTime(of: path)
        settings.busyTimeout = StoreConnection.busyTimeout
        settings.mayCreate = false
        settings.isReadOnly = isReadOnly(path)
        let db = try Database(path, settings)
        let version = try db.value("PRAGMA user_version", as: Int64.self) ?? 0
        guard try db.value("PRAGMA application_id") == applicationID, versions.contains(version) else {
            throw DatabaseError.damaged("it is not an edits file")
        }
        let finding = try db.value("PRAGMA quick_check(1)", as: String.self)
        guard finding == "ok" else { throw DatabaseError.damaged(finding ?? "no result") }
        return (db, version)
    }

    private static func forEachEdit(in db: Database, _ body: EditBody) throws {
        let rows = try db.rows(
            """
            SELECT e.character_id, e.revision, json_object('kind', e.kind, 'edited_at', e.edited_at, 'name', e.name,
                'description', e.description, 'comic_count', e.comic_count, 'series_count', e.series_count,
                'story_count', e.story_count, 'event_count', e.event_count, 'urls', e.urls,
                'media_type', p.media_type), p.bytes
            FROM edits e LEFT JOIN pictures p ON p.character_id = e.character_id ORDER BY e.revision
            """
        )
        while let row = try rows.next() {
            let picture: [UInt8]? = try row.readIfPresent(at: 3)
            let edited = try EditedCharacter(
                id: row.read(at: 0),
                revision: row.read(at: 1),
                document: row.read(at: 2)
            )
            try body(edited, edited.picture(picture))
        }
    }

    private static func forEachAnswer(
        in db: Database,
        _ version: Int64,
        _ body: AnswerBody
    ) throws {
        // Requests from before principals are those of callers without a name.
        let principal = version < 3 ? "''" : "principal"
        let rows = try db.rows(
            "SELECT \(principal), request_id, digest, character_id, created_at FROM requests ORDER BY created_at"
        )
        while let row = try rows.next() {
            guard let id = RequestID(try row.read(at: 1)) else { continue }
            let edit = AnsweredEdit(digest: try row.read(at: 2), characterID: try row.read(at: 3))
            let createdAt = Timestamp(seconds: try row.read(at: 4))
            try body(RequestKey(id, of: try row.read(at: 0)), edit, createdAt)
        }
    }
}
