internal import GRDB
internal import MarvelDomain

/// A store that was found whole, brought to the newest schema and to its capacity, and read into memory.
struct OpenedStore {
    /// Nil in memory, as are `files` and `witness`.
    let lock: StoreLock?
    let files: StoreFiles?
    let witness: StoreWitness?
    let database: any DatabaseWriter
    let lists: [ListName: ListState]
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
        try StoreInspection.inspect(path)
        let account = StoreWitness.account(of: path)
        do {
            let database = try StoreConnection.open(path, durability: durability)
            return try OpenedStore(path: path, lock: lock, database: database, limits: limits, account: account)
        } catch {
            throw FavoritesStoreOpenError(opening: path, error)
        }
    }

    static func inMemory() throws(FavoritesStoreOpenError) -> OpenedStore {
        do {
            let database = try StoreConnection.openInMemory()
            return try OpenedStore(path: nil, lock: nil, database: database, limits: StoreLimits(), account: nil)
        } catch {
            throw FavoritesStoreOpenError(opening: "in memory", error)
        }
    }

    private init(
        path: String?,
        lock: StoreLock?,
        database: any DatabaseWriter,
        limits: StoreLimits,
        account: StoreWitness.Account?
    ) throws {
        self.lock = lock
        self.database = database
        (lists, report) = try database.writeWithoutTransaction { db in
            try StoreSchema.migrate(db)
            let report = try db.reading { try StoreAudit.audit(db, witness: account) }
            var lists = try ListsTable.all(in: db)
            try CapacityChange.apply(limits, to: &lists, in: db)
            // What a failed sync left in the kernel's memory alone is so written anew, and synced.
            if path != nil { try db.checkpoint(.passive) }
            return (lists, report)
        }
        files = path.map(StoreFiles.init)
        witness = path.flatMap(StoreWitness.init)
        let last = account?.list ?? .default
        witness?.write(StoreWitness.Account(StoreState(lists: lists), last: last))
    }
}

extension StoreWitness.Account {
    /// What `state` has come to, the last change having been one of `list`.
    init(_ state: StoreState, last list: ListName) {
        let last = state.lists[list] ?? ListState()
        self.init(changeCount: state.changeCount, list: list, revision: last.revision, digest: last.digest)
    }
}
