internal import Glibc
internal import SQLiteFiles
internal import Synchronization

/// The write-ahead log of a store: its size after each commit, and the decision about checkpoints. They copy its pages
/// into the store's file, so that it starts over and does not grow without limit.
final class WriteAheadLog: Sendable {
    private let path: String
    private let growth = Mutex(LogGrowth())

    init(store path: String) { self.path = path }

    /// After the last commit. It decreases when the log has started over.
    var pageCount: Int { growth.withLock(\.pageCount) }

    func follow(_ writer: Database) {
        writer.observeLog { [self] pageCount in growth.withLock { $0.committed(pageCount: pageCount) } }
    }

    func beginCheckpoint() -> Bool { growth.withLock { $0.beginCheckpoint(freePageCount: freePageCount) } }

    /// Readers may have kept it from copying all pages.
    func checkpointEnded() { growth.withLock { $0.checkpointEnded() } }

    func failed() { growth.withLock { $0.failed() } }

    /// The pages for which the disk has space.
    private func freePageCount() -> Int {
        var disk = statvfs()
        guard statvfs(path, &disk) == 0 else { return .max }
        return Int(clamping: disk.f_bavail.multipliedReportingOverflow(by: disk.f_frsize).partialValue / 4_096)
    }
}

/// The growth of a log since the last checkpoint, and the decision when the next one is due.
///
/// A checkpoint needs space too, because the store's file grows by the pages that are only in the log. If the log
/// filled a disk, it could never start over, and would also take space that is freed later. So it leaves as much space
/// as it has new pages. Others may fill the disk. Then the first of several failures makes a checkpoint due. It
/// succeeds if the store's file does not have to grow. The first successful commit after them makes another one due.
struct LogGrowth {
    /// The pages of 4 KiB between two checkpoints: 8 MiB.
    static let interval = 2_048
    /// The pages between two checkpoints on a disk without free space: 256 KiB.
    static let shortInterval = 64

    private(set) var pageCount = 0
    /// The pages at the last checkpoint; 0 after the log has started over.
    private var lastCheckpoint = 0
    /// The new pages at which the disk's space is looked up next: a look after each commit took a hundredth of a small
    /// one.
    private var nextLook = LogGrowth.shortInterval
    /// Whether a commit or a checkpoint has failed since the last successful checkpoint.
    private var hasFailed = false
    /// Whether the last failure, or a commit after it, makes a checkpoint due.
    private var isRetryDue = false

    mutating func committed(pageCount: Int) {
        if pageCount < self.pageCount { (lastCheckpoint, nextLook) = (0, Self.shortInterval) }
        self.pageCount = pageCount
        isRetryDue = hasFailed
    }

    mutating func failed() {
        isRetryDue = !hasFailed
        hasFailed = true
    }

    /// Whether a checkpoint is due. The count then starts over. `freePageCount` is the number of pages for which the
    /// disk has space.
    mutating func beginCheckpoint(freePageCount: () -> Int) -> Bool {
        let newPages = pageCount - lastCheckpoint
        let isDue = isRetryDue || newPages >= Self.interval || isSpaceShort(for: newPages, freePageCount)
        if isDue {
            isRetryDue = false
            (lastCheckpoint, nextLook) = (pageCount, Self.shortInterval)
        }
        return isDue
    }

    private mutating func isSpaceShort(for newPages: Int, _ freePageCount: () -> Int) -> Bool {
        guard newPages >= nextLook else { return false }
        let rest = freePageCount().subtractingReportingOverflow(newPages + Self.shortInterval).partialValue
        nextLook = newPages + max(1, min(rest / 2, Self.shortInterval))
        return rest < 0
    }

    /// Readers may have kept it from copying all pages.
    mutating func checkpointEnded() { hasFailed = false }
}
