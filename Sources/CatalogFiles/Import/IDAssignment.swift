internal import Foundation
internal import GRDB
internal import SQLiteRows

/// Finds out which characters the records of other data sets are:
///
/// 1. the one that a record with the same number in the same data set is;
/// 2. the one whose id is reserved for that number, if an earlier catalog has it;
/// 3. the one of the same name, if there is exactly one that has no other record of this data set: two characters of one
///    data set are never one;
/// 4. the one with its other name, in the same way;
/// 5. none that is known: a new one, with the reserved id.
///
/// The records of lists have no numbers that mean anything: for them only names count. Records of several lists that have
/// the same names are one character, and a reserved id that is another character's already is passed over.
///
/// Records are looked at in the order of what they say, and never in that of the files: the same records give the same
/// ids, however they come.
struct IDAssignment {
    /// Records that are one character whatever else there is: of one number and name, each of another list if of lists.
    private struct Unit {
        let number: Int64
        let count: Int
        let source: ImportSource
        let key: Int64
        let name: Data
        let otherName: Data?

        init(_ row: Row) throws {
            number = try row.read("unit")
            count = try row.read("count")
            guard let source = ImportSource(number: try row.read("source")) else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a record is of an unknown data set")
            }
            self.source = source
            key = try row.read("key")
            name = try row.read("folded_name")
            otherName = try row.readIfPresent("folded_other_name")
        }
    }

    /// The data sets of the records of a unit.
    private static let sourcesOfUnit = "SELECT source FROM units JOIN records USING (sequence) WHERE unit = :unit"

    let db: Database

    /// - Returns: How many records were found by name.
    func run() throws -> Int {
        try makeUnits()
        var foundByName = 0
        var last: Int64 = 0
        while true {
            let units = try units(after: last)
            for unit in units {
                last = unit.number
                let (target, isByName) = try target(unit)
                if isByName { foundByName += unit.count }
                let statement = try db.cachedStatement(
                    sql: "UPDATE records SET target = ? WHERE sequence IN (SELECT sequence FROM units WHERE unit = ?)"
                )
                try statement.execute(arguments: [target, unit.number])
            }
            if units.isEmpty { return foundByName }
        }
    }

    /// Numbers the units in their order.
    private func makeUnits() throws {
        try db.execute(
            sql: """
                CREATE TABLE units (unit INTEGER NOT NULL, sequence INTEGER NOT NULL) STRICT;
                INSERT INTO units
                SELECT dense_rank() OVER (
                    ORDER BY min(source, \(ImportSource.firstListNumber)), key, folded_name, folded_other_name, occurrence
                ), sequence FROM (
                    SELECT *, row_number() OVER (
                        PARTITION BY source, key, folded_name, folded_other_name ORDER BY sequence
                    ) AS occurrence FROM records WHERE source <> 0
                );
                CREATE INDEX unit_numbers ON units (unit, sequence);
                """
        )
    }

    private func units(after number: Int64) throws -> [Unit] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT unit, count(*) AS count, min(source) AS source, key, folded_name, folded_other_name
                FROM units JOIN records USING (sequence) WHERE unit > ? GROUP BY unit ORDER BY unit LIMIT 1000
                """,
            arguments: [number]
        ).map(Unit.init)
    }

    private func target(_ unit: Unit) throws -> (id: Int64, isByName: Bool) {
        let reserved = unit.source.reservedID(unit.key)
        if case .list = unit.source {
            return try named(unit).map { ($0, true) } ?? (try free(reserved, for: unit), false)
        }
        if let known = try known(unit) { return (known, false) }
        if try isTaken(reserved) { return (reserved, false) }
        return try named(unit).map { ($0, true) } ?? (reserved, false)
    }

    private func known(_ unit: Unit) throws -> Int64? {
        let statement = try db.cachedStatement(
            sql: "SELECT target FROM records WHERE source = ? AND key = ? AND target IS NOT NULL LIMIT 1"
        )
        return try Int64.fetchOne(statement, arguments: [unit.source.number, unit.key])
    }

    private func isTaken(_ id: Int64) throws -> Bool {
        let statement = try db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM records WHERE target = ?)")
        return try Bool.fetchOne(statement, arguments: [id]) ?? false
    }

    /// The only character of one of the names, if it has no record of this data set yet.
    private func named(_ unit: Unit) throws -> Int64? {
        let statement = try db.cachedStatement(
            sql: """
                SELECT DISTINCT target FROM records AS named
                WHERE folded_name = :name AND target IS NOT NULL AND NOT EXISTS (
                    SELECT 1 FROM records AS own
                    WHERE own.target = named.target AND own.source IN (\(IDAssignment.sourcesOfUnit))
                )
                LIMIT 2
                """
        )
        for name in [unit.name, unit.otherName].compactMap(\.self) {
            let found = try Int64.fetchAll(statement, arguments: ["name": name, "unit": unit.number])
            if found.count == 1 { return found[0] }
        }
        return nil
    }

    /// The first id from a reserved one on that is no other character's: free, or of one of the same name that an earlier
    /// import made and that has no record of these lists yet.
    private func free(_ reserved: Int64, for unit: Unit) throws -> Int64 {
        let statement = try db.cachedStatement(
            sql: """
                SELECT EXISTS (SELECT 1 FROM records WHERE target = :id AND folded_name = :name) AND NOT EXISTS (
                    SELECT 1 FROM records AS own
                    WHERE own.target = :id AND own.source IN (\(IDAssignment.sourcesOfUnit))
                )
                """
        )
        var id = reserved
        while try isTaken(id) {
            let arguments: StatementArguments = ["id": id, "name": unit.name, "unit": unit.number]
            if try Bool.fetchOne(statement, arguments: arguments) ?? false { return id }
            id += 1
        }
        return id
    }
}
