import ArgumentParser
import CatalogFiles
import FavoritesPostgres
import FavoritesSQLite
import Foundation
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
            return try copyPictures {
                try PinnedPicturesCopy.readWarning(pictures.path(beside: path), $0)
            } after: {
                try StoreBackup.copy(path, to: to, overwriting: overwrite)
            }
        case .database(let address):
            return try DatabaseSource.read(DatabaseAddress(address), isStopped: false) { source in
                try copyPictures { body in
                    try source.forEachPicture(body)
                    if let cache = pictures.cache { try PinnedPicturesCopy.readWarning(cache, body) }
                } after: {
                    try StoreFileTarget.write(to: to, source.facts, isCopy: true, overwriting: overwrite) { target in
                        try source.forEachRecord(target.write)
                    }
                }
            }
        }
    }

    private func copyPictures(
        _ forEachPicture: ((KeptPicture) throws -> Void) throws -> Void,
        after copyStore: () throws -> StoreReport
    ) throws -> StoreReport {
        let path = PinnedPicturesCopy.path(beside: to)
        let (count, report) = try PinnedPicturesCopy.write(
            to: path,
            overwriting: overwrite,
            forEachPicture,
            after: copyStore
        )
        PinnedPicturesCopy.report(count, in: path)
        return report
    }
}

struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restores a store from a copy.",
        discussion: """
            No server may have the store open. The copy is verified first, and is not changed. The store gets a new \
            history: its revisions continue at a multiple of 2^32, and watchers reload their lists.

            A database must be empty: without the schema marvel, or with a store that never had a favorite. If \
            an earlier version made the copy, the edits of characters are in a second file: the name of the copy and \
            .edits.

            The pictures of favorites beside the copy (its name and .cache) are added to the cache file of the server, or to \
            the database, from where each server takes them.
            """
    )

    @Argument(help: "A copy that `backup` made.")
    var copy: String

    @Argument(help: StoreLocation.help)
    var store: StoreLocation

    @OptionGroup var pictures: PictureOptions

    @Flag(help: "Replace the existing store, if it is a file.")
    var overwrite = false

    @Option(help: "How many favorites a list of a database may hold. (default: 5)")
    var capacity: Int?

    func validate() throws {
        switch store {
        case .file: if capacity != nil { throw ValidationError("--capacity is for a store in a database.") }
        case .database:
            if pictures.cache != nil { throw ValidationError("--cache is for a store in a file.") }
            if overwrite { throw ValidationError("--overwrite is for a store in a file: a database must be empty.") }
        }
    }

    func run() throws { print(try restore().text) }

    private var copiedPictures: String { PinnedPicturesCopy.path(beside: copy) }

    private func reportEdits(beside store: String) {
        let files = FileManager.default
        guard !files.fileExists(atPath: copy + ".edits") else { return }
        let folder = URL(filePath: store).deletingLastPathComponent().appending(path: "edits.sqlite").path
        for file in [store + ".edits", folder] where files.fileExists(atPath: file + ".taken-over") {
            printError(
                "\(file).taken-over has edits of characters that a store imported: if the copy is older than that, "
                    + "rename it to \(file) before the next start"
            )
        }
    }

    private func restore() throws -> StoreReport {
        switch store {
        case .file(let path):
            // Before anything is replaced: a copy with unreadable pictures changes nothing.
            try PinnedPicturesCopy.read(copiedPictures) { _ in }
            let report = try StoreRestore.restore(copy, to: path, overwriting: overwrite)
            let cache = pictures.path(beside: path)
            let count = try PinnedPicturesCopy.add(to: cache) { try PinnedPicturesCopy.readWarning(copiedPictures, $0) }
            PinnedPicturesCopy.report(count, in: cache)
            if report.editCount == 0 { reportEdits(beside: path) }
            return report
        case .database(let address):
            return try StoreFileSource.read(copy, isStopped: false) { source in
                try DatabaseTarget.write(
                    to: DatabaseAddress(address),
                    source.facts,
                    capacity: capacity ?? StoreLocation.defaultCapacity,
                    beginsHistory: true
                ) { target in
                    try source.forEachRecord(target.write)
                    try PinnedPicturesCopy.readWarning(copiedPictures) { try target.write($0) }
                    try source.forEachPicture { try target.write($0) }
                }
            }
        }
    }
}

struct CopyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Moves a store from a file into a database, or back.",
        discussion: """
            All servers of both stores must be stopped. The new store has the same history as the old one, with its \
            revisions, changes, answers and edits of characters: watchers continue from their places, and a request that is \
            repeated gets its answer. It is verified before it appears. A file must not exist yet, and a database must be \
            empty.

            The pictures of favorites move from the cache file of a store in a file into the database, from where each \
            server takes them into its own cache file; those that a server of an earlier version left in the database move \
            into the cache file of the new store (--cache).

            The old store is not changed. Do not serve it again: the two histories would diverge.
            """
    )

    @Argument(help: "The old store: a file, or the address of a database (postgresql://...).")
    var from: StoreLocation

    @Argument(help: "The new store: a file, or the address of a database.")
    var to: StoreLocation

    @Option(help: "How many favorites a list of a new database may hold. (default: as in the old database, or 5)")
    var capacity: Int?

    @OptionGroup var pictures: PictureOptions

    func validate() throws {
        switch (from, to) {
        case (.file, .file): throw ValidationError("One of the stores is in a database: `backup` copies a file.")
        case (.database, .file) where capacity != nil:
            throw ValidationError("--capacity is for a database. For a file, it is an option of the server.")
        case (.database, .database) where pictures.cache != nil:
            throw ValidationError("--cache is for a store in a file.")
        default: break
        }
        if case .file = from { try pictures.requireFile() }
    }

    func run() throws {
        print(try copy().text)
        if case (.database, .file) = (from, to) {
            printError("a file does not store the capacity: start the server with --capacity and the number above")
        }
    }

    private func copy() throws -> StoreReport {
        switch from {
        case .file(let path): try StoreFileSource.read(path, isStopped: true, write)
        case .database(let address): try DatabaseSource.read(DatabaseAddress(address), isStopped: true, write)
        }
    }

    private func write(_ source: some RecordSource) throws -> StoreReport {
        switch to {
        case .file(let path):
            return try StoreFileTarget.write(to: path, source.facts, isCopy: false) { target in
                try source.forEachRecord(target.write)
                let cache = pictures.path(beside: path)
                let count = try PinnedPicturesCopy.add(to: cache) { try source.forEachPicture($0) }
                PinnedPicturesCopy.report(count, in: cache)
            }
        case .database(let address):
            let capacity = capacity ?? source.facts.capacity ?? StoreLocation.defaultCapacity
            return try DatabaseTarget.write(
                to: DatabaseAddress(address),
                source.facts,
                capacity: capacity,
                beginsHistory: false
            ) { target in
                try source.forEachRecord(target.write)
                if case .file(let path) = from {
                    try PinnedPicturesCopy.readWarning(pictures.path(beside: path)) { try target.write($0) }
                }
                try source.forEachPicture { try target.write($0) }
            }
        }
    }
}
