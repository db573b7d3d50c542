internal import Catalog
internal import Foundation
internal import MarvelDomain
internal import SQLiteFiles
internal import Testing
internal import Upstream

@testable internal import CatalogFiles

/// Files that are no catalog, or none that this program can read: refused by name, and left as they were.
@Suite struct RefusedCatalogTests {
    private static func change(_ path: String, _ sql: String) throws {
        let database = try DatabaseQueue(path, .undefended)
        try database.sync { db in try db.execute(sql) }
        try database.close()
    }

    private func expectRefusal(
        _ words: String,
        _ make: (_ path: String) throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let path = folder.file("catalog")
            try make(path)
            let before = FileManager.default.contents(atPath: path)
            do {
                _ = try await CatalogFileReader(path).load()
                Issue.record("it was taken")
            } catch let error as CatalogFileError {
                #expect(error.description.contains(path) && error.description.contains(words), "\(error.description)")
            }
            #expect(FileManager.default.contents(atPath: path) == before)
        }
    }

    @Test func aMissingFile() async throws {
        try await expectRefusal("No such file") { _ in }
    }

    @Test(arguments: ["", "These are notes, no database.\n", String(repeating: "0123456789abcdef", count: 512)])
    func aFileOfText(_ text: String) async throws {
        try await expectRefusal("is no") { path in
            _ = FileManager.default.createFile(atPath: path, contents: Data(text.utf8))
        }
    }

    @Test func aFolder() async throws {
        try await expectRefusal("not a regular file") { path in
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        }
    }

    @Test func anotherProgramsDatabase() async throws {
        try await expectRefusal("another program's SQLite database") { path in
            try Self.change(path, "CREATE TABLE notes (text TEXT)")
        }
    }

    /// Damage, and a part of the refusal.
    private static let damages = [
        ("PRAGMA user_version = 7", "has format 7,"), ("DELETE FROM finished", "is incomplete"),
        ("CREATE TRIGGER t AFTER INSERT ON progress BEGIN DELETE FROM characters; END", "has the trigger t"),
        (
            "ALTER TABLE sources RENAME TO s; CREATE VIEW sources AS "
                + "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
                + "SELECT i AS number, '' AS name, '' AS attribution, 0 AS read_at FROM n WHERE i < 0",
            "has the table s"
        ),
        ("CREATE TABLE more (a)", "has the table more"),
        // SQLite knows the size of a row before it reads it.
        ("UPDATE characters SET message = zeroblob(\(400 << 20)) WHERE id = \(thor.id)", "the catalog"),
    ]

    private static let invalidCharacters = [
        "UPDATE characters SET message = x'ff'", "UPDATE characters SET message = x''",
        "UPDATE characters SET id = id + 1", "DELETE FROM characters WHERE name = 'Thor'",
        // A name that is not UTF-8.
        "UPDATE characters SET message = x'08f8ce3d1202c328'",
    ]

    /// A file that another program wrote may have any columns, and anything in them.
    private static let oddTables = [
        "DROP TABLE finished; CREATE TABLE finished (made_at, character_count, picture_count); "
            + "INSERT INTO finished VALUES (NULL, NULL, NULL)",
        "DROP TABLE finished; CREATE TABLE finished (made_at, character_count, picture_count); "
            + "INSERT INTO finished VALUES ('noon', 'two', x'00')",
        "DROP TABLE finished; CREATE TABLE finished (made_at, character_count, picture_count); "
            + "INSERT INTO finished VALUES (5, 1e300, 0)",
        "DROP TABLE finished; CREATE TABLE finished (moment); INSERT INTO finished VALUES (1)",
        "DROP TABLE finished", "DROP TABLE sources", "DROP TABLE characters",
        "DROP TABLE sources; CREATE TABLE sources (number, name, attribution, read_at); "
            + "INSERT INTO sources VALUES (1, NULL, NULL, NULL)",
        "DROP TABLE sources; CREATE TABLE sources (number, name, attribution, read_at); "
            + "INSERT INTO sources VALUES (1, 'a', 'b', 'yesterday')",
        "DROP TABLE characters; CREATE TABLE characters (id, message); INSERT INTO characters VALUES (NULL, NULL)",
        "DROP TABLE characters; CREATE TABLE characters (id, message); INSERT INTO characters VALUES ('seven', x'')",
        "DROP TABLE characters; CREATE TABLE characters (id, message); INSERT INTO characters VALUES (7, 7)",
        "DROP TABLE characters; CREATE VIEW characters AS SELECT NULL AS id, 'x' AS message",
    ]

    @Test(arguments: damages + (invalidCharacters + oddTables).map { ($0, "the catalog") })
    func aDamagedCatalog(_ sql: String, _ words: String) async throws {
        try await expectRefusal(words) { path in
            try makeCatalog(path)
            try Self.change(path, sql)
        }
    }

    @Test(arguments: [
        "(1009664, 'detail', NULL, 0, x'47')", "(1009664, 'detail', 7, 'no', 'GIF89a')",
        "(NULL, NULL, NULL, NULL, NULL)",
        "(1009664, 'detail', 'image/gif', NULL, 'GIF89a..')", "('x', 'detail', 'image/gif', 0, 'GIF89a..')",
    ])
    func unusualPicturesAreIgnored(_ row: String) async throws {
        try await withTemporaryFolder { folder in
            let path = folder.file("catalog")
            try makeCatalog(path)
            try Self.change(
                path,
                """
                CREATE TEMP TABLE kept AS SELECT sql FROM sqlite_schema WHERE name = 'pictures';
                DROP TABLE pictures; CREATE TABLE pictures (character_id, variant, media_type, is_placeholder, bytes,
                    PRIMARY KEY (character_id, variant));
                INSERT INTO pictures VALUES \(row); UPDATE finished SET picture_count = 1;
                -- Only a file with this program's own schema is read.
                PRAGMA writable_schema = ON;
                UPDATE sqlite_schema SET sql = (SELECT sql FROM kept) WHERE name = 'pictures'
                """
            )
            let reader = try CatalogFileReader(path)
            let found = try? await reader.picture(of: thor.id, .detail)
            #expect(found == nil)
            var pictures = 0
            try? reader.forEachPicture { _, _, _ in pictures += 1 }
            #expect(pictures == 0)
        }
    }

    @Test func aCatalogThatIsTooLargeForMemory() async throws {
        try await withTemporaryFolder { folder in
            try makeCatalog(folder.file("catalog"))
            let reader = try CatalogFileReader(folder.file("catalog"))
            let error = #expect(throws: CatalogFileError.self) {
                try reader.withCharacters(maximumByteCount: 100) { $0.reduce(0) { count, _ in count + 1 } }
            }
            #expect(error?.description.contains("more than 100 bytes") == true)
        }
    }

    /// A file of a megabyte could otherwise have billions of rows.
    @Test(arguments: ["characters", "sqlite_autoindex_pictures_1", "sqlite_autoindex_documents_1", "links"])
    func aTreeThatHasAPageTwice(_ tree: String) async throws {
        try await withTemporaryFolder { folder in
            let path = folder.file("catalog")
            let writer = try CatalogFileWriter(path)
            try writer.write { batch in
                for id in 1...2_000 as ClosedRange<Int64> {
                    try batch.put(MarvelCharacter(id: id, name: "Name \(id)"))
                    try batch.put(Picture(bytes: Array("GIF89a".utf8), mediaType: .gif), of: id, .full)
                    let comic = ResourceSummary(id: ResourceID(.comics, id), name: "Comic", type: "")
                    let hero = ResourceSummary(id: ResourceID(.characters, id), name: "Name", type: "")
                    let resource = SavedResource(
                        summary: comic,
                        document: "{\"id\":\(id)}",
                        fields: "{}",
                        links: [hero]
                    )
                    #expect(try batch.put(documentOf: resource))
                    try batch.put(linksOf: resource)
                }
            }
            try writer.finish(at: noon, replacing: false)
            try Self.repeatFirstChild(ofTree: tree, in: path)
            let reader = try CatalogFileReader(path)
            let error = #expect(throws: CatalogFileError.self) {
                _ = try reader.characters()
                try reader.forEachPicture { _, _, _ in }
                try reader.forEachDocument { _ in }
                try reader.forEachLink { _, _ in }
            }
            #expect(error?.description.contains("out of order") == true, "\(String(describing: error))")
        }
    }

    /// Lets the root page of a table or an index name its first child in place of each other one.
    private static func repeatFirstChild(ofTree name: String, in path: String) throws {
        let sql = "SELECT rootpage FROM sqlite_schema WHERE name = ?"
        let root = try #require(try Database(path).value(sql, name, as: Int.self))
        var bytes = try Data(contentsOf: URL(filePath: path))
        let page = (root - 1) * 4096
        func number(at offset: Int) -> Int { Int(bytes[page + offset]) << 8 | Int(bytes[page + offset + 1]) }
        try #require([2, 5].contains(bytes[page]), "it has children")
        let cells = (0..<number(at: 3)).map { page + number(at: 12 + 2 * $0) }
        let first = bytes[cells[0]..<cells[0] + 4]
        for place in cells + [page + 8] { bytes.replaceSubrange(place..<place + 4, with: first) }
        try bytes.write(to: URL(filePath: path))
    }

    @Test func aFileThatWasCutShort() async throws {
        try await expectRefusal("damaged") { path in
            try makeCatalog(path)
            let file = try FileHandle(forUpdating: URL(filePath: path))
            try file.truncate(atOffset: 2 * 4096)
            try file.close()
        }
    }

    @Test func aTargetBesideTheLogOfAnotherDatabase() async throws {
        try await withTemporaryFolder { folder in
            _ = try folder.write("catalog-wal", "a log")
            let error = #expect(throws: CatalogFileError.self) { try makeCatalog(folder.file("catalog")) }
            #expect(error?.description.contains("catalog-wal") == true)
        }
    }
}
