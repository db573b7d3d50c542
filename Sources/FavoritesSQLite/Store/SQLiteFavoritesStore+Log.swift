internal import SQLiteFiles
internal import Synchronization

extension SQLiteFavoritesStore {
    /// The pages of 4 KiB above which a checkpoint waits for the readers of this process: 16 MiB.
    private static let largeLog = 4_096
    /// The pages of 4 KiB above which the operator gets a message: 64 MiB.
    private static let hugeLog = 16_384

    func checkpointIfDue(in db: Database) {
        guard refusal == nil, log.beginCheckpoint() else { return }
        guard let result = checkpoint(db, .passive) else { return }
        if result.isIncomplete, result.frameCount > Self.largeLog { checkpointWithoutReaders() }
    }

    /// Makes a checkpoint while no reader of this process is active.
    ///
    /// A log starts over only when all of it was copied. A reader prevents the copying of pages that were written after
    /// it began. Readers that always overlap would let the log grow without limit. New readers wait until this is done.
    /// The checkpoint is passive, so that it does not wait for a reader in another process.
    private func checkpointWithoutReaders() {
        database.writeWithoutReaders { [self] db in
            guard let result = checkpoint(db, .passive) else { return }
            guard result.isIncomplete, result.frameCount > Self.hugeLog else { return }
            onError(
                "the log has \(result.frameCount) pages: a reader of the store keeps it from being truncated"
            )
        }
    }

    /// Nil if the checkpoint failed, which was reported to the operator.
    @discardableResult
    func checkpoint(_ db: Database, _ mode: Database.CheckpointMode) -> CheckpointResult? {
        do {
            let (frameCount, copiedCount) = try db.checkpoint(mode)
            log.checkpointEnded()
            return CheckpointResult(frameCount: frameCount, copiedCount: copiedCount)
        } catch {
            _ = fault(error, in: "a checkpoint")
            return nil
        }
    }
}

struct CheckpointResult {
    var frameCount: Int
    var copiedCount: Int

    var isIncomplete: Bool { copiedCount < frameCount }
}
