internal import Foundation
internal import GRDB
internal import SQLiteFiles

/// The assignment of the records of other data sets to characters.
///
/// A record belongs to the first of these characters that exists:
///
/// 1. the character of a record with the same number in the same data set;
/// 2. the character whose id is reserved for that number, if an earlier catalog has it;
/// 3. the character of the same name, if exactly one without a record of this data set has it: two characters of one
/// data
///    set are never the same;
/// 4. the character with the record's other name, under the same condition;
/// 5. a new character with the reserved id.
///
/// The numbers in lists have no meaning, so that their records are assigned by name only. Records of several lists with
/// the same names are one character. If a reserved id belongs to another character already, the next one is used.
///
/// Records are processed in the order of their contents, and not in that of the files, so that the same records always
/// get the same ids.
struct IDAssignment {
    /// Records that are always one character: those with one number and name, or with one name in different lists.
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

    /// The SQL query for the data sets of a unit's records.
    private static let sourcesOfUnit = "SELECT source FROM units JOIN records USING (sequence) WHERE unit = :unit"

    let db: Database

    /// Assigns an id to every record.
    ///
    /// - Returns: The number of records that were assigned by name.
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

    /// Returns the only character with one of the names, if it has no record of this data set yet.
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

    /// Returns the first usable id from a reserved one on. An id is usable if it is free, or if it belongs to a
    /// character of the same name from an earlier import that has no record of these lists yet.
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
