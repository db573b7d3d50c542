internal import Foundation
internal import GRDB

/// Copies a store to another file, also while a server has it open: what was acknowledged before the copy began is in
/// it. The server's log cannot start over while the copy is made.
package enum StoreBackup {
    /// The copy is made beside `target`, verified and synced there, and has its name only when it is whole.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - target: Where the copy goes.
    ///   - overwriting: Whether a file that is there may be replaced.
    /// - Returns: What the copy holds.
    /// - Throws: If it cannot be made, or is not whole; then there is no copy, and what was at `target` is as it was.
    package static func copy(
        _ store: String,
        to target: String,
        overwriting: Bool = false
    ) throws(FavoritesStoreOpenError) -> StoreReport {
        try refuse(store, target, overwriting)
        let partial = "\(target).partial-\(getpid())"
        defer { removeAll(partial) }
        do {
            let database = try StoreConnection.openReadOnly(store)
            defer { try? database.close() }
            try database.unsafeRead { db in
                try StoreInspection.checkIdentity(db, path: store)
                do {
                    try db.execute(sql: "VACUUM INTO ?", arguments: [partial])
                } catch let error as DatabaseError where error.resultCode != .SQLITE_CORRUPT {
                    let reason = error.message ?? "\(error.extendedResultCode)"
                    throw FavoritesStoreOpenError(
                        code: .notWritable,
                        message: "cannot copy \(store) to \(target): \(reason)"
                    )
                }
            }
        } catch {
            throw FavoritesStoreOpenError(opening: store, error)
        }
        let report = try StoreCheck.check(partial)
        guard report.isWhole else {
            throw FavoritesStoreOpenError(
                code: .damaged,
                message: "the copy of \(store) is not whole, and was not kept: "
                    + report.problems.joined(separator: "; ")
            )
        }
        try place(partial, at: target, overwriting)
        return report
    }

    private static func refuse(
        _ store: String,
        _ target: String,
        _ overwriting: Bool
    ) throws(FavoritesStoreOpenError) {
        let files = FileManager.default
        guard files.fileExists(atPath: store) else {
            throw FavoritesStoreOpenError(code: .notAStore, message: "there is no store at \(store)")
        }
        guard StoreLock.resolved(store) != StoreLock.resolved(target) else {
            throw FavoritesStoreOpenError(code: .invalidSetting, message: "\(target) is the store itself")
        }
        guard overwriting || !files.fileExists(atPath: target) else { throw exists(target) }
        // SQLite would take it for the log of the copy.
        guard !files.fileExists(atPath: target + "-wal") else {
            throw FavoritesStoreOpenError(
                code: .invalidSetting,
                message: "\(target)-wal is the log of another database: name another file"
            )
        }
    }

    /// Synced first: a name that survives a loss of power is the name of a whole file.
    private static func place(
        _ partial: String,
        at target: String,
        _ overwriting: Bool
    ) throws(FavoritesStoreOpenError) {
        // A link is made only where there is no file, which a look beforehand cannot promise.
        let isPlaced = sync(partial) && (overwriting ? rename(partial, target) : link(partial, target)) == 0
        guard isPlaced else {
            guard errno != EEXIST else { throw exists(target) }
            let reason = String(cString: strerror(errno))
            throw FavoritesStoreOpenError(code: .notWritable, message: "cannot write \(target): \(reason)")
        }
        _ = sync(URL(filePath: target).deletingLastPathComponent().path)
    }

    private static func sync(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return fsync(descriptor) == 0
    }

    private static func exists(_ target: String) -> FavoritesStoreOpenError {
        FavoritesStoreOpenError(code: .invalidSetting, message: "\(target) exists, and was not replaced")
    }

    /// The file, and what SQLite may have left beside it.
    private static func removeAll(_ path: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
    }
}
