internal import Foundation
package import MarvelDomain
internal import SQLiteFiles

/// Restores a store from a copy. No server may have the store open meanwhile.
package enum StoreRestore {
    /// Restores a store from a copy made by `backup`, or from another store, which is not changed. Before it gets the
    /// store's name, the copy is verified, and gets a new history above all known revisions. Until then the name is the
    /// old store's, and then the new one's: a killed process leaves one of them whole. The next restore removes its
    /// other files.
    ///
    /// - Throws: An error if it fails; then the store is unchanged.
    package static func restore(
        _ copy: String,
        to store: String,
        overwriting: Bool = false
    ) throws(FavoritesStoreOpenError) -> StoreReport {
        try refuse(copy, store, overwriting)
        let lock = try StoreLock(store: store, address: nil)
        defer { lock.abandon() }
        _ = try StoreBackup.verify(copy, failure: "the copy \(copy) failed its check, and nothing was changed")
        let target = FilePath.resolved(store)
        let partial = try PartialFile.copy(to: target)
        defer { partial.remove() }
        try StoreBackup.write(copy, into: partial, for: store)
        let floor = highestRevision(of: target)
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
        try StoreReplacement.replace(target, by: partial)
        StoreWitness(store: target)?.write(StoreWitness.Record(progress: progress))
        return report
    }

    private static func refuse(
        _ copy: String,
        _ store: String,
        _ overwriting: Bool
    ) throws(FavoritesStoreOpenError) {
        let files = FileManager.default
        guard files.fileExists(atPath: copy) else {
            throw FavoritesStoreOpenError(.notAStore, "no copy at \(copy)")
        }
        guard FilePath.resolved(copy) != FilePath.resolved(store) else {
            throw FavoritesStoreOpenError(.invalidSetting, "\(copy) is the store itself")
        }
        let old = ["", "-wal", StoreReplacement.suffix].first { files.fileExists(atPath: store + $0) }
        guard overwriting || old == nil else {
            throw FavoritesStoreOpenError(
                .invalidSetting,
                "a store exists at \(store)\(old ?? ""): move its files away to keep them, or replace it with "
                    + "--overwrite"
            )
        }
    }

    /// The highest known revision of the store at `path`. For a damaged or missing store, this is the revision in the
    /// witness.
    private static func highestRevision(of path: String) -> Int64 {
        let witnessed = StoreWitness.record(of: path).progress?.revision ?? 0
        let db = try? StoreConnection.openReadOnly(path)
        let ofLists = try? db?.value("SELECT max(revision) FROM lists", as: Int64.self)
        // Stores before version 7 of the schema have no such table.
        let ofEdits = try? db.map(EditsTable.newestRevision)
        return max(0, witnessed, ofLists ?? 0, ofEdits ?? 0)
    }
}
