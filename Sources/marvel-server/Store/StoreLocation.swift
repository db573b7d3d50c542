import ArgumentParser
import CatalogFiles
import FavoritesPostgres
import FavoritesSQLite
import Glibc
import MarvelDomain

enum StoreLocation: ExpressibleByArgument {
    case file(String)
    /// It is parsed only at its use, because the parser's messages would show a password in it.
    case database(String)

    static let help: ArgumentHelp = "The store's file, or the address of its database (postgresql://...)."

    /// For a list of a new database, as for a server.
    static let defaultCapacity = 5

    init(argument: String) {
        self = DatabaseAddress.isAddress(argument) ? .database(argument) : .file(argument)
    }

    /// It contains no password if the store could be opened.
    var name: String {
        switch self {
        case .file(let name), .database(let name): name
        }
    }

    /// Opens a store, changes it, and closes it. No server may have a file open. Unless `isCreating`, a file must exist.
    ///
    /// - Throws: A reason for the operator if the store cannot be opened, or the error of `body`.
    func change<Result>(
        isCreating: Bool = false,
        _ body: (any ServedStore & ListTarget) async throws -> Result
    ) async throws -> Result {
        let store: any ServedStore & ListTarget
        switch self {
        case .file(let path):
            store = try SQLiteFavoritesStore.forOperator(path, isCreating: isCreating) { printError($0) }
        case .database(let address):
            store = try PostgresFavoritesStore.forOperator(DatabaseAddress(address), now: { .systemClock() })
        }
        do {
            let result = try await body(store)
            await store.close()
            return result
        } catch {
            await store.close()
            throw error
        }
    }
}

/// The cache file with the pictures of favorites that belong to a store.
struct PictureOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The server's cache file, with the pictures of favorites. (default: the name of a store's file and .cache)",
            valueName: "file"
        )
    )
    var cache: String?

    func path(beside store: String) -> String { cache ?? PinnedPicturesCopy.path(beside: store) }

    /// Refuses a missing named file: a copy without pictures would look whole.
    func requireFile() throws {
        guard let cache, access(cache, F_OK) != 0 else { return }
        throw ValidationError("No cache file at \(cache).")
    }
}

extension PinnedPicturesCopy {
    /// Calls `body` with each pinned picture, and warns if not all can be read.
    static func readWarning(_ path: String, _ body: (KeptPicture) throws -> Void) throws {
        guard try !read(path, body) else { return }
        printError("\(path) is damaged: only the readable pictures of favorites were copied")
    }

    static func report(_ count: Int, in path: String) {
        if count > 0 { printError("the pictures of \(count) favorites are in \(path)") }
    }
}
