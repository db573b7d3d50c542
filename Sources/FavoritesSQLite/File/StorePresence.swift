internal import SQLiteFiles

/// The state of the files at a store's path, checked before SQLite opens any of them.
///
/// SQLite uses any file of the right name as the log or the journal of a database. It deletes the log of an empty
/// database, and rolls back an unfinished journal. That is right only if the files belong together.
enum StorePresence {
    case absent
    case empty
    /// A server was killed while it created the store, before it used the log: SQLite rolls it back to an empty file.
    case unfinishedStart
    /// A file that is to be opened as a store.
    case store

    /// - Throws: An error if opening the store would destroy a file there. It names both files and the remedy.
    static func check(at store: String) throws(FavoritesStoreOpenError) -> StorePresence {
        let path = FilePath.resolved(store)
        let journal = RollbackJournal(path: path + "-journal")
        let found = FilePath.size(of: path)
        guard let size = found, size > 0 else {
            try refuseOrphans(of: path, journal, isAbsent: found == nil)
            return found == nil ? .absent : .empty
        }
        // SQLite treats a file of one byte as empty.
        guard size >= smallestHeader else {
            throw FavoritesStoreOpenError("\(path) is not a favorites store (it has \(size) bytes); it was not changed")
        }
        try refuseCopyBesideLog(path)
        guard let journal else { return .store }
        if journal.pageCount == 0, size <= journal.pageSize { return .unfinishedStart }
        throw FavoritesStoreOpenError(
            "\(path) has an unfinished change of another program in \(path)-journal: if it belongs to this store, "
                + "finish it with `sqlite3 \(path) .tables`; if not, move \(path)-journal away; nothing was changed"
        )
    }

    static func requireStore(at path: String) throws(FavoritesStoreOpenError) {
        guard try check(at: path) == .store else { throw FavoritesStoreOpenError("no store at \(path)") }
    }

    /// A server's store has a log from its start on. SQLite would mix the changes of the log into a copy.
    private static func refuseCopyBesideLog(_ path: String) throws(FavoritesStoreOpenError) {
        let versionWithoutLog: UInt8 = 1
        guard hasLog(path), FilePath.firstBytes(of: path, count: 19).last == versionWithoutLog else { return }
        throw FavoritesStoreOpenError(
            "\(path) is a copy, but \(path)-wal contains changes of the store that was here before: move \(path)-wal "
                + "away; nothing was changed"
        )
    }

    private static let smallestHeader: Int64 = 100

    /// The size of SQLite's log without changes: its header.
    private static let emptyLog: Int64 = 32

    static func hasLog(_ path: String) -> Bool { (FilePath.size(of: "\(path)-wal") ?? 0) > emptyLog }

    /// - Throws: An error if the store is missing or empty, but the other files show that it had data.
    private static func refuseOrphans(
        of path: String,
        _ journal: RollbackJournal?,
        isAbsent: Bool
    ) throws(FavoritesStoreOpenError) {
        let problem = isAbsent ? "no store at \(path)" : "the store \(path) is empty"
        let remedy = isAbsent ? "put the store back under this name" : "put a copy of the store in its place"
        let hasLog = hasLog(path)
        let hasJournal = (journal?.pageCount ?? 0) > 0
        if hasLog || hasJournal {
            let name = path + (hasLog ? "-wal" : "-journal")
            throw FavoritesStoreOpenError(
                "\(problem), but \(name) contains changes of it: \(remedy), or, to start with an empty store, move "
                    + "\(name) away; nothing was changed"
            )
        }
        guard let progress = StoreWitness.record(of: path).progress, progress.changeCount > 0 else { return }
        throw FavoritesStoreOpenError(
            "\(problem), but \(path).witness says that a store with \(progress.changeCount) changes existed: "
                + "\(remedy), or, to start with an empty store, remove \(path).witness; nothing was changed"
        )
    }
}

/// The header of a rollback journal that SQLite would roll back ("hot"). A store in use has no journal: it uses a log.
private struct RollbackJournal {
    let pageCount: UInt32
    let pageSize: Int64

    private static let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]

    /// Nil without a hot journal: SQLite overwrites the header with zeros when a change is finished.
    init?(path: String) {
        let bytes = FilePath.firstBytes(of: path, count: 28)
        guard let first = bytes.first, first != 0 else { return nil }
        func number(at offset: Int) -> UInt32 {
            bytes.dropFirst(offset).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
        }
        // A file that is not a whole journal may belong to a database of any size.
        let isWhole = bytes.count == 28 && bytes.starts(with: RollbackJournal.magic)
        pageCount = isWhole ? number(at: 16) : .max
        pageSize = isWhole ? Int64(number(at: 24)) : 0
    }
}
