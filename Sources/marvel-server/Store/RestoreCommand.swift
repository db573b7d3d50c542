import ArgumentParser
import FavoritesSQLite

/// The command `marvel-server restore COPY STORE`.
struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restores a store from a copy.",
        discussion: """
            No server may have the store open. The copy is verified first, and is not changed. The store gets a new \
            history: its revisions continue at a multiple of 2^32, and watchers get their lists anew.
            """
    )

    @Argument(help: "A copy that `backup` made.")
    var copy: String

    @Argument(help: "The store's file.")
    var store: String

    @Flag(help: "Replace the store that is there.")
    var overwrite = false

    func run() throws {
        do {
            print(try StoreRestore.restore(copy, to: store, overwriting: overwrite).text)
        } catch {
            printError("\(error)")
            throw ExitCode.failure
        }
    }
}
