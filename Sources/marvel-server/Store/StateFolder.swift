import Foundation
import RPCCore

/// The default folder for the server's durable files.
enum StateFolder {
    /// Returns the default path of the favorites store: in $STATE_DIRECTORY, or in the folder of this user's state.
    ///
    /// The folder is created if it does not exist.
    ///
    /// - Throws: `StartupError` if the folder cannot be created.
    static func defaultStore() throws(StartupError) -> String {
        let environment = ProcessInfo.processInfo.environment
        let folder: String
        if let given = environment["STATE_DIRECTORY"], !given.isEmpty {
            folder = given
        } else {
            let state =
                environment["XDG_STATE_HOME"] ?? FileManager.default.homeDirectoryForCurrentUser.path + "/.local/state"
            folder = state + "/marvel-rpc"
        }
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw StartupError(.storage, "cannot make the folder \(folder) for favorites: name a file with --store")
        }
        return folder + "/favorites.sqlite"
    }

    /// Returns the default path of the favorites store for a command that works on the files of a server: that of the
    /// installed service, if this user may change its files, and otherwise that of `defaultStore`.
    ///
    /// - Parameter asRoot: Whether the command may do so as root, because it leaves the files to their owner.
    /// - Returns: The path.
    /// - Throws: `StartupError` if the folder cannot be created.
    static func storeOfServer(asRoot: Bool) throws(StartupError) -> String {
        let isGiven = ProcessInfo.processInfo.environment["STATE_DIRECTORY"]?.isEmpty == false
        let user = geteuid()
        var status = stat()
        guard !isGiven, stat(InstalledService.state, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
            user == status.st_uid || (asRoot && user == 0)
        else { return try defaultStore() }
        return InstalledService.state + "/favorites.sqlite"
    }

    /// Returns the path of the file of tokens beside a store.
    static func tokens(besideStore store: String) -> String {
        URL(fileURLWithPath: store).deletingLastPathComponent().appending(path: "tokens.json").path
    }
}
