import ArgumentParser
import CatalogFiles
import FavoritesPostgres
import FavoritesSQLite
import MarvelDomain

struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copies a store to another file.",
        discussion: """
            Servers may have the store open: the copy has all changes acknowledged before. The copy is verified, \
            and gets its name only when it is complete. A server can open it like any store.

            The copy of a database is also such a file, a consistent snapshot; `restore` loads it into an \
            empty database. The pictures of favorites, which are in the server's cache file, are in a file beside the copy, \
            whose name is that of the copy and .cache. Each server of a database has such a cache file: name one by --cache.

            Later changes are not in the copy. To lose nothing, and for databases of many \
            gigabytes, archive PostgreSQL's log together with a base backup (pg_basebackup).
            """
    )

    @Argument(help: StoreLocation.help)
    var store: StoreLocation

    @Argument(help: "The file to write the copy to.")
    var to: String

    @OptionGroup var pictures: PictureOptions

    @Flag(help: "Replace an existing file.")
    var overwrite = false

    func validate() throws { try pictures.requireFile() }

    func run() throws { print(try copy().text) }

    private func copy() throws -> StoreReport {
        try PinnedPicturesCopy.refuse(target: PinnedPicturesCopy.path(beside: to), overwriting: overwrite)
        switch store {
        case .file(let path):
            try StoreBackup.refuse(path, to, overwrite)
            try copyPictures { try PinnedPicturesCopy.readWarning(pictures.path(beside: path), $0) }
            return try StoreBackup.copy(path, to: to, overwriting: overwrite)
        case .database(let address):
            return try DatabaseSource.read(DatabaseAddress(address), isStopped: false) { source in
                try StoreFileTarget.write(to: to, source.facts, isCopy: true, overwriting: overwrite) { target in
                    try source.forEachRecord(target.write)
                    try copyPictures { body in
                        try source.forEachPicture(body)
                        if let cache = pictures.cache { try PinnedPicturesCopy.readWarning(cache, body) }
                    }
                }
            }
        }
    }

    private func copyPictures(_ forEachPicture: ((KeptPicture) throws -> Void) throws -> Void) throws {
        let path = PinnedPicturesCopy.path(beside: to)
        let count = try PinnedPicturesCopy.write(to: path, overwriting: overwrite, forEachPicture)
        PinnedPicturesCopy.report(count, in: path)
    }
}
