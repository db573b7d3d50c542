internal import Foundation
package import MarvelDomain
internal import SQLiteFiles

package final class CatalogFileWriter: Sendable {
    private let file: PartialFile
    private let database: DatabaseQueue

    /// The path of the finished file, with symbolic links resolved.
    package var target: String { file.target }
    package var partial: String { file.path }

    /// Creates a partial file beside the target. It removes those of killed programs.
    ///
    /// - Throws: `CatalogFileError` if another program writes a file of that name, or it cannot be written.
    package init(_ target: String) throws(CatalogFileError) {
        do {
            file = try PartialFile(of: target, applicationID: CatalogSchema.applicationID, mode: 0o644)
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
            throw CatalogFileError(writing: target, error)
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
            for suffix in ["-journal", "-wal"] where access(target + suffix, F_OK) == 0 {
                // SQLite would apply this log to the new file.
                throw CatalogFileError(
                    "\(target)\(suffix) is the log of another database: remove it, or choose another file"
                )
            }
            try file.place(overwriting: replacing)
        } catch let failure as PartialFile.Failure {
            throw CatalogFileError(writing: target, failure)
        } catch {
            throw CatalogFileError(writing: partial, error)
        }
    }

    package func discard() {
        try? database.close()
        file.remove()
    }
}
