import ArgumentParser
import FavoritesSQLite
import Foundation
import MarvelDomain

/// The command `marvel-server lists STORE`.
struct ListsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lists",
        abstract: "Shows the lists of a store, or deletes one.",
        discussion: """
            A server may have the store open while its lists are shown; to delete one, stop the server first. A \
            deleted list no longer counts for --max-lists. Its name keeps its revision: a new list of that name \
            continues from it, so that watchers miss nothing.
            """
    )

    @Argument(help: "The store's file.")
    var store: String

    @Option(help: ArgumentHelp("Delete this list and all that is on it.", valueName: "name"))
    var delete: String?

    @Flag(help: "Print one JSON object for each list.")
    var json = false

    func run() async throws {
        do {
            if let delete {
                try await deleteList(delete)
            } else {
                try show(StoredLists.read(store))
            }
        } catch let error as FavoritesStoreOpenError {
            printError("\(error)")
            throw ExitCode.failure
        }
    }

    private func show(_ lists: [StoredLists.Summary]) throws {
        guard !json else {
            for list in lists { print(try list.json) }
            return
        }
        print(StoredLists.table(lists))
    }

    private func deleteList(_ name: String) async throws {
        guard !name.isEmpty, let list = ListName(name) else {
            throw ValidationError("--delete: '\(name)' is no list's name: 1 to 64 of A-Z a-z 0-9 . _ -")
        }
        guard let revision = try await StoredLists.delete(list, from: store) else {
            printError("there is no list \(list) in \(store)")
            throw ExitCode.failure
        }
        print("deleted \(list), at revision \(revision)")
    }
}

extension StoredLists {
    /// Formats the lists as a table for the terminal.
    fileprivate static func table(_ lists: [Summary]) -> String {
        let width = lists.map(\.name.count).max().map { max($0, 4) } ?? 4
        func line(_ name: String, _ others: [String]) -> String {
            name.padding(toLength: width, withPad: " ", startingAt: 0)
                + others.map { String(repeating: " ", count: max(1, 12 - $0.count)) + $0 }.joined()
        }
        let rows = lists.map { line($0.name, ["\($0.favoriteCount)", "\($0.revision)", "\($0.logBytes)"]) }
        return ([line("list", ["favorites", "revision", "log bytes"])] + rows).joined(separator: "\n")
    }
}

extension StoredLists.Summary {
    fileprivate var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
}
