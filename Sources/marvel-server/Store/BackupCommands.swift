import ArgumentParser
import FavoritesSQLite
import MarvelDomain

struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copies a store in a file to another file.",
        discussion: """
            Servers may have the store open: the copy has all changes acknowledged before. The copy is verified, \
            and gets its name only when it is complete. A server can open it like any store.

            Later changes are not in the copy, and no pictures of favorites: they are in the server's cache file, and \
            servers fetch them again.

            For a store in a database, use PostgreSQL's pg_dump, or pg_basebackup and an archive of its log.
            """
    )

    @Argument(help: StoreLocation.fileHelp)
    var store: StoreLocation

    @Argument(help: "The file to write the copy to.")
    var to: String

    @Flag(help: "Replace an existing file.")
    var overwrite = false

    func validate() throws { _ = try store.file() }

    func run() throws { print(try StoreBackup.copy(store.file(), to: to, overwriting: overwrite).text) }
}

struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restores a store from a copy.",
        discussion: """
            There must be no store yet: to replace one, stop its server, and move the files away first. The copy is \
            verified, and is not changed. The store gets a new history: its revisions continue at a multiple of 2^32, and \
            watchers reload their lists.
            """
    )

    @Argument(help: "A copy that `backup` made.")
    var copy: String

    @Argument(help: StoreLocation.fileHelp)
    var store: StoreLocation

    func validate() throws { _ = try store.file() }

    func run() throws { print(try StoreRestore.restore(copy, to: store.file()).text) }
}
