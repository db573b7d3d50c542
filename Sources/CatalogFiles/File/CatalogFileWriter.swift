internal import Foundation
package import MarvelDomain
internal import SQLiteFiles

package final class CatalogFileWriter: Sendable {
    private let file: PartialFile
    private let database: DatabaseQueue

    /// The path with symbolic links resolved.
    package var target: String { file.target }
    package var partial: String { file.path }

    /// Removes the partial files of killed programs. Throws if another program writes a file of that name.
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

    /// Runs in one transaction, on the caller's thread.
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

    /// Syncs the file, renames it to its target, and syncs the folder. On an error an older file is unchanged.
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
