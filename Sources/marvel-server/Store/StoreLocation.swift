import ArgumentParser
import FavoritesPostgres
import FavoritesSQLite
import Foundation
import Glibc
import MarvelDomain
import RPCCore

enum StoreLocation: ExpressibleByArgument {
    case file(String)
    /// Parsed only at its use, because the parser's messages would show a password in it.
    case database(String)

    static let help: ArgumentHelp = "The store's file, or the address of its database (postgresql://...)."

    static let fileHelp: ArgumentHelp = "The store's file."

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

    /// - Throws: `ValidationError` for a database.
    func file() throws -> String {
        guard case .file(let path) = self else {
            throw ValidationError(
                "The store is in a database: use pg_dump and pg_restore, or `lists --export` and `lists --import`."
            )
        }
        return path
    }

    /// Opens a store, changes it, and closes it. No server may have a file open. Unless `isCreating`, the store must exist.
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
            let address = try DatabaseAddress(address)
            store = try PostgresFavoritesStore.forOperator(address, isCreating: isCreating, now: { .systemClock() })
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

/// The default folder for the server's durable files.
enum StateFolder {
    /// In $STATE_DIRECTORY, or in the folder of this user's state, which is created if necessary. `StartupError` names
    /// `option`, the way to choose another file.
    static func defaultStore(insteadOf option: String = "--store") throws(StartupError) -> String {
        let environment = ProcessInfo.processInfo.environment
        let folder: String
        if let given = environment["STATE_DIRECTORY"], !given.isEmpty {
            folder = given
        } else {
            let home = FileManager.default.homeDirectoryForCurrentUser.path
            // The XDG Base Directory Specification ignores empty and relative paths.
            let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            folder = (state ?? home + "/.local/state") + "/marvel-rpc"
        }
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw StartupError(.storage, "cannot create the folder \(folder): choose a file with \(option)")
        }
        return folder + "/favorites.sqlite"
    }

    /// The token file of the installed service, for root and the owner of its files, and otherwise that beside
    /// `defaultStore`.
    static func tokensOfServer() throws(StartupError) -> String {
        let isGiven = ProcessInfo.processInfo.environment["STATE_DIRECTORY"]?.isEmpty == false
        let user = geteuid()
        var status = stat()
        guard !isGiven, stat(InstalledService.state, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
            user == status.st_uid || user == 0
        else { return tokens(besideStore: try defaultStore(insteadOf: "--tokens")) }
        return InstalledService.state + "/tokens.json"
    }

    static func tokens(besideStore store: String) -> String {
        URL(fileURLWithPath: store).deletingLastPathComponent().appending(path: "tokens.json").path
    }
}

enum InstalledService {
    static let settings = "/etc/marvel-server/config.yaml"
    static let state = "/var/lib/marvel-server"
}
