internal import Foundation
internal import GRDB
package import MarvelDomain

/// Makes a catalog file: under another name beside it, which becomes its own when the file is whole and on disk. Until
/// then, whatever happens, an older file of that name is as it was.
package final class CatalogFileWriter: Sendable {
    /// How a file comes to be.
    package enum Making: Sendable, Hashable {
        /// In one go: what a program that was stopped has left is thrown away. Fast.
        case anew
        /// In steps that survive the end of the program and the loss of power: what is left is gone on with.
        case inSteps

        /// What is appended to the file's name.
        var suffix: String {
            switch self {
            case .anew: ".making"
            case .inSteps: ".partial"
            }
        }
    }

    /// Where the finished file goes, links followed.
    package let target: String
    /// Where it is made.
    package let partial: String
    private let lock: PartialFileLock
    let database: DatabaseQueue

    /// - Parameters:
    ///   - target: Where the finished file goes.
    ///   - making: How it is made.
    /// - Throws: `CatalogFileError`: `.inUse` if another program makes a file of that name; `.notWritable`; and what
    ///   reading would be refused with, of a partial file that is there.
    package init(_ target: String, _ making: Making) throws(CatalogFileError) {
        let target = FilePlace.resolved(target)
        let partial = target + making.suffix
        let lock = try PartialFileLock(partial)
        if making == .anew {
            lock.empty()
            FilePlace.removeLogs(of: partial)
        }
        do {
            database = try DatabaseQueue(path: partial, configuration: CatalogFileWriter.configuration)
            try database.writeWithoutTransaction { db in
                // Never WAL: the finished file has to be readable where nothing can be written.
                try db.execute(
                    sql: making == .anew
                        ? "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -32768;"
                        : "PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL;"
                )
                try CatalogFileWriter.prepare(db, path: partial)
            }
        } catch {
            if making == .anew { FilePlace.remove(partial) }
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

    /// An empty database becomes a catalog in one transaction; another must be one.
    private static func prepare(_ db: Database, path: String) throws {
        let tableCount = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") ?? 0
        guard tableCount == 0 else { return try CatalogSchema.check(db, path: path) }
        try db.inTransaction(.immediate) {
            try db.execute(sql: CatalogSchema.tables)
            return .commit
        }
    }

    /// Writes in one transaction: all of it is in the file afterwards, or none.
    ///
    /// The caller's thread waits for the disk: `write` is for callers who have no thread of their own.
    ///
    /// - Throws: `CatalogFileError`, or what `body` throws.
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

    /// As `writeNow`, on a thread of this writer's.
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

    /// Ends the making: the file is synced and gets its name, and with that the disk is synced too.
    ///
    /// - Parameters:
    ///   - now: What the file says of when it was made.
    ///   - replacing: Whether a file that is there may be replaced.
    /// - Throws: `CatalogFileError`; an older file is as it was.
    package func finish(at now: Timestamp, replacing: Bool) throws(CatalogFileError) {
        do {
            try database.write { db in try CatalogTables.finish(at: now, in: db) }
            try database.close()
        } catch {
            throw CatalogFileError(writing: partial, error)
        }
        try FilePlace.move(partial, to: target, replacing: replacing)
        lock.release()
    }

    /// Throws away what was made.
    package func discard() {
        try? database.close()
        FilePlace.remove(partial)
        lock.release()
    }

    /// Leaves what was made, to go on with it another time.
    package func close() {
        try? database.close()
        lock.release()
    }
}
