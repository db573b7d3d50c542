import ArgumentParser
import FavoritesSQLite

/// `marvel-server backup STORE TO`.
struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copies a store to another file.",
        discussion: """
            A server may have the store open: all that it acknowledged before is in the copy. The copy is verified, and \
            has its name only when it is whole. A server starts on it as on any store.
            """
    )

    @Argument(help: "The store's file.")
    var store: String

    @Argument(help: "Where the copy goes.")
    var to: String

    @Flag(help: "Replace a file that is there.")
    var overwrite = false

    func run() throws {
        do {
            print(try StoreBackup.copy(store, to: to, overwriting: overwrite).text)
        } catch {
            printError("\(error)")
            throw ExitCode.failure
        }
    }
}
