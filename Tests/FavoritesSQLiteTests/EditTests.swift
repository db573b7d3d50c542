internal import Foundation
internal import MarvelDomain
internal import SQLiteFiles
internal import StoreContract
internal import Testing

@testable internal import FavoritesSQLite

/// The operator's edits in the file of a store.
@Suite(.temporaryFolder) struct EditTests {
    private static let png = Picture(bytes: [0x89, 0x50, 0x4E, 0x47, 0, 255], mediaType: .png)

    @Test(arguments: EditContract.all) func aStoreKeepsTheContract(_ contract: EditContract) async throws {
        let stage = try FileStage("\(folder)/favorites.db")
        try await contract.run(on: stage.current.edits, stage)
        await stage.current.close()
    }

    private final class FileStage: EditContract.Stage {
        let clock = ContractClock()
        private let path: String
        private(set) var current: SQLiteFavoritesStore

        init(_ path: String) throws {
            self.path = path
            current = try SQLiteFavoritesStore(path: path, now: { [clock] in clock.now })
        }

        func reopened() async throws -> any EditStore {
            await current.close()
            current = try SQLiteFavoritesStore(path: path, now: { [clock] in clock.now })
            return current.edits
        }

        func damage(_ id: Int64) async throws {
            await current.close()
            try await change(
                path,
                "UPDATE edits SET document = replace(document, '\"A\"', '\"@\"') WHERE character_id = \(id)"
            )
        }
    }

    private func write(
        _ name: String,
        of id: Int64 = 7,
        to store: SQLiteFavoritesStore,
        request: String? = nil,
        picture: Picture? = nil
    ) async throws -> EditedCharacter {
        let key = RequestKey(request.flatMap(RequestID.init), of: "anna")
        let change = picture.map(EditOrder.PictureChange.set)
        let order = EditOrder(.existing(id), CharacterEdit(name: name), picture: change, request: key)
        return try await store.edits.write(order) { order.target == .existing($0) }
    }

    @Test func editsAndListsShareRequestIDs() async throws {
        let store = try SQLiteFavoritesStore.temporary()
        try await EditContract.shareRequestIDs(store, store.edits)
    }

    @Test func editsAreCheckedBackedUpAndRestored() async throws {
        let (copy, other) = ("\(folder)/copy.db", "\(folder)/other.db")
        let store = try SQLiteFavoritesStore(path: path)
        let first = try await write("A", to: store, request: "r", picture: Self.png)
        #expect(try StoreBackup.copy(path, to: copy).editCount == 1)
        _ = try await write("B", to: store)
        await store.close()
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        #expect(try StoreRestore.restore(copy, to: path).editCount == 1)
        _ = try StoreRestore.restore(copy, to: other)
        for path in [path, other] {
            let restored = try SQLiteFavoritesStore(path: path)
            #expect(try await restored.edits.edits(after: 0) == [first])
            #expect(try await restored.edits.picture(of: 7) == Self.png)
            let again = try await write("A", to: restored, request: "r", picture: Self.png)
            #expect(again == first, "a kept request")
            // Revisions of the history that ended are not given again.
            #expect(try await write("C", to: restored).revision == 1 << 32 + 1)
            await restored.close()
            #expect(try StoreCheck.check(path).problems == [])
        }
    }

    /// Values of other kinds than the columns declare, as a damaged page has them.
    @Test(arguments: [
        "revision = 9223372036854775807", "revision = -9223372036854775808", "document = '{'", "picture_checksum = 1",
        "checksum = 0",
    ])
    func oddValuesEndNothing(_ value: String) async throws {
        let store = try SQLiteFavoritesStore(path: path)
        _ = try await write("A", to: store)
        await store.close()
        try await change(path, "UPDATE edits SET \(value)")
        let again = try SQLiteFavoritesStore(path: path)
        #expect(try await again.edits.edits(after: 0) == [])
        if value.hasPrefix("revision = 9") {
            await #expect(throws: StoreError.notWritable("no more revisions")) {
                try await write("B", of: 8, to: again)
            }
        } else {
            // Without the damaged revision the file is older than its witness says, so it begins a new history.
            let expected = value.hasPrefix("revision") ? 1 << 32 + 1 : 2
            #expect(try await write("B", of: 8, to: again).revision == expected)
        }
        await again.close()
    }

    @Test func aStoreThatWasMovedAwayTakesNoEdit() async throws {
        let store = try SQLiteFavoritesStore(path: path)
        try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
        await #expect(throws: StoreError.notWritable("the store's file was moved, replaced or deleted")) {
            try await write("A", to: store)
        }
        await store.close()
    }
}

