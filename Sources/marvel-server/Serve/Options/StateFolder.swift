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

    /// Returns the path of the file of edits beside a store.
    static func edits(besideStore store: String) -> String { file("edits.sqlite", besideStore: store) }

    /// Returns the path of the file of tokens beside a store.
    static func tokens(besideStore store: String) -> String { file("tokens.json", besideStore: store) }

    private static func file(_ name: String, besideStore store: String) -> String {
        URL(fileURLWithPath: store).deletingLastPathComponent().appending(path: name).path
    }
}
