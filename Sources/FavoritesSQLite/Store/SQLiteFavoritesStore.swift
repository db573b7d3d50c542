internal import Dispatch
internal import FavoritesEngine
internal import Foundation
package import MarvelDomain
internal import SQLiteFiles
internal import Synchronization

/// A store of favorites in one SQLite file.
///
/// `FavoritesEngine` decides, and one connection writes its decisions, on a queue of its own; others read. Requests
/// that arrive during a commit share the next one. Each is answered after its transaction is on disk (WAL,
/// `synchronous=FULL`). Only then do readers see it, and the feed has its event.
///
/// A request that the writer has begun commits or fails as a whole, even if its caller is cancelled; repeating it with
/// its key shows the result. A request that was cancelled or whose deadline passed before that is not begun.
///
/// After a failed sync (`SQLITE_IOERR_FSYNC`), or damage of the file, the store accepts no changes until it is opened
/// again: each change is refused with `.notWritable`, and reads continue. The changes whose sync failed may be there
/// after reopening: they are answered with `.outcomeUnknown`. After any other error, for example a full disk, the next
/// change is attempted.
package final class SQLiteFavoritesStore: DrivenStore, Sendable {
    let limits: StoreLimits
    let now: @Sendable () -> Timestamp
    let instant: @Sendable () -> ContinuousClock.Instant
    let onError: @Sendable (String) -> Void
    private let onRefusal: @Sendable (String) -> Void
    let files: StoreFiles
    let witness: StoreWitness?
    let log: WriteAheadLog
    let state: Mutex<StoreState>
    /// It is locked for each of its functions, and not while its steps are carried out.
    let engine: Mutex<FavoritesEngine>
    let driver: FavoritesDriver
    let writerThread = WriterThread()
    let commitTimes = DurationHistogram()
    let waitingEdits = Atomic(0)
    package let feed = StoreFeed()
    let tables: StoreTables
    let database: DatabasePool
    /// It is declared after the connections, so that it is also released after them.
    private let lock: StoreLock
    /// Whether the connections are open. It is locked during an interrupt.
    private let isOpen = Mutex(true)

    /// The audit at opening: the contents of the store, and its inconsistencies. A store that lost changes is served as
    /// it is: refusing to serve would not restore them.
    package let openingReport: StoreReport

    /// Opens or creates the store at `path`. It locks the store against other servers until it is closed or the process
    /// ends.
    ///
    /// It reads the whole file, and blocks meanwhile: call it before serving.
    ///
    /// - Parameters:
    ///   - path: The store's file. The files beside it are `PATH-wal`, `PATH-shm`, `PATH.lock` and `PATH.witness`.
    ///   - capacity: The maximum of favorites on a list, 1 to 100. A longer list keeps them until its next save.
    ///   - maximumLists: The maximum number of lists.
    ///   - maximumListsPerOwner: The maximum number of lists of an owner with a name; 0 sets no limit.
    ///   - retention: The number of answers and changes that are kept.
    ///   - durability: The failures that an acknowledged toggle survives; less than `full` only for an operator's
    ///     request.
    ///   - address: The address of this server, for the message to a second one that tries to open the same store.
    ///   - move: Moves an earlier version's pictures of favorites into the cache file; nil to leave them. After a
    ///     failure they stay, and the next opening tries again.
    ///   - now: The wall clock.
    ///   - onError: Called with a line for the operator's log, with details that callers do not get.
    ///   - onRefusal: Called once, with the reason, when the store accepts no more changes until it is opened again.
    /// - Throws: The reason for the operator. A refused file is not changed.
    package convenience init(
        path: String,
        capacity: Int = 5,
        maximumLists: Int = 100_000,
        maximumListsPerOwner: Int = 100,
        retention: StoreRetention = StoreRetention(),
        durability: StoreDurability = .full,
        address: String? = nil,
        movingPictures move: PictureMove? = nil,
        now: @escaping @Sendable () -> Timestamp = { .systemClock() },
        onError: @escaping @Sendable (String) -> Void = { _ in },
        onRefusal: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(FavoritesStoreOpenError) {
        let limits = StoreLimits(
            capacity: capacity,
            maximumLists: maximumLists,
            maximumListsPerOwner: maximumListsPerOwner,
            retention: retention
        )
        try limits.validate()
        let opened = try OpenedStore.atPath(
            path,
            limits: limits,
            durability: durability,
            address: address,
            movingPictures: move
        )
        self.init(opened, limits: limits, now: now, onError: onError, onRefusal: onRefusal)
    }

    init(
        _ opened: OpenedStore,
        limits: StoreLimits,
        now: @escaping @Sendable () -> Timestamp,
        instant: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        onError: @escaping @Sendable (String) -> Void = { _ in },
        onRefusal: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.limits = limits
        self.now = now
        self.instant = instant
        self.onError = onError
        self.onRefusal = onRefusal
        lock = opened.lock
        files = opened.files
        witness = opened.witness
        openingReport = opened.report
        tables = opened.tables
        database = opened.database
        log = opened.log
        state = Mutex(opened.state)
        engine = Mutex(
            FavoritesEngine(
                limits.engine,
                history: opened.state.history.id,
                base: opened.state.history.base,
                listCount: opened.listCount
            )
        )
        driver = FavoritesDriver(limits: limits.inbox, now: now, instant: instant)
        writerThread.start { [weak self] in self?.takeTurns() }
    }

    deinit { writerThread.end() }

    /// Nil while it accepts changes.
    package var refusal: StoreError? { state.withLock { $0.refusal } }

    /// The reason that the last change failed, for example a full disk; nil after one that was committed. The next
    /// change is tried, unless there is a `refusal`.
    package var writeFailure: String? { state.withLock(\.writeFailure) }

    /// In pages of 4 KiB. The log starts over when all pages were copied; it grows during the long read of another
    /// program.
    package var logPageCount: Int { log.pageCount }

    package var listCount: Int { engine.withLock(\.listCount) }

    /// The lists that were found damaged since the store was opened. They are refused.
    package var damagedListCount: Int { state.withLock(\.damagedLists.count) }

    /// Since the store was opened. A commit is one transaction for all waiting requests.
    package var commitDurations: HistogramCounts { commitTimes.counts }

    package func noteAddress(_ address: String) { lock.write(address: address) }

    package func interrupt() { isOpen.withLock { if $0 { database.interrupt() } } }

    /// Finishes the earlier toggles, copies the log into the file, and releases the lock.
    ///
    /// All acknowledged toggles are also safe without it; but the file is complete only together with its log.
    package func close() async {
        driver.close(with: .notWritable("the store is closed"))
        await withCheckedContinuation { continuation in
            database.writer.async { [self] db in
                while driver.hasWork(on: self) { driver.turn(on: self) }
                if refusal == nil { checkpoint(db, .truncate) }
                state.withLock { _ = $0.endWriting("the store is closed") }
                continuation.resume()
            }
        }
        await withCheckedContinuation { continuation in
            // It waits for readers, so it needs a thread that may block.
            DispatchQueue.global().async { [self] in
                // This object may be kept a little longer, and must not keep the file open.
                witness?.release()
                isOpen.withLock { $0 = false }
                do {
                    try database.close()
                    lock.release()
                } catch {
                    // Connections are still open, so the lock is kept until the process ends.
                    onError("closing the store failed: \(error)")
                }
                continuation.resume()
            }
        }
    }
}

extension SQLiteFavoritesStore {
    /// Reports an error to the operator, and ends writing if the error requires it.
    func fault(_ error: any Error, in place: String) -> SQLiteFault {
        let fault = SQLiteFault(error)
        onError("\(place) failed: \(error)")
        log.failed()
        if fault.endsWriting { endWriting(fault.text) }
        return fault
    }

    /// Reports an error of a read to the operator, a damaged list or edit only once. Returns the error for the caller.
    func readError(_ error: any Error, in place: String) -> StoreError {
        switch error {
        case let damage as DamagedList:
            note(damage)
            return damage.storeError
        case let damage as DamagedEdit:
            note(damage)
            return .notReadable("\(damage)")
        default: return .notReadable(fault(error, in: place).text)
        }
    }

    func note(_ damage: DamagedList) {
        guard state.withLock({ $0.damagedLists.insert(damage.list).inserted }) else { return }
        step { $0.forget(damage.list) }
        onError("\(damage); the list is refused")
    }

    private func endWriting(_ reason: String) {
        guard state.withLock({ $0.endWriting(reason) }) else { return }
        driver.close(with: .notWritable(reason))
        // Memory no longer says what is on disk, not even to those that would change nothing.
        driver.refuseWaiting(before: nil, with: .notWritable(reason))
        onRefusal(reason)
    }
}

extension Timestamp {
    package static func systemClock() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(seconds: Int64(time.tv_sec), nanoseconds: Int32(time.tv_nsec))
    }
}
