import ArgumentParser
import FavoritesSQLite

/// `marvel-server restore COPY STORE`.
struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Puts a store back from a copy.",
        discussion: """
            No server may have the store open. The copy is verified first, and is not changed. The store gets a new \
            history: its revisions go on at a multiple of 2^32, and whoever watches a list gets it as it is now.
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
