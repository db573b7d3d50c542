internal import Foundation
internal import GRDB
package import MarvelDomain
internal import SQLiteFiles

/// A writer of a catalog file.
///
/// It writes a partial file beside the target, which gets the target's name when it is complete and on disk. Until then
/// an older file of that name does not change.
package final class CatalogFileWriter: Sendable {
    /// The path of the finished file, with symbolic links resolved.
    package let target: String
    /// The path of the partial file.
    package let partial: String
    private let lock: PartialFileLock
    private let database: DatabaseQueue

    /// Creates a partial file. That of an earlier run is discarded.
    ///
    /// - Parameter target: The path of the finished file.
    /// - Throws: `CatalogFileError`: `.inUse` if another program writes a file of that name, or `.notWritable`.
    package init(_ target: String) throws(CatalogFileError) {
        // The target of a link is replaced, and not the link.
        let target = FilePath.resolved(target)
        let partial = target + ".tmp"
        let lock = try PartialFileLock(partial)
        lock.empty()
        AtomicFile.removeLogs(of: partial)
        do {
            database = try DatabaseQueue(path: partial, configuration: CatalogFileWriter.configuration)
            try database.writeWithoutTransaction { db in
                // WAL is not possible, because the finished file must be readable in a folder without write permission.
                try db.execute(
                    sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -32768;"
                )
                try db.defend()
                try CatalogSchema.migrations.migrate(db)
            }
        } catch {
            AtomicFile.remove(partial)
            throw CatalogFileError(writing: partial, error)
        }
        self.target = target
        self.partial = partial
        self.lock = lock
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "catalog"
        return configuration
    }

    /// Runs `body` in one transaction, on the caller's thread, which waits for the disk.
    ///
    /// - Throws: `CatalogFileError`, or the errors of `body`.
    package func write<Value>(_ body: (borrowing CatalogBatch) throws -> Value) throws -> Value {
        do {
            return try database.write { db in
                let batch = CatalogBatch(db: db)
                return try body(batch)
            }
        } catch  where error is DatabaseError || error is RowDecodingError {
            throw CatalogFileError(writing: partial, error)
        }
    }

    /// Finishes the file: syncs it, gives it its name, and syncs the folder.
    ///
    /// - Parameters:
    ///   - now: The time that the file records as its creation.
    ///   - replacing: Whether an existing file may be replaced.
    /// - Throws: `CatalogFileError`; then an older file has not changed.
    package func finish(at now: Timestamp, replacing: Bool) throws(CatalogFileError) {
        do {
            try database.write { db in try CatalogTables.finish(at: now, in: db) }
            try database.close()
        } catch {
            throw CatalogFileError(writing: partial, error)
        }
        try AtomicFile.move(partial, to: target, replacing: replacing)
        lock.release()
    }

    /// Deletes the partial file.
    package func discard() {
        try? database.close()
        AtomicFile.remove(partial)
        lock.release()
    }
}
