internal import Dispatch
internal import GRDB
package import MarvelDomain
internal import Synchronization

/// Favorites in one SQLite file.
///
/// One connection writes, on a queue of its own, in the order of the calls; others read. Toggles that arrive while a
/// commit is under way share the next one. Each is answered after its transaction is on disk (WAL, `synchronous=FULL`),
/// and only then do `favoriteIDs` and other readers see it.
///
/// A toggle that the writer has begun commits or fails as a whole, whatever becomes of its caller; sending it again with
/// its request id tells which. One whose caller has left before that (its task was cancelled, or its deadline passed) is
/// not begun.
///
/// When a sync fails (`SQLITE_IOERR_FSYNC`), or the file proves to be damaged, the store takes no more changes until it
/// is opened again: each toggle is refused with `.notWritable`, and reads go on. The toggle whose sync failed was
/// answered with an error, but may be there after opening again. After any other error, a full disk say, the next
/// toggle is tried.
package final class SQLiteFavoritesStore: FavoritesStore, Sendable {
    let limits: StoreLimits
    let now: @Sendable () -> Timestamp
    let instant: @Sendable () -> ContinuousClock.Instant
    let onError: @Sendable (String) -> Void
    private let onRefusal: @Sendable (String) -> Void
    let files: StoreFiles?
    let witness: StoreWitness?
    let state: Mutex<StoreState>
    let inbox: Mutex<ToggleInbox<WaitingToggle>>
    let observer = Mutex<ChangesObserver?>(nil)
    let database: any DatabaseWriter
    /// After the connections, also in what is released with this object: the lock outlives them.
    private let lock: StoreLock?

    /// What the store held when it was opened, and what did not agree in it. A store that lost changes is served as it
    /// is: refusing to would not bring them back.
    package let openingReport: StoreReport

    /// Opens or creates the store at `path`, and holds it against other servers until it is closed or the process ends.
    ///
    /// Reads the whole file, and blocks meanwhile: call it before serving.
    ///
    /// - Parameters:
    ///   - path: The store's file. Beside it are kept `PATH-wal`, `PATH-shm`, `PATH.lock` and
    ///     `PATH.witness`.
    ///   - capacity: How many favorites a list holds, 1 to 100. A list that holds more is trimmed at once,
    ///     oldest first, as one change.
    ///   - maximumLists: How many lists there may be.
    ///   - retention: How many answers and changes are kept.
    ///   - durability: What an acknowledged toggle survives; less than all only when the operator asks for it.
    ///   - address: Where this server can be reached, for a second one that tries to open the same store.
    ///   - now: The wall clock.
    ///   - onError: Called with a line for the operator's log, with the details that callers do not get.
    ///   - onRefusal: Called once, with the reason, when the store takes no more changes until it is opened again.
    /// - Throws: Why not, for the operator. A file that is refused is left as it was.
    package convenience init(
        path: String,
        capacity: Int = 5,
        maximumLists: Int = 100_000,
        retention: StoreRetention = StoreRetention(),
        durability: StoreDurability = .full,
        address: String? = nil,
        now: @escaping @Sendable () -> Timestamp = { .systemClock() },
        onError: @escaping @Sendable (String) -> Void = { _ in },
        onRefusal: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(FavoritesStoreOpenError) {
        let limits = StoreLimits(capacity: capacity, maximumLists: maximumLists, retention: retention)
        try limits.validate()
        let opened = try OpenedStore.atPath(path, limits: limits, durability: durability, address: address)
        self.init(opened, limits: limits, now: now, onError: onError, onRefusal: onRefusal)
    }

    /// A store that ends with this object: for tests and for trying things out. No toggle waits too long for it, however
    /// busy the machine is.
    package static func inMemory(
        capacity: Int = 5,
        maximumLists: Int = 100_000,
        now: @escaping @Sendable () -> Timestamp = { .systemClock() }
    ) throws(FavoritesStoreOpenError) -> SQLiteFavoritesStore {
        let limits = StoreLimits(capacity: capacity, maximumLists: maximumLists)
        try limits.validate()
        let start = ContinuousClock.now
        return SQLiteFavoritesStore(try .inMemory(), limits: limits, now: now, instant: { start })
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
        database = opened.database
        state = Mutex(opened.state)
        inbox = Mutex(ToggleInbox(limits: limits.inbox))
    }

    /// Why no change is taken until the store is opened again; nil while changes are taken.
    package var refusal: StoreError? { state.withLock { $0.refusal } }

    /// How many pages of 4 KiB the log had when it was last copied into the store's file. It starts over when all were
    /// copied; it grows while another program reads the store for long.
    package var logPageCount: Int { state.withLock { $0.logFrameCount } }

    /// Says where this server can be reached, once that is known.
    package func noteAddress(_ address: String) { lock?.write(address: address) }

    /// Finishes the toggles that were called before, copies the log into the file, and lets others open it.
    ///
    /// Without it all that was acknowledged is safe too; only the file is not whole without its log.
    package func close() async {
        await withCheckedContinuation { continuation in
            database.asyncWriteWithoutTransaction { [self] db in
                while commitGroup(in: db) {}
                if refusal == nil { checkpoint(db, .truncate) }
                state.withLock { _ = $0.endWriting("the store is closed") }
                continuation.resume()
            }
        }
        await withCheckedContinuation { continuation in
            // Waits for readers, so it needs a thread that may wait.
            DispatchQueue.global().async { [self] in
                // Who holds this object a little longer holds no file.
                witness?.release()
                do {
                    try database.close()
                    lock?.release()
                } catch {
                    // Connections are left, so the lock is, until the process ends.
                    onError("closing the store failed: \(error)")
                }
                continuation.resume()
            }
        }
    }
}

/// The function that is told of each committed change.
///
/// A struct around the function, not the function itself: a function that a generic container such as `Mutex` holds
/// directly is wrapped once more by every `withLock`, until a call of it overflows the stack.
struct ChangesObserver: Sendable {
    let receive: @Sendable (ListName, FavoritesChange) -> Void
}

extension SQLiteFavoritesStore {
    /// Tells the operator, and ends writing if that is what the error means.
    func fault(_ error: any Error, in place: String) -> SQLiteFault {
        let fault = SQLiteFault(error)
        onError("\(place) failed: \(error)")
        if fault.endsWriting { endWriting(fault.text) }
        return fault
    }

    private func endWriting(_ reason: String) {
        guard state.withLock({ $0.endWriting(reason) }) else { return }
        onRefusal(reason)
    }
}
