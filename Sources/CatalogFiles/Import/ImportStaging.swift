internal import Catalog
internal import Foundation
internal import GRDB
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
        AtomicFile.remove(path)
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
    /// The data set; nil if `character.id` is a final id, Marvel's or one that an earlier import gave.
    var source: ImportSource?
    /// The character. Its id is a final id above 0 if there is no source, and otherwise the number in the data set.
    var character: MarvelCharacter
    /// The name that the character may have in other data sets.
    var otherName: String?
    /// A description made from facts, for characters without a written description.
    var facts = ""
}
