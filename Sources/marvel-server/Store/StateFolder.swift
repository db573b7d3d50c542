import Foundation
import RPCCore

/// The default folder for the server's durable files.
enum StateFolder {
    /// In $STATE_DIRECTORY, or in the folder of this user's state. The folder is created if necessary.
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
            throw StartupError(.storage, "cannot create the folder \(folder) for favorites: choose a file with --store")
        }
        return folder + "/favorites.sqlite"
    }

    /// For a command on the files of a server: the store of the installed service, if this user may change its files,
    /// and otherwise `defaultStore`. `asRoot` means that the command may run as root, because it leaves the files to
    /// their owner.
    ///
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

    static func tokens(besideStore store: String) -> String {
        URL(fileURLWithPath: store).deletingLastPathComponent().appending(path: "tokens.json").path
    }
}

/// The files of the service that the Debian package installs.
enum InstalledService {
    /// The file of settings in its unit.
    static let settings = "/etc/marvel-server/config.yaml"
    /// The folder of its durable files.
    static let state = "/var/lib/marvel-server"
}
