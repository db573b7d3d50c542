internal import Foundation
internal import GRDB

/// Finds out which characters the records of other data sets are, in the order of the records:
///
/// 1. the one that a record with the same number in the same data set is;
/// 2. the one whose id is reserved for that number, if an earlier catalog has it;
/// 3. the one of the same name, if there is exactly one that has no other record of this data set: two characters of one
///    data set are never one;
/// 4. the one with its other name, in the same way;
/// 5. none that is known: a new one, with the reserved id.
struct IDAssignment {
    let db: Database

    /// - Returns: How many were found by name.
    func run() throws -> Int {
        var foundByName = 0
        var last: Int64 = 0
        while true {
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT sequence, source, key, folded_name, folded_other_name FROM records
                    WHERE source <> 0 AND sequence > ? ORDER BY sequence LIMIT 1000
                    """,
                arguments: [last]
            )
            for row in rows {
                last = row[0]
                guard let source = ImportSource(rawValue: row[1]) else { continue }
                let (target, isByName) = try target(source, key: row[2], names: [row[3], row[4]])
                if isByName { foundByName += 1 }
                let statement = try db.cachedStatement(sql: "UPDATE records SET target = ? WHERE sequence = ?")
                try statement.execute(arguments: [target, last])
            }
            if rows.isEmpty { return foundByName }
        }
    }

    private func target(_ source: ImportSource, key: Int64, names: [Data?]) throws -> (id: Int64, isByName: Bool) {
        let reserved = source.reservedID(key)
        if let known = try known(source, key: key) { return (known, false) }
        if try isTaken(reserved) { return (reserved, false) }
        for name in names.compactMap(\.self) {
            if let named = try named(name, for: source) { return (named, true) }
        }
        return (reserved, false)
    }

    private func known(_ source: ImportSource, key: Int64) throws -> Int64? {
        let statement = try db.cachedStatement(
            sql: "SELECT target FROM records WHERE source = ? AND key = ? AND target IS NOT NULL LIMIT 1"
        )
        return try Int64.fetchOne(statement, arguments: [source.rawValue, key])
    }

    private func isTaken(_ id: Int64) throws -> Bool {
        let statement = try db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM records WHERE target = ?)")
        return try Bool.fetchOne(statement, arguments: [id]) ?? false
    }

    /// The only character of that name, if it has no record of this data set yet.
    private func named(_ name: Data, for source: ImportSource) throws -> Int64? {
        let statement = try db.cachedStatement(
            sql: """
                SELECT DISTINCT target FROM records AS named
                WHERE folded_name = ? AND target IS NOT NULL AND NOT EXISTS (
                    SELECT 1 FROM records AS own WHERE own.target = named.target AND own.source = ?
                )
                LIMIT 2
                """
        )
        let found = try Int64.fetchAll(statement, arguments: [name, source.rawValue])
        return found.count == 1 ? found[0] : nil
    }
}
