internal import Dispatch
internal import GRDB
package import MarvelDomain
internal import Synchronization

/// Favorites in one SQLite file.
///
/// One connection writes, on a queue of its own, in the order of the calls; others read. A toggle is answered after its
/// transaction is on disk (WAL, `synchronous=FULL`), and only then do `favoriteIDs` and other readers see it.
///
/// Cancelling the task of a call changes nothing about it: once called, a toggle commits or fails as a whole, and
/// sending it again with its request id tells which.
///
/// When a sync fails (`SQLITE_IOERR_FSYNC`), or the file proves to be damaged, the store takes no more changes until it
/// is opened again: each toggle is refused with `.notWritable`, and reads go on. The toggle whose sync failed was
/// answered with an error, but may be there after opening again. After any other error, a full disk say, the next
/// toggle is tried.
package final class SQLiteFavoritesStore: FavoritesStore, Sendable {
    /// Changes between two checkpoints: about 8 MB of log.
    private static let changesPerCheckpoint = 250

    private let limits: StoreLimits
    private let now: @Sendable () -> Timestamp
    private let onError: @Sendable (String) -> Void
    private let lock: StoreLock?
    private let state: Mutex<StoreState>
    let database: any DatabaseWriter

    /// Opens or creates the store at `path`, and holds it against other servers until it is closed or the process ends.
    ///
    /// Reads the whole file, and blocks meanwhile: call it before serving.
    ///
    /// - Parameters:
    ///   - path: The store's file. Beside it are kept `PATH-wal`, `PATH-shm` and `PATH.lock`.
    ///   - capacity: How many favorites a list holds, 1 to 100. A list that holds more is cut to it by its next save.
    ///   - maximumLists: How many lists there may be.
    ///   - address: Where this server can be reached, for a second one that tries to open the same store.
    ///   - now: The wall clock.
    ///   - onError: Called with a line for the operator's log, with the details that callers do not get.
    /// - Throws: Why not, for the operator. A file that is refused is left as it was.
    package convenience init(
        path: String,
        capacity: Int = 5,
        maximumLists: Int = 100_000,
        address: String? = nil,
        now: @escaping @Sendable () -> Timestamp = { .systemClock() },
        onError: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(FavoritesStoreOpenError) {
        let limits = StoreLimits(capacity: capacity, maximumLists: maximumLists)
        try limits.validate()
        self.init(try .atPath(path, address: address), limits: limits, now: now, onError: onError)
    }

    /// A store that ends with this object: for tests and for trying things out.
    package static func inMemory(
        capacity: Int = 5,
        maximumLists: Int = 100_000,
        now: @escaping @Sendable () -> Timestamp = { .systemClock() }
    ) throws(FavoritesStoreOpenError) -> SQLiteFavoritesStore {
        let limits = StoreLimits(capacity: capacity, maximumLists: maximumLists)
        try limits.validate()
        return SQLiteFavoritesStore(try .inMemory(), limits: limits, now: now)
    }

    init(
        _ opened: OpenedStore,
        limits: StoreLimits,
        now: @escaping @Sendable () -> Timestamp,
        onError: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.limits = limits
        self.now = now
        self.onError = onError
        lock = opened.lock
        database = opened.database
        state = Mutex(StoreState(ids: opened.ids))
    }

    /// Why no change is taken until the store is opened again; nil while changes are taken.
    package var refusal: StoreError? { state.withLock { $0.refusal } }

    /// Says where this server can be reached, once that is known.
    package func noteAddress(_ address: String) { lock?.write(address: address) }

    package func favoriteIDs(_ list: ListName) -> [Int64] {
        state.withLock { $0.ids[list] } ?? []
    }

    package func favorites(_ list: ListName) async throws(StoreError) -> FavoritesList {
        try await read { [capacity = limits.capacity] db in
            FavoritesList(
                favorites: try FavoritesTable.favorites(on: list, in: db),
                revision: try ListsTable.revision(of: list, in: db),
                capacity: capacity
            )
        }
    }

    package func toggle(
        _ toggle: Toggle,
        character: MarvelCharacter?
    ) async throws(StoreError) -> ToggleOutcome {
        // Not GRDB's async write: that one rolls back when the caller's task is cancelled, and an answer may be lost.
        let result = await withCheckedContinuation { continuation in
            database.asyncWriteWithoutTransaction { [self] db in
                continuation.resume(returning: commit(toggle, character: character, in: db))
                checkpointIfDue(db)
            }
        }
        return try result.get()
    }

    /// Finishes the toggles that were called before, copies the log into the file, and lets others open it.
    ///
    /// Without it all that was acknowledged is safe too; only the file is not whole without its log.
    package func close() async {
        await withCheckedContinuation { continuation in
            database.asyncWriteWithoutTransaction { [self] db in
                if refusal == nil { checkpoint(db, .truncate) }
                state.withLock { $0.endWriting("the store is closed") }
                continuation.resume()
            }
        }
        await withCheckedContinuation { continuation in
            // Waits for readers, so it needs a thread that may wait.
            DispatchQueue.global().async { [self] in
                do {
                    try database.close()
                } catch {
                    onError("closing the store failed: \(error)")
                }
                lock?.release()
                continuation.resume()
            }
        }
    }
}

extension SQLiteFavoritesStore {
    /// On the writer's queue: one toggle, one transaction.
    private func commit(
        _ toggle: Toggle,
        character: MarvelCharacter?,
        in db: Database
    ) -> Result<ToggleOutcome, StoreError> {
        if let refusal { return .failure(refusal) }
        do {
            let transaction = ToggleTransaction(limits: limits, now: now())
            let effect = try db.committed { try transaction.apply(toggle, character: character, in: db) }
            state.withLock { state in
                state.changesInLog += 1
                if let ids = effect.changedIDs { state.changed(toggle.list, to: ids) }
            }
            return effect.result
        } catch {
            return .failure(.notWritable(fault(error, in: "a toggle").text))
        }
    }

    /// Copies the log into the store file from time to time, so that it does not grow for ever.
    private func checkpointIfDue(_ db: Database) {
        guard state.withLock({ $0.beginCheckpoint(after: Self.changesPerCheckpoint) }) else { return }
        checkpoint(db, .passive)
    }

    private func checkpoint(_ db: Database, _ mode: Database.CheckpointMode) {
        do {
            try db.checkpoint(mode)
        } catch {
            _ = fault(error, in: "a checkpoint")
        }
    }

    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
            database.asyncRead { [self] db in
                let result = Result { try body(db.get()) }
                continuation.resume(
                    returning: result.mapError { .notReadable(fault($0, in: "a read").text) }
                )
            }
        }
        return try result.get()
    }

    private func fault(_ error: any Error, in place: String) -> SQLiteFault {
        let fault = SQLiteFault(error)
        if fault.endsWriting { state.withLock { $0.endWriting(fault.text) } }
        onError("\(place) failed: \(error)")
        return fault
    }
}
