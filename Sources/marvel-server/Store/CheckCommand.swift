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

/// Standard output is only for the results of a command.
func printError(_ line: String) {
    FileHandle.standardError.write(Data((line + "\n").utf8))
}
