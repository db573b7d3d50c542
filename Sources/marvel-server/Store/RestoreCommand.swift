import ArgumentParser
import CatalogFiles
import FavoritesPostgres
import FavoritesSQLite
import Foundation
import MarvelDomain

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

    /// Reports a file of edits that a store has taken over, and perhaps not the copy.
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
