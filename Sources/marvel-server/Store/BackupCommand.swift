import ArgumentParser
import FavoritesSQLite

/// The command `marvel-server backup STORE TO`.
struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copies a store to another file.",
        discussion: """
            A server may have the store open: all that it acknowledged before is in the copy. The copy is verified, \
            and gets its name only when it is complete. A server can open it like any store.
            """
    )

    @Argument(help: "The store's file.")
    var store: String

    @Argument(help: "The file to write the copy to.")
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
