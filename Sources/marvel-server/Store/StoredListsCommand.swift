import ArgumentParser
import CatalogFiles
import FavoritesPostgres
import FavoritesSQLite
import Foundation
import MarvelDomain

struct StoredListsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lists",
        abstract: "Exports the lists of a store as text, imports such a text, or deletes a list.",
        discussion: """
            A server may have the store open during an export; to delete or import lists of a file, stop the server first. The servers of a database may run. A deleted list no longer counts for max-lists. Its \
            name keeps its revision: a new list of that name continues from it, so that watchers miss nothing.

            The text has one JSON object per line, one for each list: `list`, its name; `favorites`, oldest first, \
            each with `character` (`id`, `name`, `description`, `modified`, `thumbnail`, `comics`, `series`, \
            `stories`, `events`, `urls`) and `savedAt` (`seconds` since 1970 and `nanoseconds`); `owner`, the caller \
            that created the list, or nothing; and `revision`, which an import ignores. After the lists follow the edits of \
            characters, one line for each character: `edit`, its id; `kind` (created, edited or reverted); `edited_at`; \
            the edited fields; and `media_type` and `picture`, in base64, if the edit has one.

            An import replaces the lists and edits in the text that differ from it, with new revisions, and changes no \
            others. To continue a failed import, run it again. A list that is longer than the server's --capacity keeps its \
            favorites until the next save.
            """
    )

    @Argument(help: StoreLocation.help)
    var store: StoreLocation

    @Option(help: ArgumentHelp("Delete this list and its favorites.", valueName: "name"))
    var delete: String?

    @Option(help: ArgumentHelp("Write all lists and edits to this file; - for standard output.", valueName: "file"))
    var export: String?

    @Option(
        name: .customLong("import"),
        help: ArgumentHelp(
            "Read lists and edits from this file; - for standard input. The store is created if it does not exist.",
            valueName: "file"
        )
    )
    var source: String?

    @Flag(help: "Replace an existing file, with --export.")
    var overwrite = false

    func validate() throws {
        guard [delete, export, source].count(where: { $0 != nil }) == 1 else {
            throw ValidationError(
                "Use one of --delete, --export and --import. A running server shows its lists by `marvel lists`."
            )
        }
        if overwrite, export == nil { throw ValidationError("--overwrite is for --export.") }
    }

    func run() async throws {
        if let delete {
            try await deleteList(delete)
        } else if let export {
            try exportLists(to: export)
        } else if let source {
            try await importLists(from: source)
        }
    }

    private func exportLists(to path: String) throws {
        let file = try ExportFile(path == "-" ? nil : path, replacing: overwrite)
        let report: ListsExport
        do {
            report =
                switch store {
                case .file(let path): try StoredLists.export(path, file.write)
                case .database(let address): try DatabaseSource.export(DatabaseAddress(address), file.write)
                }
            try file.finish()
        } catch {
            file.discard()
            throw error
        }
        // The lists themselves may be on standard output.
        printError("exported \(text(report.listCount, report.favoriteCount, report.editCount))")
        for list in report.damagedLists { printError("list \(list) is damaged and was skipped") }
        for id in report.damagedEdits { printError("the edits of character \(id) are damaged and were skipped") }
        if report.invalidNameCount > 0 {
            printError(
                "\(count(report.invalidNameCount, "list")) without a valid name skipped: see marvel-server check"
            )
        }
        guard report.isWhole else { throw ExitCode.failure }
    }

    private func importLists(from path: String) async throws {
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            printError("cannot read \(path): \(String(cString: strerror(errno)))")
            throw ExitCode.failure
        }
        defer { if descriptor != STDIN_FILENO { close(descriptor) } }
        do {
            let report = try await store.change(isCreating: true) { store in
                try await ListsImport.run(into: store, edits: store.characterEdits) {
                    try Self.readPiece(descriptor)
                }
            }
            print(text(report))
        } catch let error as ListsImport.Failure {
            printError("\(path == "-" ? "standard input" : path), \(error)")
            printError("\(text(error.report)) before that; correct this, then run the import again")
            throw ExitCode.failure
        }
    }

    private static func readPiece(_ descriptor: CInt) throws -> [UInt8] {
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &piece, piece.count)
            if count >= 0 { return Array(piece.prefix(count)) }
            guard errno == EINTR else {
                throw ListLine.Problem("it cannot be read: \(String(cString: strerror(errno)))")
            }
        }
    }

    private func text(_ report: ListsImport.Report) -> String {
        let unchanged = report.unchangedCount == 0 ? "" : ", \(count(report.unchangedCount, "list")) already there"
        let lists = report.changedCount + report.unchangedCount
        return "imported \(text(lists, report.favoriteCount, report.editCount))\(unchanged)"
    }

    private func text(_ lists: Int, _ favorites: Int, _ edits: Int) -> String {
        "\(count(lists, "list")) with \(count(favorites, "favorite"))"
            + (edits == 0 ? "" : " and \(count(edits, "edit"))")
    }

    private func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    private func deleteList(_ name: String) async throws {
        guard !name.isEmpty, let list = ListName(name) else {
            throw ValidationError(
                "--delete: '\(name)' is not a list name: use 1 to 64 characters from A-Z a-z 0-9 . _ -"
            )
        }
        do {
            let deletion = try await store.change { store in try await store.delete(list) }
            guard deletion.existed else {
                printError("no list \(list) in \(store.name)")
                throw ExitCode.failure
            }
            print("deleted \(list), at revision \(deletion.revision)")
        } catch let error as StoreError {
            printError("list \(list) was not deleted: \(error)")
            throw ExitCode.failure
        }
    }
}
