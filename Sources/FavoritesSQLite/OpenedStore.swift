internal import GRDB
internal import MarvelDomain

/// A store that was found whole, brought to the newest schema, and read into memory.
struct OpenedStore {
    /// Nil in memory, which no one shares.
    let lock: StoreLock?
    let database: any DatabaseWriter
    let lists: [ListName: ListState]

    /// Opens or creates the store at `path`. Everything that is refused is refused before a byte of it changes.
    static func atPath(
        _ path: String,
        durability: StoreDurability,
        address: String?
    ) throws(FavoritesStoreOpenError) -> OpenedStore {
        let lock = try StoreLock(store: path, address: address)
        try StoreInspection.inspect(path)
        do {
            return try OpenedStore(lock: lock, database: StoreConnection.open(path, durability: durability))
        } catch {
            throw FavoritesStoreOpenError(opening: path, error)
        }
    }

    static func inMemory() throws(FavoritesStoreOpenError) -> OpenedStore {
        do {
            return try OpenedStore(lock: nil, database: StoreConnection.openInMemory())
        } catch {
            throw FavoritesStoreOpenError(opening: "in memory", error)
        }
    }

    private init(lock: StoreLock?, database: any DatabaseWriter) throws {
        self.lock = lock
        self.database = database
        lists = try database.writeWithoutTransaction { db in
            try StoreSchema.migrate(db)
            return try ListsTable.all(in: db)
        }
    }
}
