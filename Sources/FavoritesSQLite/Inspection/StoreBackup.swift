internal import Foundation
package import MarvelDomain
internal import SQLiteFiles

/// A copy of a store to another file, also while a server has the store open. It contains everything that was
/// acknowledged before the copy began. The server's log cannot start over during the copy.
package enum StoreBackup {
    /// Makes a copy beside `target`, verifies and syncs it, and renames it to `target` only if it is valid.
    ///
    /// - Returns: The contents of the copy.
    /// - Throws: An error if it cannot be made, or is not valid, or the store has lost acknowledged changes; then there is
    ///   no copy, and a file at `target` is unchanged.
    package static func copy(
        _ store: String,
        to target: String,
        overwriting: Bool = false
    ) throws(FavoritesStoreOpenError) -> StoreReport {
        try refuse(store, target, overwriting)
        let hadEdits = OldEdits.isPresent(beside: store)
        // Read before the copy is made, which must not be behind it.
        let witness = StoreWitness.record(of: store)
        let partial = try PartialFile.copy(to: target)
        defer { partial.remove() }
        try write(store, into: partial, for: target)
        try markAsCopy(partial.path, of: store, witness)
        // A server has taken the file over meanwhile: the edits may be in neither part of the copy.
        if hadEdits, !OldEdits.isPresent(beside: store) {
            partial.remove()
            return try copy(store, to: target, overwriting: overwriting)
        }
        let report = try verify(partial.path, failure: "the copy of \(store) failed its check and was deleted")
        try partial.placeCopy(overwriting: overwriting)
        return report
    }

    static func write(
        _ store: String,
        into partial: PartialFile,
        for target: String
    ) throws(FavoritesStoreOpenError) {
        do {
            let db = try StoreConnection.openReadOnly(store)
            try StoreInspection.checkIdentity(db, path: store)
            do {
                try db.run("VACUUM INTO ?", partial.path)
            } catch let error as DatabaseError where error.failure != .damaged {
                throw FavoritesStoreOpenError("cannot copy \(store) to \(target): \(error.reason)")
            }
        } catch {
            throw FavoritesStoreOpenError(opening: store, error)
        }
    }

    /// Only the newest schema has the mark, and the edits of a file that was not taken over. So an older copy is first
    /// migrated.
    private static func markAsCopy(
        _ path: String,
        of store: String,
        _ witness: StoreWitness.Record
    ) throws(FavoritesStoreOpenError) {
        try change(path) { db in
            // An empty file is not a store, and does not become one.
            guard try StoreSchema.version(of: db) > 0 else { return }
            let lostWitness = try StoreWitness.loss(of: store, witness, db)
            try StoreSchema.migrate(db)
            let losses =
                try [lostWitness].compactMap(\.self) + witness.losses + (witness.progress?.losses(in: db) ?? [])
            guard losses.isEmpty else {
                throw FavoritesStoreOpenError(
                    "\(store) may lack acknowledged changes, and was not copied: \(losses.joined(separator: "; ")); "
                        + "restore the last copy, or start a server with the store and then run "
                        + "`marvel-server check \(store) --acknowledge`"
                )
            }
            try OldEdits.copy(beside: store, into: db)
            try StoreHistory.markAsCopy(db)
        }
    }

    static func change(_ path: String, _ body: (Database) throws -> Void) throws(FavoritesStoreOpenError) {
        do {
            var settings = Database.Settings()
            settings.timeLimit = Database.readingTime(of: path)
            try body(Database(path, settings))
        } catch {
            throw FavoritesStoreOpenError(opening: path, error)
        }
    }

    /// `failure` begins the error's message if the copy is not whole.
    ///
    /// - Throws: An error if the copy cannot be read, or is not whole.
    static func verify(_ path: String, failure: String) throws(FavoritesStoreOpenError) -> StoreReport {
        let report = try StoreCheck.check(path, needsWitness: false)
        guard report.isWhole else {
            throw FavoritesStoreOpenError("\(failure): \(report.problems.joined(separator: "; "))")
        }
        return report
    }

    /// - Throws: The errors that `copy` throws before it begins.
    private static func refuse(
        _ store: String,
        _ target: String,
        _ overwriting: Bool
    ) throws(FavoritesStoreOpenError) {
        guard try StorePresence.check(at: store) != .absent else {
            throw FavoritesStoreOpenError("no store at \(store)")
        }
        guard FilePath.resolved(store) != FilePath.resolved(target) else {
            throw FavoritesStoreOpenError("\(target) is the store itself")
        }
        try refuse(target: target, overwriting: overwriting)
    }

    /// - Throws: An error if a copy must not be written to the path.
    private static func refuse(target: String, overwriting: Bool) throws(FavoritesStoreOpenError) {
        guard overwriting || !FileManager.default.fileExists(atPath: target) else {
            throw FavoritesStoreOpenError("\(target) already exists and was not replaced: use --overwrite")
        }
        for name in ["\(target)-wal", "\(target)-journal"] where FileManager.default.fileExists(atPath: name) {
            throw FavoritesStoreOpenError("\(name) is the log of another database: choose another file")
        }
    }
}

extension PartialFile {
    /// Creates an unfinished copy of a store.
    static func copy(to target: String) throws(FavoritesStoreOpenError) -> PartialFile {
        do throws(Failure) {
            return try PartialFile(of: target, applicationID: StoreSchema.applicationID)
        } catch {
            throw FavoritesStoreOpenError(writing: target, error)
        }
    }

    func placeCopy(overwriting: Bool) throws(FavoritesStoreOpenError) {
        do throws(Failure) {
            try place(overwriting: overwriting)
        } catch {
            throw FavoritesStoreOpenError(writing: target, error)
        }
    }
}

extension FavoritesStoreOpenError {
    fileprivate init(writing target: String, _ failure: PartialFile.Failure) {
        switch failure {
        case .targetExists: self.init("\(target) was created meanwhile and was not replaced")
        case .system(let reason): self.init("cannot write \(target): \(reason)")
        }
    }
}
