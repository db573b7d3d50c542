import ArgumentParser
import CatalogFiles
import FavoritesPostgres
import FavoritesSQLite
import MarvelDomain

struct CopyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Moves a store from a file into a database, or back.",
        discussion: """
            All servers of both stores must be stopped. The new store has the same history as the old one, with its \
            revisions, changes, answers and edits of characters: watchers continue from their places, and a request that is \
            repeated gets its answer. It is verified before it appears. A file must not exist yet, and a database must be \
            empty.

            The pictures of favorites move from the cache file of a store in a file into the database, from where each \
            server takes them into its own cache file; those that a server of an earlier version left in the database move \
            into the cache file of the new store (--cache).

            The old store is not changed. Do not serve it again: the two histories would diverge.
            """
    )

    @Argument(help: "The old store: a file, or the address of a database (postgresql://...).")
    var from: StoreLocation

    @Argument(help: "The new store: a file, or the address of a database.")
    var to: StoreLocation

    @Option(help: "How many favorites a list of a new database may hold. (default: as in the old database, or 5)")
    var capacity: Int?

    @OptionGroup var pictures: PictureOptions

    func validate() throws {
        switch (from, to) {
        case (.file, .file): throw ValidationError("One of the stores is in a database: `backup` copies a file.")
        case (.database, .file) where capacity != nil:
            throw ValidationError("--capacity is for a database. For a file, it is an option of the server.")
        case (.database, .database) where pictures.cache != nil:
            throw ValidationError("--cache is for a store in a file.")
        default: break
        }
        if case .file = from { try pictures.requireFile() }
    }

    func run() throws {
        print(try copy().text)
        if case (.database, .file) = (from, to) {
            printError("start the server with this --capacity: a file does not store it")
        }
    }

    private func copy() throws -> StoreReport {
        switch from {
        case .file(let path): try StoreFileSource.read(path, isStopped: true, write)
        case .database(let address): try DatabaseSource.read(DatabaseAddress(address), isStopped: true, write)
        }
    }

    private func write(_ source: some RecordSource) throws -> StoreReport {
        switch to {
        case .file(let path):
            return try StoreFileTarget.write(to: path, source.facts, isCopy: false) { target in
                try source.forEachRecord(target.write)
                let cache = pictures.path(beside: path)
                let count = try PinnedPicturesCopy.add(to: cache) { try source.forEachPicture($0) }
                PinnedPicturesCopy.report(count, in: cache)
            }
        case .database(let address):
            let capacity = capacity ?? source.facts.capacity ?? StoreLocation.defaultCapacity
            return try DatabaseTarget.write(
                to: DatabaseAddress(address),
                source.facts,
                capacity: capacity,
                beginsHistory: false
            ) { target in
                try source.forEachRecord(target.write)
                if case .file(let path) = from {
                    try PinnedPicturesCopy.readWarning(pictures.path(beside: path)) { try target.write($0) }
                }
                try source.forEachPicture { try target.write($0) }
            }
        }
    }
}
