internal import Foundation
internal import GRDB
package import MarvelDomain
internal import SQLiteFiles

/// A writer of a catalog file.
///
/// It writes a partial file beside the target, which gets the target's name when it is complete and on disk. Until then
/// an older file of that name does not change.
package final class CatalogFileWriter: Sendable {
    /// A way to write a file.
    package enum WriteMode: Sendable, Hashable {
        /// Writing the file in one run, which is fast. A partial file of an earlier run is discarded.
        case fresh
        /// Writing the file in steps that survive a crash and a loss of power. A partial file of an earlier run is
        /// continued.
        case resumable

        /// The suffix of the partial file's name.
        var suffix: String {
            switch self {
            case .fresh: ".tmp"
            case .resumable: ".partial"
            }
        }
    }

    /// The path of the finished file, with symbolic links resolved.
    package let target: String
    /// The path of the partial file.
    package let partial: String
    private let lock: PartialFileLock
    let database: DatabaseQueue

    /// - Parameters:
    ///   - target: The path of the finished file.
    ///   - mode: The way to write it.
    /// - Throws: `CatalogFileError`: `.inUse` if another program writes a file of that name, `.notWritable`, or an
    ///   error of reading an existing partial file.
    package init(_ target: String, _ mode: WriteMode) throws(CatalogFileError) {
        // The target of a link is replaced, and not the link.
        let target = FilePath.resolved(target)
        let partial = target + mode.suffix
        let lock = try PartialFileLock(partial)
        if mode == .fresh {
            lock.empty()
            AtomicFile.removeLogs(of: partial)
        }
        do {
            database = try DatabaseQueue(path: partial, configuration: CatalogFileWriter.configuration)
            try database.writeWithoutTransaction { db in
                // WAL is not possible, because the finished file must be readable in a folder without write permission.
                try db.execute(
                    sql: mode == .fresh
                        ? "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -32768;"
                        : "PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL;"
                )
                try db.defend()
                try CatalogFileWriter.prepare(db, path: partial)
            }
        } catch {
            if mode == .fresh { AtomicFile.remove(partial) }
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

    /// Creates the tables in an empty database, in one transaction. Any other database must be a catalog already.
    private static func prepare(_ db: Database, path: String) throws {
        switch try CatalogSchema.migrations.state(of: db) {
        case .empty: try CatalogSchema.migrations.migrate(db)
        // A mirror keeps it until its file is finished.
        case .altered("has the table met"): break
        default: try CatalogSchema.check(db, path: path)
        }
    }

    /// Runs `body` in one transaction, on the caller's thread, which waits for the disk. On an event loop or in a task
    /// use `write`.
    ///
    /// - Throws: `CatalogFileError`, or the errors of `body`.
    package func writeNow<Value>(_ body: (borrowing CatalogBatch) throws -> Value) throws -> Value {
        do {
            return try database.write { db in
                let batch = CatalogBatch(db: db)
                return try body(batch)
            }
        } catch  where error is DatabaseError || error is RowDecodingError {
            throw CatalogFileError(writing: partial, error)
        }
    }

    /// Runs `body` in one transaction, like `writeNow`, but on a thread of the writer.
    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (borrowing CatalogBatch) throws -> Value
    ) async throws -> Value {
        do {
            return try await database.write { db in
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

    /// Closes the partial file, to be continued by another run.
    package func close() {
        try? database.close()
        lock.release()
    }
}
