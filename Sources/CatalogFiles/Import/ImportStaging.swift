internal import Catalog
internal import Foundation
internal import GRDB
internal import MarvelAPI
internal import MarvelDomain
internal import NIOCore
internal import SQLiteFiles
internal import WireMessages

/// The staging area of an import: a temporary database with all records, until they are merged into characters.
///
/// It keeps the records out of memory, so that a million records need no more memory than a few.
final class ImportStaging {
    private let database: DatabaseQueue
    private var waiting: [ImportedRecord] = []

    /// - Parameter path: The path of a file that may be overwritten. It is unlinked at once, so that nothing is left of
    ///   it when the process ends in any way.
    /// - Throws: `DatabaseError`.
    init(_ path: String) throws {
        PartialFile.remove(path)
        var configuration = Configuration()
        configuration.label = "import"
        database = try DatabaseQueue(path: path, configuration: configuration)
        try database.writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    PRAGMA journal_mode = OFF;
                    PRAGMA synchronous = OFF;
                    PRAGMA locking_mode = EXCLUSIVE;
                    PRAGMA cache_size = -32768;

                    CREATE TABLE records (
                        -- The order of the files, and in them.
                        sequence INTEGER NOT NULL PRIMARY KEY,
                        -- An ImportSource, or 0: the key is the id.
                        source INTEGER NOT NULL,
                        key INTEGER NOT NULL,
                        -- The id of the character that this is part of, when it is known.
                        target INTEGER,
                        folded_name BLOB NOT NULL,
                        folded_other_name BLOB,
                        message BLOB NOT NULL,
                        facts TEXT NOT NULL
                    ) STRICT;
                    """
            )
            try db.defend()
        }
        unlink(path)
    }

    func close() { try? database.close() }

    func add(_ record: ImportedRecord) throws {
        waiting.append(record)
        if waiting.count == 1_000 { try flush() }
    }

    private func flush() throws {
        try database.inTransaction { db in
            let statement = try db.cachedStatement(
                sql: """
                    INSERT INTO records (source, key, target, folded_name, folded_other_name, message, facts)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """
            )
            for record in waiting {
                let message = record.character.encodedWireForm().withUnsafeReadableBytes { Data($0) }
                try statement.execute(
                    arguments: [
                        record.source?.number ?? 0, record.character.id,
                        record.source == nil ? record.character.id : nil,
                        ImportStaging.folded(record.character.name), record.otherName.map(ImportStaging.folded),
                        message, record.facts,
                    ]
                )
            }
            return .commit
        }
        waiting.removeAll(keepingCapacity: true)
    }

    /// Folds a name, so that names are equal if they differ in case, accents and white space only.
    static func folded(_ name: String) -> Data {
        Data(FoldedName(name.split(whereSeparator: \.isWhitespace).joined(separator: " ")).utf8)
    }

    /// Assigns every record to a character.
    ///
    /// - Returns: The number of records of other data sets that were assigned by name.
    func assignIDs() throws -> Int {
        try flush()
        return try database.write { db in
            let hasSources = try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM records WHERE source <> 0)")
            guard hasSources == true else { return 0 }
            try db.execute(
                sql: """
                    CREATE INDEX targets ON records (target);
                    CREATE INDEX names ON records (folded_name);
                    CREATE INDEX keys ON records (source, key);
                    """
            )
            return try IDAssignment(db: db).run()
        }
    }

    /// Returns the number of characters. Every record must have its id by then.
    func characterCount() throws -> Int {
        try database.write { db in
            try db.execute(sql: "CREATE INDEX results ON records (target, sequence)")
            return try Int.fetchOne(db, sql: "SELECT count(DISTINCT target) FROM records") ?? 0
        }
    }

    /// Calls `body` with each character, merged from its records, ordered by id.
    func forEachCharacter(_ body: (MarvelCharacter) throws -> Void) throws {
        try database.read { db in
            let rows = try Row.fetchCursor(
                db,
                sql: "SELECT target, message, facts FROM records ORDER BY target, sequence"
            )
            var merge: (id: Int64, character: CharacterMerge)?
            while let row = try rows.next() {
                let id: Int64 = try row.read(at: 0)
                let facts: String = try row.read(at: 2)
                let message = try row.withUnsafeData(atIndex: 1) { ByteBuffer(bytes: $0 ?? Data()) }
                let character = try MarvelCharacter(decodingWireForm: message)
                if merge?.id == id {
                    merge?.character.fill(from: character, facts: facts)
                } else {
                    if let merge { try body(merge.character.result) }
                    merge = (id, CharacterMerge(character, facts: facts, id: id))
                }
            }
            if let merge { try body(merge.character.result) }
        }
    }
}

/// The record of a character in one file.
struct ImportedRecord: Sendable, Hashable {
    /// The data set; nil if `character.id` is a final id: Marvel's, or one that an earlier import gave.
    var source: ImportSource?
    /// The character. Its id is a final id above 0 if there is no source, and otherwise the number in the data set.
    var character: MarvelCharacter
    /// The name that the character may have in other data sets.
    var otherName: String?
    /// A description made from facts, for characters without a written description.
    var facts = ""
}

/// The assignment of the records of other data sets to characters.
///
/// A record belongs to the first of these characters that exists:
///
/// 1. the character of a record with the same number in the same data set;
/// 2. the character whose id is reserved for that number, if an earlier catalog has it;
/// 3. the character of the same name, if exactly one without a record of this data set has it: two characters of one data
///    set are never the same;
/// 4. the character with the record's other name, under the same condition;
/// 5. a new character with the reserved id.
///
/// The numbers in lists have no meaning, so that their records are assigned by name only. Records of several lists with
/// the same names are one character. If a reserved id belongs to another character already, the next one is used.
///
/// Records are processed in the order of their contents, and not in that of the files, so that the same records always
/// get the same ids.
private struct IDAssignment {
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
            source = ImportSource(number: try row.read("source"))
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
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT unit, count(*) AS count, min(source) AS source, key, folded_name, folded_other_name
                FROM units JOIN records USING (sequence) GROUP BY unit ORDER BY unit
                """
        )
        let update = try db.cachedStatement(
            sql: "UPDATE records SET target = ? WHERE sequence IN (SELECT sequence FROM units WHERE unit = ?)"
        )
        var mergedByName = 0
        while let unit = try rows.next().map(Unit.init) {
            let (target, isByName) = try target(unit)
            if isByName { mergedByName += unit.count }
            try update.execute(arguments: [target, unit.number])
        }
        return mergedByName
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

