internal import Foundation
internal import SQLiteFiles

/// The replacement of a store by another. A process that is killed at any moment leaves one of them whole.
///
/// A store is one file only if it has no log. So the log of the old one is first copied into its file. Then the new
/// file gets the name in one step. A store whose log cannot be copied is damaged, or not a store: its files are
/// renamed, and removed at the end.
enum StoreReplacement {
    /// The end of the name of an old store while a new one replaces it.
    static let suffix = ".replaced-by-restore"

    private static let logSuffixes = ["-wal", "-journal"]

    /// Replaces a store that no server has open. The new one is synced first, and the folder after it. `target` is the
    /// path after following all links.
    ///
    /// - Throws: An error if it fails; then the old store is there.
    static func replace(_ target: String, by partial: PartialFile) throws(FavoritesStoreOpenError) {
        if try settle(target) {
            try place(partial, at: target)
        } else {
            try setAside(target)
            do {
                try place(partial, at: target)
            } catch {
                putBack(target)
                throw error
            }
        }
        for suffix in [""] + logSuffixes { unlink(target + self.suffix + suffix) }
    }

    /// Makes a witness before the rename: a store without one counts as one that has lost it. After a failure, the old
    /// store has only the witness that it had before.
    private static func place(_ partial: PartialFile, at target: String) throws(FavoritesStoreOpenError) {
        let isNew = StoreWitness.make(of: target)
        do {
            try partial.placeCopy(overwriting: true)
        } catch {
            if isNew { StoreWitness.remove(of: target) }
            throw error
        }
    }

    /// Copies the log of a store into its file, and removes the log.
    ///
    /// - Returns: Whether the store is one file now. If not, it is damaged or not a store.
    /// - Throws: An error if the disk fails, or another program has the store open.
    private static func settle(_ target: String) throws(FavoritesStoreOpenError) -> Bool {
        guard (logSuffixes + ["-shm"]).contains(where: { access(target + $0, F_OK) == 0 }) else { return true }
        // SQLite would delete the log of a store that is missing or empty, and apply the journal of another one.
        guard (try? StorePresence.check(at: target)) == .store else { return false }
        do {
            var settings = Database.Settings()
            settings.timeLimit = Database.readingTime(of: target)
            settings.busyTimeout = StoreConnection.busyTimeout
            let db = try Database(target, settings)
            // The first read fails while another program has the store open. That program could remove the new log at
            // its end.
            try db.execute("PRAGMA locking_mode = EXCLUSIVE; SELECT count(*) FROM sqlite_schema")
            try db.checkpoint(.truncate)
            try db.close()
        } catch let error as DatabaseError where error.failure.isDamage {
            return false
        } catch {
            throw FavoritesStoreOpenError(opening: target, error)
        }
        guard (FilePath.size(of: target + "-wal") ?? 0) == 0 else { return false }
        for suffix in ["-wal", "-shm"] { unlink(target + suffix) }
        return true
    }

    /// Renames the store itself first: without it, no server uses the others.
    private static func setAside(_ target: String) throws(FavoritesStoreOpenError) {
        for suffix in [""] + logSuffixes where rename(target + suffix, target + self.suffix + suffix) != 0 {
            guard errno != ENOENT else { continue }
            let reason = String(cString: strerror(errno))
            putBack(target)
            throw FavoritesStoreOpenError(.notWritable, "cannot rename \(target)\(suffix): \(reason)")
        }
        unlink(target + "-shm")
    }

    private static func putBack(_ target: String) {
        for suffix in logSuffixes + [""] { rename(target + self.suffix + suffix, target + suffix) }
    }
}
