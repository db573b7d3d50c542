import Foundation
import RPCCore

/// Where the server keeps what outlives it, unless it is told otherwise.
enum StateFolder {
    /// The store of favorites: in $STATE_DIRECTORY, or in the folder of this user's state, which is made if need be.
    ///
    /// - Throws: `StartupError`.
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

    /// The edits, beside a store.
    static func edits(besideStore store: String) -> String {
        URL(fileURLWithPath: store).deletingLastPathComponent().appending(path: "edits.sqlite").path
    }
}
