import ArgumentParser
import FavoritesPostgres
import FavoritesSQLite
import Foundation
import MarvelDomain

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Verifies a store, and prints what it contains.",
        discussion: """
            The store is not changed, and a server may have it open. The exit status is 0 for an intact store, \
            and 1 otherwise. Lost acknowledged changes that a server found are reported until --acknowledge.

            In a database it checks the revisions, the digests of the changes, the favorites, the answers and the edits, in \
            one snapshot. For the pages and indexes of the database itself, use PostgreSQL's pg_amcheck.
            """
    )

    @Argument(help: StoreLocation.help)
    var store: StoreLocation

    @Option(help: "How many favorites a list may hold. (default: 100, the maximum)")
    var capacity: Int?

    @Flag(help: "Acknowledge the losses that a server found in a file, so that they are no longer reported.")
    var acknowledge = false

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        if acknowledge, case .database = store {
            throw ValidationError("--acknowledge is for a store in a file: a database keeps no record of losses.")
        }
    }

    func run() throws {
        let report =
            switch store {
            case .file(let path): try StoreCheck.check(path, capacity: capacity, acknowledging: acknowledge)
            case .database(let address): try DatabaseCheck.check(DatabaseAddress(address), capacity: capacity)
            }
        print(json ? report.json.line : report.text)
        for loss in report.acknowledgedLosses where !json { printError("acknowledged: found \(loss)") }
        for problem in report.problems where !json { printError(problem) }
        guard report.isWhole else { throw ExitCode.failure }
    }
}

extension StoreReport {
    var text: String {
        """
        \(isWhole ? "whole" : "BROKEN, \(problemCount) found")
        lists      \(listCount), the longest with \(longestList) favorites
        favorites  \(favoriteCount)
        changes    \(changeCount), of which \(keptChangeCount) are kept
        answers    \(answerCount)
        edits      \(editCount)
        schema     \(schemaVersion)
        bytes      \(byteCount)
        """ + (capacity.map { "\ncapacity   \($0)" } ?? "")
    }

    fileprivate var json: JSONValue {
        func count(_ number: some SignedInteger) -> JSONValue { .integer(Int64(number)) }
        func list(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }
        var members: [(key: String, value: JSONValue)] = [
            ("acknowledgedLosses", list(acknowledgedLosses)),
            ("answerCount", count(answerCount)),
            ("byteCount", count(byteCount)),
            ("changeCount", count(changeCount)),
            ("editCount", count(editCount)),
            ("favoriteCount", count(favoriteCount)),
            ("hasLostItsEnd", .bool(hasLostItsEnd)),
            ("history", .string(history)),
            ("keptChangeCount", count(keptChangeCount)),
            ("listCount", count(listCount)),
            ("longestList", count(longestList)),
            ("losses", list(losses)),
            ("problemCount", count(problemCount)),
            ("problems", list(problems)),
        ]
        if let capacity { members.insert(("capacity", count(capacity)), at: 3) }
        if let renewal { members.append(("renewal", .string(renewal.rawValue))) }
        members.append(("schemaVersion", count(schemaVersion)))
        return .object(members)
    }
}

/// Standard output is only for the results of a command. A failure to write has no place where it could be reported.
func printError(_ line: String) {
    try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
}

struct MigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Creates or migrates the store in a database, and grants server rights to roles.",
        discussion: """
            Run it as the role that owns the schema marvel, before you start a server with a role of fewer rights, and \
            before you start servers of a new version; servers of this and the previous version continue to work. It \
            is safe to repeat. A server whose role owns the schema migrates it when it starts.
            """
    )

    @Argument(help: "The address of the database (postgresql://...).")
    var store: String

    @Option(
        help: ArgumentHelp(
            "Grant this role the rights that a server needs: to read and write rows, and to call functions.",
            valueName: "role"
        )
    )
    var grant: [String] = []

    @Option(help: "How many favorites a list of a new store may hold. (default: 5)")
    var capacity: Int?

    func run() throws {
        let report = try DatabaseMigration.migrate(DatabaseAddress(store), capacity: capacity, granting: grant)
        print("schema     \(report.version)\ncapacity   \(report.capacity)")
        for role in grant { print("granted    \(role)") }
    }
}

struct RevertCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revert",
        abstract: "Undoes all edits of a character, and deletes an added one.",
        discussion: """
            A store in a file must not be open in a server. Servers of a database show the change within two seconds. \
            Characters are added and edited with `marvel create` and `marvel edit`.
            """
    )

    @Argument(help: StoreLocation.help)
    var store: StoreLocation

    @Argument(help: "The character's id, as `marvel search` prints it.")
    var id: Int64

    func validate() throws {
        guard id > 0 else { throw ValidationError("A character's id must be at least 1.") }
    }

    func run() async throws {
        let edited = try await store.change { store in
            try await store.characterEdits.write(EditOrder(.reverted(id))) { _ in false }
        }
        guard edited.revision > 0 else {
            printError("the character \(id) has no edits")
            throw ExitCode.failure
        }
        print("reverted \(id), at revision \(edited.revision)")
    }
}
