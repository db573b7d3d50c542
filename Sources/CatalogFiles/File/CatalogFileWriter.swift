internal import Foundation
package import MarvelDomain
internal import SQLiteFiles
internal import Synchronization

package final class CatalogFileWriter: Sendable {
    private let file: PartialFile
    private let database: DatabaseQueue

    /// The path of the finished file, with symbolic links resolved.
    package var target: String { file.target }
    package var partial: String { file.path }

    /// Creates a partial file beside the target. It discards that of an earlier run.
    ///
    /// - Throws: `CatalogFileError` if another program writes a file of that name, or it cannot be written.
    package init(_ target: String) throws(CatalogFileError) {
        file = try PartialFile(of: target)
        do {
            var settings = Database.Settings()
            settings.isDefended = false
            database = try DatabaseQueue(file.path, settings)
            try database.sync { db in
                // Not WAL: the finished file must be readable in a folder without write permission.
                try db.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -32768;")
                try db.defend()
                try CatalogSchema.migrations.migrate(db)
            }
        } catch {
            file.discard()
            throw CatalogFileError(writing: file.path, error)
        }
    }

    /// Runs `body` in one transaction, on the caller's thread.
    ///
    /// - Throws: `CatalogFileError`, or the errors of `body`.
    package func write<Value>(_ body: (borrowing CatalogBatch) throws -> Value) throws -> Value {
        do {
            return try database.sync { db in
                try db.committed {
                    let batch = CatalogBatch(db: db)
                    return try body(batch)
                }
            }
        } catch let error as DatabaseError {
            throw CatalogFileError(writing: partial, error)
        }
    }

    /// Syncs the file, renames it to its target, and syncs the folder. The file records `now` as the time of its
    /// creation. `replacing` permits replacing a file.
    ///
    /// - Throws: `CatalogFileError`; then an older file is unchanged.
    package func finish(at now: Timestamp, replacing: Bool) throws(CatalogFileError) {
        do {
            try write { batch in try batch.finish(at: now) }
            try database.close()
        } catch {
            throw CatalogFileError(writing: partial, error)
        }
        try file.finish(replacing: replacing)
    }

    package func discard() {
        try? database.close()
        file.discard()
    }
}

/// A locked file beside its target that is renamed to the target when it is complete and on disk. Until then an older
/// file of that name is unchanged.
///
/// Only one program writes it. The kernel releases the lock when the process ends.
final class PartialFile: Sendable {
    /// Symbolic links are resolved: this replaces the target of a link, and not the link.
    let target: String
    let path: String
    /// Nil after the release.
    private let file: Mutex<LockedFile?>

    /// Creates an empty file. It discards that of an earlier run.
    ///
    /// - Throws: `CatalogFileError` if another program writes a file of that name, or it cannot be written.
    init(of target: String) throws(CatalogFileError) {
        let target = FilePath.resolved(target)
        let path = target + ".tmp"
        do throws(LockedFile.Failure) {
            let locked = try LockedFile(path, creating: true, mode: 0o644)
            locked.truncate()
            file = Mutex(locked)
        } catch {
            switch error {
            case .isLocked:
                throw CatalogFileError("another program is writing \(path)")
            case .isAbsent:
                throw CatalogFileError("cannot write \(path): it was removed")
            case .system(let reason):
                throw CatalogFileError("cannot write \(path): \(reason)")
            }
        }
        for suffix in PartialFile.logSuffixes { unlink(path + suffix) }
        self.target = target
        self.path = path
    }

    deinit { release() }

    /// Syncs the file, renames it, and syncs the folder. After a power loss the name never belongs to a partial file.
    func finish(replacing: Bool) throws(CatalogFileError) {
        for suffix in ["-journal", "-wal"] where access(target + suffix, F_OK) == 0 {
            // SQLite would apply this log to the new file.
            throw CatalogFileError(
                "\(target)\(suffix) is the log of another database: remove it, or choose another file"
            )
        }
        // Unlike a check beforehand, `link` fails without a race if the file exists.
        guard PartialFile.sync(path), (replacing ? rename(path, target) : link(path, target)) == 0 else {
            guard errno != EEXIST else { throw PartialFile.exists(target) }
            let reason = String(cString: strerror(errno))
            throw CatalogFileError("cannot write \(target): \(reason)")
        }
        if !replacing { unlink(path) }
        _ = PartialFile.sync(URL(filePath: target).deletingLastPathComponent().path)
        release()
    }

    func discard() {
        PartialFile.remove(path)
        release()
    }

    private func release() { file.withLock { $0.take() }?.close() }

    static func exists(_ target: String) -> CatalogFileError {
        CatalogFileError("\(target) already exists and was not replaced: use --overwrite")
    }

    static func remove(_ path: String) {
        for suffix in [""] + logSuffixes { unlink(path + suffix) }
    }

    private static let logSuffixes = ["-journal", "-wal", "-shm"]

    /// Returns whether the file or folder is on disk.
    static func sync(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return fsync(descriptor) == 0
    }
}
