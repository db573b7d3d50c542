internal import SQLiteFiles
internal import Synchronization

extension SQLiteFavoritesStore {
    /// The pages of 4 KiB above which a checkpoint waits for the readers of this process: 16 MiB.
    private static let largeLog = 4_096
    /// The pages of 4 KiB above which the operator gets a message: 64 MiB.
    private static let hugeLog = 16_384

    func checkpointIfDue(in db: Database) {
        guard refusal == nil, log.beginCheckpoint() else { return }
        if let pageCount = checkpoint(db, .passive), pageCount > Self.largeLog { checkpointWithoutReaders() }
    }

    /// Makes a checkpoint while no reader of this process is active.
    ///
    /// A log starts over only when all of it was copied. A reader prevents the copying of pages that were written after
    /// it began. Readers that always overlap would let the log grow without limit. New readers wait until this is done.
    /// The checkpoint is passive, so that it does not wait for a reader in another process.
    private func checkpointWithoutReaders() {
        database.writeWithoutReaders { [self] db in
            guard let pageCount = checkpoint(db, .passive), pageCount > Self.hugeLog else { return }
            onError("the log has \(pageCount) pages: a reader of the store keeps it from being truncated")
        }
    }

    /// Returns the number of pages in the log if some could not be copied; nil also if the checkpoint failed, which was
    /// reported to the operator.
    @discardableResult
    func checkpoint(_ db: Database, _ mode: Database.CheckpointMode) -> Int? {
        do {
            let (pageCount, copiedCount) = try db.checkpoint(mode)
            log.checkpointEnded()
            return copiedCount < pageCount ? pageCount : nil
        } catch {
            _ = fault(error, in: "a checkpoint")
            return nil
        }
    }
}
