internal import Foundation
internal import GRDB
internal import MarvelDomain

/// A store that was found whole, brought to the newest schema and to its capacity, and read into memory.
struct OpenedStore {
    /// Nil in memory, as are `files` and `witness`.
    let lock: StoreLock?
    let files: StoreFiles?
    let witness: StoreWitness?
    let database: any DatabaseWriter
    let state: StoreState
    /// What was found in it, before a lowered capacity changed anything.
    let report: StoreReport

    /// Opens or creates the store at `path`. Everything that is refused is refused before a byte of it changes.
    static func atPath(
        _ path: String,
        limits: StoreLimits,
        durability: StoreDurability,
        address: String?
    ) throws(FavoritesStoreOpenError) -> OpenedStore {
        let lock = try StoreLock(store: path, address: address)
        do {
            try StoreInspection.inspect(path)
            try lock.makeStore()
            lock.makePrivate()
            let database = try StoreConnection.open(path, durability: durability)
            do {
                return try OpenedStore(path: path, lock: lock, database: database, limits: limits)
            } catch {
                try? database.close()
                throw error
            }
        } catch {
            lock.abandon()
            throw FavoritesStoreOpenError(opening: path, error)
        }
    }

    static func inMemory(limits: StoreLimits = StoreLimits()) throws(FavoritesStoreOpenError) -> OpenedStore {
        do {
            let database = try StoreConnection.openInMemory()
            return try OpenedStore(path: nil, lock: nil, database: database, limits: limits)
        } catch {
            throw FavoritesStoreOpenError(opening: "in memory", error)
        }
    }

    private init(
        path: String?,
        lock: StoreLock?,
        database: any DatabaseWriter,
        limits: StoreLimits
    ) throws {
        let record = path.map(StoreWitness.record) ?? StoreWitness.Record()
        files = path.flatMap { path in lock.map { StoreFiles(path: path, lock: $0) } }
        // What was locked is what was opened.
        try files?.verify()
        self.lock = lock
        self.database = database
        (state, report) = try database.writeWithoutTransaction { db in
            try StoreSchema.migrate(db)
            var report = try db.reading { try StoreAudit.audit(db, witness: record.account) }
            report.note(earlierLosses: record.losses)
            report.renewal = try HistoryRenewal.renewIfDue(report, record.account, in: db)
            var lists = try ListsTable.all(in: db)
            try CapacityChange.apply(limits, to: &lists, in: db)
            // What a failed sync left in the kernel's memory alone is so written anew, and synced.
            if path != nil { try db.checkpoint(.passive) }
            return (try StoreState(reading: db, lists: lists, maximumLogBytes: limits.logBytes), report)
        }
        witness = path.flatMap(StoreWitness.init)
        let last = record.account?.list ?? .default
        let moment = Date.now.formatted(.iso8601)
        witness?.write(
            StoreWitness.Record(
                account: StoreWitness.Account(state, last: last, state.lists[last] ?? ListState()),
                losses: record.losses + report.losses.map { "\(moment): \($0)" }
            )
        )
    }
}
