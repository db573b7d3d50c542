internal import Foundation
internal import MarvelDomain
internal import SQLiteFiles

struct OpenedStore {
    let lock: StoreLock
    let files: StoreFiles
    /// Nil if its file cannot be opened.
    let witness: StoreWitness?
    let database: DatabasePool
    let log: WriteAheadLog
    let tables: StoreTables
    let state: StoreState
    let listCount: Int
    let report: StoreReport

    /// Opens or creates the store at `path`. All checks that can refuse it come before the first change of a byte.
    static func atPath(
        _ path: String,
        limits: StoreLimits,
        durability: StoreDurability,
        address: String?,
        movingPictures move: PictureMove? = nil
    ) throws(FavoritesStoreOpenError) -> OpenedStore {
        let lock = try StoreLock(store: path, address: address)
        do {
            try StoreInspection.inspect(path)
            try lock.makeStore()
            lock.makePrivate()
            let database = try StoreConnection.open(path, durability: durability)
            do {
                return try OpenedStore(path: path, lock: lock, database: database, limits: limits, move)
            } catch {
                try? database.close()
                throw error
            }
        } catch {
            lock.abandon()
            throw FavoritesStoreOpenError(opening: path, error)
        }
    }

    private init(
        path: String,
        lock: StoreLock,
        database: DatabasePool,
        limits: StoreLimits,
        _ move: PictureMove?
    ) throws {
        let record = StoreWitness.record(of: path)
        files = StoreFiles(path: path, lock: lock)
        // The locked file must be the opened one.
        try files.verify()
        self.lock = lock
        self.database = database
        log = WriteAheadLog(store: path)
        let last = record.progress?.list ?? .default
        let lastState: ListState
        (tables, state, listCount, lastState, report) = try database.writer.sync { [log] db in
            log.follow(db)
            let loss = try StoreWitness.loss(of: path, record, db)
            // Before the first change, because a store without a witness counts as one that has lost it.
            if loss == nil { StoreWitness.make(of: path) }
            try StoreSchema.migrate(db, movingPictures: move)
            var report = try db.reading { try StoreAudit.audit(db, witness: record.progress) }
            if let loss { report.note(loss: loss) }
            report.note(earlierLosses: record.losses)
            // A command may open a copy in the folder of another store; a server opens its own store.
            let isCopy = try move == nil && StoreHistory.read(db).isCopy
            // Before a new history begins: a start that is refused later would not report the loss again. Afterwards a
            // copy is no longer a copy.
            try OldEdits.check(beside: path, isCopy: isCopy, db)
            report.renewal = try HistoryRenewal.renewIfDue(report, record.progress, in: db)
            let tables = try StoreTables(db)
            report.notices = try OldEdits.takeOver(beside: path, isCopy: isCopy, into: tables)
            // This writes and syncs again the data that a failed sync left only in the kernel's memory.
            try db.checkpoint(.passive)
            let lastState =
                report.damagedLists.contains(last) ? ListState() : try ListsTable.state(of: last, in: db) ?? ListState()
            let state = try StoreState(reading: db, report, limits)
            return (tables, state, try ListsTable.count(in: db), lastState, report)
        }
        witness = StoreWitness(store: path)
        let moment = Timestamp(seconds: Timestamp.systemClock().seconds).rfc3339
        witness?.write(
            StoreWitness.Record(
                progress: StoreWitness.Progress(state, last: last, lastState),
                losses: record.losses + report.losses.map { "\(moment): \($0)" }
            )
        )
    }
}
