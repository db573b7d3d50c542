import ArgumentParser
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

            If an earlier version made the copy, the edits of characters are in a second file: the name of the copy and \
            .edits.
            """
    )

    @Argument(help: "A copy that `backup` made.")
    var copy: String

    @Argument(help: StoreLocation.fileHelp)
    var store: StoreLocation

    func validate() throws { _ = try store.file() }

    func run() throws { print(try restore().text) }

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
        let path = try store.file()
        let report = try StoreRestore.restore(copy, to: path)
        if report.editCount == 0 { reportEdits(beside: path) }
        return report
    }
}
