import ArgumentParser
import FavoritesPostgres
import FavoritesSQLite
import MarvelDomain

/// The command `marvel-server backup STORE TO`.
struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copies a store to another file.",
        discussion: """
            Servers may have the store open: all that they acknowledged before is in the copy. The copy is verified, \
            and gets its name only when it is complete. A server can open it like any store.

            The copy of a database is such a file too, with everything as of one moment; `restore` brings it back into an \
            empty database. What was written after the copy is not in it: to lose nothing, and for databases of many \
            gigabytes, archive PostgreSQL's log beside a base backup (pg_basebackup).
            """
    )

    @Argument(help: StoreLocation.help)
    var store: StoreLocation

    @Argument(help: "The file to write the copy to.")
    var to: String

    @Flag(help: "Replace a file that is there.")
    var overwrite = false

    func run() throws { print(try copy().text) }

    private func copy() throws -> StoreReport {
        switch store {
        case .file(let path): return try StoreBackup.copy(path, to: to, overwriting: overwrite)
        case .database(let address):
            return try DatabaseSource.read(DatabaseAddress(address), isStopped: false) { source in
                try StoreFileTarget.write(to: to, source.facts, isCopy: true, overwriting: overwrite) { target in
                    try source.forEachRecord(target.write)
                }
            }
        }
    }
}