/// Files of edits, which stores before version 7 of the schema had beside them.
@Suite(.temporaryFolder) struct OldEditsTests {
    /// Version 3 of such a file as it was released.
    private static let version3 = """
        PRAGMA application_id = 0x4D727065;
        CREATE TABLE edits (
            character_id INTEGER NOT NULL PRIMARY KEY CHECK (character_id > 0), kind TEXT NOT NULL, name TEXT,
            description TEXT, comic_count INTEGER, series_count INTEGER, story_count INTEGER, event_count INTEGER,
            urls TEXT, edited_at INTEGER NOT NULL, revision INTEGER NOT NULL UNIQUE
        ) STRICT;
        CREATE TABLE pictures (
            character_id INTEGER NOT NULL PRIMARY KEY REFERENCES edits (character_id), media_type TEXT NOT NULL,
            bytes BLOB NOT NULL
        ) STRICT;
        CREATE TABLE requests (
            number INTEGER NOT NULL PRIMARY KEY, principal TEXT NOT NULL, request_id TEXT NOT NULL,
            digest INTEGER NOT NULL, character_id INTEGER NOT NULL, created_at INTEGER NOT NULL,
            UNIQUE (principal, request_id)
        ) STRICT;
        PRAGMA user_version = 3;
        """

    /// The tables of requests in versions 1 and 2.
    private static let requests = [
        """
        DROP TABLE requests;
        CREATE TABLE requests (request_id TEXT NOT NULL PRIMARY KEY, digest INTEGER NOT NULL,
            character_id INTEGER NOT NULL, created_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        PRAGMA user_version = 1;
        """,
        """
        DROP TABLE requests;
        CREATE TABLE requests (number INTEGER NOT NULL PRIMARY KEY, request_id TEXT NOT NULL UNIQUE,
            digest INTEGER NOT NULL, character_id INTEGER NOT NULL, created_at INTEGER NOT NULL) STRICT;
        PRAGMA user_version = 2;
        """, "",
    ]

    private static let order = EditOrder(
        .existing(7),
        CharacterEdit(name: "Joe Fixit"),
        picture: .set(picture),
        request: RequestKey(RequestID("r"))
    )
    private static let picture = Picture(bytes: Array("GIF89a.".utf8), mediaType: .gif)
    private static let time = Timestamp(seconds: 1_700_000_000)

    private static let edits = [
        EditedCharacter(
            id: 7,
            kind: .edited,
            edit: CharacterEdit(name: "Joe Fixit", comicCount: 3, urls: [CharacterURL(type: "wiki", url: "http://w")]),
            pictureType: .gif,
            editedAt: time,
            revision: 4
        ),
        EditedCharacter(id: 9, kind: .reverted, edit: CharacterEdit(), editedAt: time, revision: 6),
        EditedCharacter(
            id: EditedCharacter.createdIDs.lowerBound,
            kind: .created,
            edit: CharacterEdit(name: "Qwerty", description: ""),
            editedAt: time,
            revision: 9
        ),
    ]

    private func makeFile(_ path: String, version: Int = 3) async throws {
        let principal = version == 3 ? "principal, " : ""
        try await change(
            path,
            """
            \(Self.version3)
            \(Self.requests[version - 1])
            INSERT INTO edits VALUES
                (7, 'edited', 'Joe Fixit', NULL, 3, NULL, NULL, NULL, '[{"type":"wiki","url":"http://w"}]', 1700000000, 4),
                (9, 'reverted', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1700000000, 6),
                (1000000000, 'created', 'Qwerty', '', NULL, NULL, NULL, NULL, NULL, 1700000000, 9);
            INSERT INTO pictures VALUES (7, 'image/gif', CAST('GIF89a.' AS BLOB));
            INSERT INTO requests (\(principal)request_id, digest, character_id, created_at)
                VALUES (\(version == 3 ? "''," : "") 'r', \(Self.order.digest), 7, 1700000000);
            """
        )
    }

    private func open(_ path: String) throws -> SQLiteFavoritesStore {
        try SQLiteFavoritesStore(path: path, now: { Self.time })
    }

    private func expectEdits(_ store: SQLiteFavoritesStore) async throws {
        #expect(try await store.edits.edits(after: 0) == Self.edits)
        #expect(try await store.edits.picture(of: 7) == Self.picture)
        #expect(try await store.edits.write(Self.order) { _ in false } == Self.edits[0], "a kept request")
    }

