import ArgumentParser
import CatalogFiles
import FavoritesSQLite
import Foundation
import MarvelDomain

struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copies a store in a file to another file.",
        discussion: """
            Servers may have the store open: the copy has all changes acknowledged before. The copy is verified, \
            and gets its name only when it is complete. A server can open it like any store.

            The pictures of favorites, which are in the server's cache file, are in a file beside the copy, whose name is \
            that of the copy and .cache. Later changes are not in the copy.

            For a store in a database, use PostgreSQL's pg_dump, or pg_basebackup and an archive of its log.
            """
    )

    @Argument(help: StoreLocation.fileHelp)
    var store: StoreLocation

    @Argument(help: "The file to write the copy to.")
    var to: String

    @OptionGroup var pictures: PictureOptions

    @Flag(help: "Replace an existing file.")
    var overwrite = false

    func validate() throws {
        _ = try store.file()
        try pictures.requireFile()
    }

    func run() throws { print(try copy().text) }

    private func copy() throws -> StoreReport {
        try PinnedPicturesCopy.refuse(target: PinnedPicturesCopy.path(beside: to), overwriting: overwrite)
        let path = try store.file()
        try StoreBackup.refuse(path, to, overwrite)
        return try copyPictures {
            try PinnedPicturesCopy.readWarning(pictures.path(beside: path), $0)
        } after: {
            try StoreBackup.copy(path, to: to, overwriting: overwrite)
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

            If an earlier version made the copy, the edits of characters are in a second file: the name of the copy and \
            .edits. The pictures of favorites beside the copy (its name and .cache) are added to the cache file of the server.
            """
    )

    @Argument(help: "A copy that `backup` made.")
    var copy: String

    @Argument(help: StoreLocation.fileHelp)
    var store: StoreLocation

    @OptionGroup var pictures: PictureOptions

    @Flag(help: "Replace the existing store.")
    var overwrite = false

    func validate() throws { _ = try store.file() }

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
        // Before anything is replaced: a copy with unreadable pictures changes nothing.
        try PinnedPicturesCopy.read(copiedPictures) { _ in }
        let path = try store.file()
        let report = try StoreRestore.restore(copy, to: path, overwriting: overwrite)
        let cache = pictures.path(beside: path)
        let count = try PinnedPicturesCopy.add(to: cache) { try PinnedPicturesCopy.readWarning(copiedPictures, $0) }
        PinnedPicturesCopy.report(count, in: cache)
        if report.editCount == 0 { reportEdits(beside: path) }
        return report
    }
}
