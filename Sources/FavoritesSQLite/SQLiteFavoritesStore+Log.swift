internal import GRDB
internal import Synchronization

/// Checkpoints: copying the write-ahead log into the store's file, so that the log starts over and does not grow for ever.
extension SQLiteFavoritesStore {
    /// Pages of 4 KiB in a log that readers of this process have kept from starting over: 16 MiB.
    private static let largeLog = 4_096
    /// Pages of 4 KiB in a log of which the operator is told: 64 MiB.
    private static let hugeLog = 16_384

    /// Copies the log if enough was written since the last time. On the writer's queue.
    func checkpointIfDue(in db: Database) {
        guard state.withLock({ $0.beginCheckpoint() }) else { return }
        guard let result = checkpoint(db, .passive) else { return }
        if result.isIncomplete, result.frameCount > Self.largeLog { checkpointWithoutReaders() }
    }

    /// Copies the log while no reader of this process is at work.
    ///
    /// A log starts over only when it was copied whole, and a reader keeps what was written since it began from being
    /// copied: readers that overlap without end would let the log grow without end. New ones wait until this is done.
    /// Passive, so that a reader in another process is not waited for.
    private func checkpointWithoutReaders() {
        database.asyncBarrierWriteWithoutTransaction { [self] db in
            guard let db = try? db.get(), let result = checkpoint(db, .passive) else { return }
            guard result.isIncomplete, result.frameCount > Self.hugeLog else { return }
            onError(
                "the log has \(result.frameCount) pages: a program that reads the store keeps it from starting over"
            )
        }
    }

    /// - Returns: What was done; nil if the checkpoint failed, which the operator has been told.
    @discardableResult
    func checkpoint(_ db: Database, _ mode: Database.CheckpointMode) -> CheckpointResult? {
        do {
            let (frameCount, copiedCount) = try db.checkpoint(mode)
            state.withLock { $0.logFrameCount = frameCount }
            return CheckpointResult(frameCount: frameCount, copiedCount: copiedCount)
        } catch {
            _ = fault(error, in: "a checkpoint")
            return nil
        }
    }
}

/// The pages of a log, and how many of them have been copied into the store's file.
struct CheckpointResult {
    var frameCount: Int
    var copiedCount: Int

    var isIncomplete: Bool { copiedCount < frameCount }
}
