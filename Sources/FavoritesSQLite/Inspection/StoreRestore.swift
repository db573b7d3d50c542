internal import Foundation
package import MarvelDomain
internal import SQLiteFiles

/// Restores a store from a copy, to a path without one.
package enum StoreRestore {
    /// Restores a store from a copy made by `backup`, or from another store, which is not changed. Before it gets the
    /// store's name, the copy is verified, and gets a new history above all known revisions. A killed process leaves no
    /// store, or a whole one. The next restore removes its other files.
    ///
    /// - Throws: An error if it fails; then there is no store.
    package static func restore(_ copy: String, to store: String) throws(FavoritesStoreOpenError) -> StoreReport {
        try refuse(copy, store)
        let lock = try StoreLock(store: store, address: nil)
        defer { lock.abandon() }
        // No server can make a store from here on.
        try refuse(copy, store)
        _ = try StoreBackup.verify(copy, failure: "the copy \(copy) failed its check, and nothing was changed")
        let target = FilePath.resolved(store)
        let partial = try PartialFile.copy(to: target)
        defer { partial.remove() }
        try StoreBackup.write(copy, into: partial, for: store)
        let floor = StoreWitness.record(of: target).progress?.revision ?? 0
        var progress = StoreWitness.Progress()
        try StoreBackup.change(partial.path) { db in
            try StoreSchema.migrate(db)
            try OldEdits.copy(beside: copy, into: db)
            try db.committed { try StoreHistory.renew(above: floor, in: db) }
            progress = try StoreWitness.Progress(reading: db)
        }
        let report = try StoreBackup.verify(
            partial.path,
            failure: "the restored store failed its check and was deleted"
        )
        // Those that a reader of the store before has left.
        for suffix in ["-wal", "-shm"] { unlink(target + suffix) }
        try place(partial, at: target)
        StoreWitness(store: target)?.write(StoreWitness.Record(progress: progress))
        return report
    }

    /// Makes a witness before the rename: a store without one counts as one that has lost it. Without overwriting, the file
    /// would have two names for a moment.
    private static func place(_ partial: PartialFile, at target: String) throws(FavoritesStoreOpenError) {
        let isNew = StoreWitness.make(of: target)
        do {
            try partial.placeCopy(overwriting: true)
        } catch {
            if isNew { StoreWitness.remove(of: target) }
            throw error
        }
    }

    private static func refuse(_ copy: String, _ store: String) throws(FavoritesStoreOpenError) {
        let files = FileManager.default
        guard files.fileExists(atPath: copy) else {
            throw FavoritesStoreOpenError("no copy at \(copy)")
        }
        guard FilePath.resolved(copy) != FilePath.resolved(store) else {
            throw FavoritesStoreOpenError("\(copy) is the store itself")
        }
        let target = FilePath.resolved(store)
        let old = ["", "-wal", "-journal"].first { suffix in
            suffix == "-wal" ? StorePresence.hasLog(target) : files.fileExists(atPath: target + suffix)
        }
        guard let old else { return }
        throw FavoritesStoreOpenError("a store exists at \(store)\(old): move its files away first")
    }
}
