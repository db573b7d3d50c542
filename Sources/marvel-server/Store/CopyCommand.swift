import ArgumentParser
import CatalogEdits
import CatalogFiles
import FavoritesPostgres
import FavoritesSQLite
import MarvelDomain

/// The command `marvel-server copy FROM TO`.
struct CopyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Moves a store from a file into a database, or back.",
        discussion: """
            All servers of both stores must be stopped. The new store has the same history as the old one, with its \
            revisions, changes, answers and pictures: watchers continue from their places, and a request that is sent \
            again gets its answer. It is verified before it is there. A file must not exist yet, and a database must be \
            empty.

            The operator's edits of characters move too. Those of a database are in it; those of a store in a file are in \
            a file of their own (--edits).

            The old store is not changed. Do not serve it again: both would continue one history in different ways.
            """
    )

    @Argument(help: "The old store: a file, or the address of a database (postgresql://...).")
    var from: StoreLocation

    @Argument(help: "The new store: a file, or the address of a database.")
    var to: StoreLocation

    @Option(help: "How many favorites a list of a new database may hold. (default: as in the old database, or 5)")
    var capacity: Int?

    @Option(
        help: ArgumentHelp(
            "The file of edits, when the old or the new store is a file. (default: the store's name and .edits)",
            valueName: "file"
        )
    )
    var edits: String?

    func validate() throws {
        switch (from, to) {
        case (.file, .file): throw ValidationError("One of the stores is in a database: `backup` copies a file.")
        case (.database, .file) where capacity != nil:
            throw ValidationError("--capacity is for a database: a file's server has it as an option.")
        case (.database, .database) where edits != nil:
            throw ValidationError("--edits is for a store in a file: a database has the edits in it.")
        default: break
        }
    }

    func run() throws {
        print(try copy().text)
        if case (.database, .file) = (from, to) {
            printError("start the server with --capacity as above: a file does not keep it")
        }
    }

    private func copy() throws -> StoreReport {
        switch from {
        case .file(let path):
            try StoreFileSource.read(path, isStopped: true) { source in
                try write(source) { write in
                    let file = edits ?? EditsCopy.path(beside: path)
                    try EditsCopy.read(file, isOptional: edits == nil, write)
                }
            }
        case .database(let address):
            try DatabaseSource.read(DatabaseAddress(address), isStopped: true) { source in
                try write(source, source.forEachEdit)
            }
        }
    }

    private func write(
        _ source: some RecordSource,
        _ forEachEdit: ((EditedCharacter, Picture?) throws -> Void) throws -> Void
    ) throws -> StoreReport {
        switch to {
        case .file(let path):
            return try StoreFileTarget.write(to: path, source.facts, isCopy: false) { target in
                try source.forEachRecord(target.write)
                try EditsCopy.report(to: edits ?? EditsCopy.path(beside: path), forEachEdit)
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
                try forEachEdit(target.write)
            }
        }
    }
}

extension EditsCopy {
    /// Writes a file of edits, and tells the operator of it.
    static func report(
        to path: String,
        overwriting: Bool = false,
        _ forEachEdit: ((EditedCharacter, Picture?) throws -> Void) throws -> Void
    ) throws {
        let count = try write(to: path, overwriting: overwriting, forEachEdit)
        if count > 0 { printError("the edits of \(count) characters are in \(path)") }
    }
}