    private func files(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.contains("edits") }.sorted()
    }

    @Test(arguments: ["edits.sqlite", "favorites.db.edits"], 1...3)
    func aFileIsTakenOverOnceAndRenamed(_ name: String, version: Int) async throws {
        try await makeFile("\(folder)/\(name)", version: version)
        let store = try open(path)
        let old = "\(folder)/\(name)"
        #expect(
            store.openingReport.notices == [
                "the edits of 3 characters in \(old) were imported into the store, and the file is \(old).taken-over"
            ]
        )
        #expect(try files(folder) == ["\(name).taken-over"])
        try await expectEdits(store)
        #expect(try await store.edits.write(EditOrder(.reverted(7))) { _ in false }.revision == 10)
        await store.close()
        #expect(try StoreCheck.check(path).problems == [])
        let again = try open(path)
        #expect(again.openingReport.notices == [])
        #expect(try await again.edits.edits(after: 0).count == 3)
        await again.close()
    }

    /// The file is as it is if the server was killed after the commit and before the rename.
    @Test func aServerThatIsKilledBeforeTheRenameTakesNothingTwice() async throws {
        let old = "\(folder)/edits.sqlite"
        try await makeFile(old)
        await (try open(path)).close()
        try FileManager.default.moveItem(atPath: old + OldEdits.suffix, toPath: old)
        for count in 3...4 {
            let store = try open(path)
            #expect(store.openingReport.notices == ["\(old) is not used: the edits are in the store"])
            #expect(try await store.edits.edits(after: 0).count == count)
            let order = EditOrder(.existing(Int64(count)), CharacterEdit(name: "Later"))
            _ = try await store.edits.write(order) { order.target == .existing($0) }
            await store.close()
        }
        #expect(try files(folder) == ["edits.sqlite"])
    }

    /// A kill during a migration or a takeover leaves the log up to that moment. The test cuts the log everywhere.
    @Test func aMigrationAndATakingOverThatAreCutShortAreDoneByTheNextStart() async throws {
        let original = "\(folder)/original.db"
        try await makeStore(at: original)
        try await change(original, "\(removingChecksums) PRAGMA user_version = 5")
        let before = try Data(contentsOf: URL(filePath: original))
        try await makeFile("\(folder)/edits.sqlite")
        let old = try Data(contentsOf: URL(filePath: "\(folder)/edits.sqlite"))
        let taking = try open(original)
        let log = try Data(contentsOf: URL(filePath: original + "-wal"))
        await taking.close()
        let frame = 24 + 4096
        #expect(log.count >= 32 + 4 * frame)
        let cuts = Array(stride(from: 32, through: log.count, by: frame)) + [0, 31, 32 + frame / 2, log.count - 1]
        for cut in cuts {
            let place = "\(folder)/cut-\(cut)"
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
            let path = "\(place)/original.db"
            try before.write(to: URL(filePath: path))
            try log.prefix(cut).write(to: URL(filePath: path + "-wal"))
            try old.write(to: URL(filePath: "\(place)/edits.sqlite"))
            StoreWitness.make(of: path)
            let store = try open(path)
            #expect(store.openingReport.schemaVersion == StoreSchema.version, "\(cut)")
            #expect(store.openingReport.problems == [], "\(cut)")
            #expect(try await store.ids() == [1, 2, 3], "\(cut)")
            try await expectEdits(store)
            // After the commit the file keeps its name.
            #expect(try files(place).count == 1, "\(cut)")
            await store.close()
        }
    }

    /// A file of that name which was taken over before stays too.
    @Test func noFileIsReplacedByTheRename() async throws {
        for name in ["a.db", "b.db"] {
            try await makeFile("\(folder)/edits.sqlite")
            await (try open("\(folder)/\(name)")).close()
        }
        #expect(try files(folder) == ["edits.sqlite.taken-over", "edits.sqlite.taken-over-2"])
    }

    @Test func ofTwoFilesNoneIsTaken() async throws {
        try await makeFile("\(folder)/edits.sqlite")
        try await makeFile("\(folder)/favorites.db.edits")
        let error = #expect(throws: FavoritesStoreOpenError.self) { try open("\(folder)/favorites.db") }
        #expect(error?.message.contains("move the other away") == true)
        #expect(try files(folder) == ["edits.sqlite", "favorites.db.edits"])
    }

    @Test(arguments: [
        "PRAGMA user_version = 9", "PRAGMA application_id = 1", "DROP TABLE edits", "DROP TABLE requests",
        "UPDATE edits SET kind = 'odd'", "UPDATE edits SET urls = '{'", "UPDATE edits SET comic_count = 99999999999",
        "UPDATE edits SET edited_at = 9223372036854775807", "UPDATE pictures SET media_type = 'text/html'",
        "DROP TABLE edits; CREATE TABLE edits (character_id, kind, name, description, comic_count, series_count, story_count, event_count, urls, edited_at, revision); INSERT INTO edits (kind) VALUES ('edited')",
        "DROP TABLE edits; CREATE VIEW edits AS SELECT 1 AS character_id",
    ])
    func aDamagedFileIsRefusedByNameAndNothingOfItIsTaken(_ damage: String) async throws {
        let old = "\(folder)/edits.sqlite"
        try await makeFile(old)
        try await change(old, "PRAGMA foreign_keys = OFF; \(damage)")
        let error = #expect(throws: FavoritesStoreOpenError.self) { try open(path) }
        #expect(error?.message.hasPrefix("the edits in \(old) cannot be read (") == true, "\(error?.message ?? "")")
        #expect(error?.message.contains("put a copy of the file in its place") == true)
        #expect(try files(folder) == ["edits.sqlite"])
        try FileManager.default.moveItem(atPath: old, toPath: old + ".away")
        let store = try open(path)
        #expect(try await store.edits.edits(after: 0) == [])
        await store.close()
    }

    /// The start that is refused must not take the report of the loss with it.
    @Test func aLossIsReportedAfterADamagedFileWasMovedAway() async throws {
        let old = "\(folder)/edits.sqlite"
        var store = try SQLiteFavoritesStore(path: path)
        try await store.toggle(1)
        await store.close()
        let shorter = try Data(contentsOf: URL(filePath: path))
        store = try SQLiteFavoritesStore(path: path)
        try await store.toggle(2)
        await store.close()
        try shorter.write(to: URL(filePath: path))
        try Data("no database".utf8).write(to: URL(filePath: old))
        let error = #expect(throws: FavoritesStoreOpenError.self) { try open(path) }
        #expect(error?.message.hasPrefix("the edits in \(old) cannot be read (") == true, "\(error?.message ?? "")")
        try FileManager.default.removeItem(atPath: old)
        store = try open(path)
        #expect(!store.openingReport.problems.isEmpty)
        #expect(store.openingReport.renewal != nil)
        await store.close()
    }

    /// A store of the version before, and the file beside it.
    @Test func aStoreThatIsCopiedBeforeANewServerOpensItHasTheEditsToo() async throws {
        await (try open(path)).close()
        try await change(path, "\(removingEdits) PRAGMA user_version = 6")
        try await makeFile("\(folder)/edits.sqlite")
        func edits(of path: String) throws -> [[UInt8]] {
            var lines: [[UInt8]] = []
            _ = try StoredLists.export(path) { lines.append($0) }
            return lines
        }
        let expected = Self.edits.map { EditLine.text($0, $0.pictureType == nil ? nil : Self.picture) }
        let copy = "\(folder)/copy.db"
        #expect(try StoreBackup.copy(path, to: copy).editCount == 3)
        #expect(try files(folder) == ["edits.sqlite"], "the old store is not changed")
        #expect(try edits(of: copy) == expected)
        #expect(try StoreRestore.restore(copy, to: "\(folder)/restored.db").editCount == 3)
        #expect(try edits(of: "\(folder)/restored.db") == expected)
        let store = try open(path)
        try await expectEdits(store)
        await store.close()
        #expect(try edits(of: path) == expected)
    }

    /// A server of the version before made the copy, and the file beside it.
    @Test(arguments: ["copy.db.edits", "edits.sqlite"])
    func aCopyHasTheFileOfItsOwnNameOnly(_ name: String) async throws {
        let copy = "\(folder)/copy.db"
        await (try open(copy)).close()
        try await change(copy, "UPDATE history SET is_copy = 1; \(removingEdits) PRAGMA user_version = 6")
        try await makeFile("\(folder)/\(name)")
        let isOwn = name == "copy.db.edits"
        let restored = "\(folder)/restored/favorites.db"
        try FileManager.default.createDirectory(atPath: "\(folder)/restored", withIntermediateDirectories: true)
        #expect(try StoreRestore.restore(copy, to: restored).editCount == (isOwn ? 3 : 0))
        #expect(try files(folder) == [name], "a restore changes nothing of the copy")
        if isOwn {
            let store = try open(restored)
            try await expectEdits(store)
            await store.close()
        }
        // So does a command that changes the copy, and one after it.
        var notices: [String] = []
        for _ in 1...2 {
            try await SQLiteFavoritesStore.forOperator(copy) { notices.append($0) }.close()
        }
        #expect(notices.count == (isOwn ? 1 : 0))
        #expect(try files(folder) == [isOwn ? name + OldEdits.suffix : name])
    }
}
