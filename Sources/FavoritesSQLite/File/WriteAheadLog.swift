internal import Glibc
internal import SQLiteFiles
internal import Synchronization

/// The write-ahead log of a store: its size after each commit, and whether its pages are to be copied into the store's
/// file, so that it starts over and does not grow without limit.
final class WriteAheadLog: Sendable {
    private let path: String?
    private let growth = Mutex(LogGrowth())

    /// - Parameter path: The store's file; nil for a store in memory, which has no log.
    init(store path: String?) { self.path = path }

    /// The number of pages in the log after the last commit. It is less than before after the log has started over.
    var pageCount: Int { growth.withLock(\.pageCount) }

    /// Follows the commits of the store's writer.
    func follow(_ writer: Database) {
        writer.observeLog { [self] pageCount in growth.withLock { $0.committed(pageCount: pageCount) } }
    }

    /// Returns whether a checkpoint is due, once.
    func beginCheckpoint() -> Bool { growth.withLock { $0.beginCheckpoint(freePageCount: freePageCount) } }

    /// Notes a checkpoint that did not fail, even if readers kept it from copying all pages.
    func checkpointEnded() { growth.withLock { $0.checkpointEnded() } }

    /// Notes that a commit or a checkpoint has failed.
    func failed() { growth.withLock { $0.failed() } }

    /// The number of pages for which the disk has space.
    private func freePageCount() -> Int {
        var disk = statvfs()
        guard let path, statvfs(path, &disk) == 0 else { return .max }
        return Int(clamping: disk.f_bavail.multipliedReportingOverflow(by: disk.f_frsize).partialValue / 4_096)
    }
}

/// The growth of a log since the last checkpoint, and the decision when the next one is due.
///
/// A checkpoint needs space too, because the store's file grows by the pages that are only in the log. If the log took
/// all space of a disk, it could never start over, and would take what is freed later as well. So it leaves as much space
/// as it has new pages. If others fill the disk, the first of several failures makes a checkpoint due, which succeeds if
/// the store's file does not have to grow, and so does the first commit that succeeds again.
struct LogGrowth {
    /// The number of pages of 4 KiB between two checkpoints: 8 MiB.
    static let interval = 2_048
    /// The number of pages between two checkpoints on a disk that has no space left: 256 KiB.
    static let shortInterval = 64

    /// The number of pages after the last commit.
    private(set) var pageCount = 0
    /// The number of pages at the last checkpoint; 0 after the log has started over.
    private var lastCheckpoint = 0
    /// The number of new pages at which the space of the disk is looked up next: a look after each commit took a hundredth
    /// of a small one.
    private var nextLook = LogGrowth.shortInterval
    /// Whether a commit or a checkpoint has failed since the last checkpoint that did not.
    private var hasFailed = false
    /// Whether the last failure, or a commit after it, makes a checkpoint due.
    private var isRetryDue = false

    /// Notes a commit, after which the log has so many pages.
    mutating func committed(pageCount: Int) {
        if pageCount < self.pageCount { (lastCheckpoint, nextLook) = (0, Self.shortInterval) }
        self.pageCount = pageCount
        isRetryDue = hasFailed
    }

    /// Notes that a commit or a checkpoint has failed.
    mutating func failed() {
        isRetryDue = !hasFailed
        hasFailed = true
    }

    /// Begins a checkpoint if one is due. The count then starts over.
    ///
    /// - Parameter freePageCount: Returns the number of pages for which the disk has space.
    /// - Returns: Whether one is due.
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

    /// Notes a checkpoint that did not fail, even if readers kept it from copying all pages.
    mutating func checkpointEnded() { hasFailed = false }
}
