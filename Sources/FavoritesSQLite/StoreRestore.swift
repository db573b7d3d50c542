internal import Foundation
internal import GRDB

/// Puts a store back from a copy: no server may have it open meanwhile.
package enum StoreRestore {
    /// The copy is verified, and gets a new history above all revisions that the store is known to have had, before it has
    /// the store's name.
    ///
    /// - Parameters:
    ///   - copy: A copy made by `backup`, or another store. It is not changed.
    ///   - store: The store's file.
    ///   - overwriting: Whether a store that is there may be replaced.
    /// - Returns: What the store holds now.
    /// - Throws: If it cannot be done; then the store is as it was.
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

    /// The highest revision that the store at `path` is known to have had. It may be broken, or gone: then the witness
    /// tells.
    private static func highestRevision(of path: String) -> Int64 {
        let witnessed = StoreWitness.record(of: path).account?.revision ?? 0
        let stored = try? StoreConnection.openReadOnly(path).read { db in
            try Int64.fetchOne(db, sql: "SELECT max(revision) FROM lists")
        }
        return max(0, witnessed, stored.flatMap(\.self) ?? 0)
    }

    /// The log of the store that is replaced goes first: SQLite would take it for that of the new one. So does the
    /// witness, which tells of another history.
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
