internal import Foundation
internal import GRDB
package import MarvelDomain
internal import SQLiteFiles

/// A restore of a store from a copy. No server may have the store open meanwhile.
package enum StoreRestore {
    /// Restores a store. The copy is verified, and gets a new history above all revisions that the store is known to
    /// have had, before it gets the store's name.
    ///
    /// - Parameters:
    ///   - copy: A copy made by `backup`, or another store. It is not changed.
    ///   - store: The store's file.
    ///   - overwriting: Whether an existing store may be replaced.
    /// - Returns: The contents of the restored store.
    /// - Throws: An error if it fails; then the store is unchanged.
    package static func restore(
        _ copy: String,
        to store: String,
        overwriting: Bool = false
    ) throws(FavoritesStoreOpenError) -> StoreReport {
        try refuse(copy, store, overwriting)
        let lock = try StoreLock(store: store, address: nil)
        defer { lock.abandon() }
        _ = try StoreBackup.verify(copy, failure: "the copy \(copy) is not whole, and nothing was changed")
        let target = FilePath.resolved(store)
        let partial = "\(target).restoring-\(getpid())"
        defer { for suffix in ["", "-wal", "-shm", "-journal"] { unlink(partial + suffix) } }
        _ = try StoreBackup.copy(copy, to: partial)
        let floor = highestRevision(of: target)
        try StoreBackup.change(partial) { db in
            try db.committed { try StoreHistory.renew(above: floor, in: db) }
        }
        let report = try StoreCheck.check(partial)
        try place(partial, at: target)
        return report
    }

    private static func refuse(
        _ copy: String,
        _ store: String,
        _ overwriting: Bool
    ) throws(FavoritesStoreOpenError) {
        let files = FileManager.default
        guard files.fileExists(atPath: copy) else {
            throw FavoritesStoreOpenError(code: .notAStore, message: "there is no copy at \(copy)")
        }
        guard FilePath.resolved(copy) != FilePath.resolved(store) else {
            throw FavoritesStoreOpenError(code: .invalidSetting, message: "\(copy) is the store itself")
        }
        guard overwriting || !["", "-wal"].contains(where: { files.fileExists(atPath: store + $0) }) else {
            throw FavoritesStoreOpenError(
                code: .invalidSetting,
                message: "there is a store at \(store): move its files away to keep them, or allow with --overwrite "
                    + "that it is replaced"
            )
        }
    }

    /// Returns the highest revision that the store at `path` is known to have had. If the store is damaged or missing,
    /// this is the revision in the witness.
    private static func highestRevision(of path: String) -> Int64 {
        let witnessed = StoreWitness.record(of: path).progress?.revision ?? 0
        let stored = try? StoreConnection.openReadOnly(path).read { db in
            try Int64.fetchOne(db, sql: "SELECT max(revision) FROM lists")
        }
        return max(0, witnessed, stored.flatMap(\.self) ?? 0)
    }

    /// Moves the restored file to the store's path. The old store's log is removed first, because SQLite would use it
    /// as the log of the new one. The witness is removed too, because it is of another history.
    private static func place(_ partial: String, at target: String) throws(FavoritesStoreOpenError) {
        for suffix in ["-wal", "-shm", "-journal", ".witness"] { unlink(target + suffix) }
        guard sync(partial), rename(partial, target) == 0 else {
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
}
