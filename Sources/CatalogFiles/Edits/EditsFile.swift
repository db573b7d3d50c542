internal import Foundation
internal import GRDB
internal import SQLiteFiles

/// The open file of an edit store, with a check that it was not replaced.
struct EditsFile {
    private let path: String
    private let identity: FileIdentity?

    /// Opens the file, creates it if there is none, and migrates it to the newest schema.
    ///
    /// Each commit is on disk before it is acknowledged. The journal is a file that is deleted at each commit, and
    /// EXTRA syncs its folder too. There is no log beside the file, so that it is easy to copy; writes are rare.
    static func open(_ path: String) throws(EditsOpenError) -> (file: EditsFile, database: DatabaseQueue) {
        do {
            try make(path)
            var configuration = Configuration.defended(label: "edits")
            configuration.busyMode = .timeout(5)
            configuration.foreignKeysEnabled = true
            let database = try DatabaseQueue(path: path, configuration: configuration)
            try database.writeWithoutTransaction { db in
                try EditsSchema.prepare(db, path: path)
                try db.execute(sql: "PRAGMA synchronous = EXTRA")
                let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode = DELETE")
                let synchronous = try Int.fetchOne(db, sql: "PRAGMA synchronous")
                guard mode == "delete", synchronous == 3 else {
                    throw EditsOpenError(message: "SQLite did not take its settings: edits would not be durable")
                }
                let finding = try String.fetchOne(db, sql: "PRAGMA quick_check(1)")
                guard finding == "ok" else {
                    throw EditsOpenError(message: "\(path) is damaged: restore a copy (\(finding ?? ""))")
                }
            }
            return (EditsFile(path: path, identity: FileIdentity(path: path)), database)
        } catch let error as EditsOpenError {
            throw error
        } catch {
            throw EditsOpenError(message: "the edits at \(path) cannot be opened: \(error)")
        }
    }

    /// Creates the file with mode 0600, because edits may not be published yet. SQLite's journal gets the same mode.
    private static func make(_ path: String) throws(EditsOpenError) {
        let descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 {
            close(descriptor)
            return
        }
        guard errno == EEXIST else {
            let reason = String(cString: strerror(errno))
            throw EditsOpenError(message: "cannot make a file of edits at \(path): \(reason)")
        }
    }

    /// Checks that the path still names the open file. SQLite would continue to write to a file that was moved or
    /// deleted, and acknowledged edits would be lost.
    ///
    /// - Throws: `EditsFileReplaced`.
    func verify() throws {
        guard FileIdentity(path: path) == identity else { throw EditsFileReplaced() }
    }
}

/// An error: the path no longer names the open file, which was moved, replaced or deleted.
struct EditsFileReplaced: Error {}