    private func target(_ unit: Unit) throws -> (id: Int64, isByName: Bool) {
        let reserved = unit.source.reservedID(unit.key)
        if unit.source.isList {
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

/// A merge of one character's records from several files. The values of the first record win, and later ones fill in
/// what is missing.
private struct CharacterMerge {
    private var character: MarvelCharacter
    private var facts: String

    init(_ first: MarvelCharacter, facts: String, id: Int64) {
        character = first
        character.id = id
        if !first.hasPictureOfItsOwn { character.thumbnail = nil }
        self.facts = facts
    }

    mutating func fill(from later: MarvelCharacter, facts: String) {
        if character.description.isEmpty { character.description = later.description }
        character.modified = character.modified ?? later.modified
        if let thumbnail = later.thumbnail, later.hasPictureOfItsOwn {
            // The API's placeholder means that the API has no picture. It is replaced by any picture.
            if character.thumbnail.map(\.isPlaceholder) ?? true { character.thumbnail = thumbnail }
        }
        fill(\.comicCount, from: later)
        fill(\.seriesCount, from: later)
        fill(\.storyCount, from: later)
        fill(\.eventCount, from: later)
        let types = Set(character.urls.map(\.type))
        character.urls += later.urls.filter { !types.contains($0.type) }
        if self.facts.isEmpty { self.facts = facts }
    }

    private mutating func fill(_ count: WritableKeyPath<MarvelCharacter, Int32>, from later: MarvelCharacter) {
        if character[keyPath: count] == 0 { character[keyPath: count] = later[keyPath: count] }
    }

    /// The merged character. If no record has a description, it is made from facts. If no record has a picture, it gets
    /// an emblem.
    var result: MarvelCharacter {
        var result = character
        if result.description.isEmpty { result.description = facts }
        if result.thumbnail == nil { result.thumbnail = .emblem(of: result.id) }
        return result
    }
}

extension MarvelCharacter {
    /// Whether the character's picture is on a server, and not a drawn emblem.
    fileprivate var hasPictureOfItsOwn: Bool { thumbnail?.path.contains("://") ?? false }
}
