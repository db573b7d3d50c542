import Foundation
import GRDB
import MarvelDomain

/// The same names in SQLite, in memory, indexed by FTS5 with its trigram tokenizer: what one would take instead.
///
/// It compares names as they are, case aside, and knows no words and no mistakes: the nearest that it has to offer is
/// asked for. Like a page, an answer is ten names and how many there are in all.
struct TrigramIndex {
    private let database: DatabaseQueue
    /// Seconds.
    let buildTime: Double

    /// - Parameter names: In order.
    /// - Throws: If SQLite fails.
    init(_ names: [String]) throws {
        Progress.show("the same names in SQLite")
        let start = LoadLoop.now()
        database = try DatabaseQueue()
        try database.write { db in
            try db.execute(sql: "CREATE VIRTUAL TABLE names USING fts5(name, tokenize = 'trigram')")
            let insert = try db.makeStatement(sql: "INSERT INTO names (rowid, name) VALUES (?, ?)")
            for (position, name) in names.enumerated() { try insert.execute(arguments: [position, name]) }
        }
        buildTime = Double(LoadLoop.now() - start) / 1e9
    }

    /// Asks for the first page of a search.
    ///
    /// - Parameters:
    ///   - text: What is sought.
    ///   - match: What comes nearest to it is asked.
    /// - Throws: If SQLite fails.
    func search(_ text: String, _ match: Match) throws {
        try database.read { db in
            let condition = match == .fuzzy ? "names MATCH ?" : "name LIKE ?"
            let order = match == .fuzzy ? "rank" : "rowid"
            let argument = TrigramIndex.argument(text, match)
            let page = "SELECT name FROM names WHERE \(condition) ORDER BY \(order) LIMIT 10"
            _ = try String.fetchAll(db.cachedStatement(sql: page), arguments: [argument])
            let total = "SELECT count(*) FROM names WHERE \(condition)"
            _ = try Int.fetchOne(db.cachedStatement(sql: total), arguments: [argument])
        }
    }

    private static func argument(_ text: String, _ match: Match) -> String {
        switch match {
        case .prefix: return text + "%"
        case .wordPrefix: return "% " + text + "%"
        case .substring: return "%" + text + "%"
        case .fuzzy:
            // Any of the trigrams, and the rank tells how many.
            let letters = Array(text)
            let trigrams = letters.indices.dropLast(2).map { "\"\(String(letters[$0..<$0 + 3]))\"" }
            return trigrams.isEmpty ? "\"\(text)\"" : trigrams.joined(separator: " OR ")
        }
    }
}
