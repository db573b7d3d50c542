internal import Foundation
internal import MarvelDomain
internal import SQLiteFiles
internal import StoreContract
internal import Testing

@testable internal import FavoritesSQLite

/// Stores as earlier versions left them.
@Suite(.temporaryFolder) struct MigrationTests {
    /// Version 1 as it was released.
    private static let version1 = """
        PRAGMA application_id = 0x4D727063;
        CREATE TABLE lists (
            name TEXT NOT NULL PRIMARY KEY,
            revision INTEGER NOT NULL CHECK (revision > 0)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE favorites (
            list TEXT NOT NULL REFERENCES lists (name),
            character_id INTEGER NOT NULL,
            saved_revision INTEGER NOT NULL,
            snapshot TEXT NOT NULL,
            PRIMARY KEY (list, character_id)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE answers (
            sequence INTEGER NOT NULL PRIMARY KEY,
            request_id TEXT NOT NULL UNIQUE,
            list TEXT NOT NULL,
            character_id INTEGER NOT NULL,
            desired TEXT NOT NULL,
            is_favorite INTEGER NOT NULL,
            revision INTEGER NOT NULL,
            evicted TEXT,
            created_at INTEGER NOT NULL
        ) STRICT;
        PRAGMA user_version = 1;
        """

    /// The additions of version 2, as it was released.
    private static let version2 = """
        ALTER TABLE lists ADD COLUMN digest INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE changes (
            list TEXT NOT NULL REFERENCES lists (name),
            revision INTEGER NOT NULL,
            change TEXT NOT NULL,
            digest INTEGER NOT NULL,
            UNIQUE (list, revision)
        ) STRICT;
        CREATE TABLE pictures (
            character_id INTEGER NOT NULL PRIMARY KEY,
            media_type TEXT NOT NULL,
            is_placeholder INTEGER NOT NULL,
            bytes BLOB NOT NULL,
            fetched_at INTEGER NOT NULL
        ) STRICT;
        PRAGMA user_version = 2;
        """

    private static let snapshot = """
        {"character":{"comics":3,"description":"","events":0,"id":7,"name":"Hulk","series":0,"stories":0,"urls":[]},\
        "savedAt":{"nanoseconds":5,"seconds":1700000000}}
        """

    private static let rows = """
        INSERT INTO lists VALUES ('default', 9), ('emptied', 2);
        INSERT INTO favorites VALUES ('default', 7, 9, '\(snapshot)');
        INSERT INTO answers VALUES
            (1, 'r-1', 'default', 7, 'toggle', 1, 9, '[\(snapshot)]', 1700000000),
            (2, 'r-2', 'emptied', 7, 'removed', 0, 2, NULL, 1700000000);
        """

    private let hulk = Favorite(
        character: MarvelCharacter(id: 7, name: "Hulk", comicCount: 3),
        savedAt: Timestamp(seconds: 1_700_000_000, nanoseconds: 5)
    )

    private func makeVersion1(_ path: String) throws {
        let database = try DatabaseQueue(path, .undefended)
        try database.sync { db in
            try db.execute("PRAGMA journal_mode = WAL")
            try db.execute(Self.version1)
            try db.execute(Self.rows)
        }
        try database.close()
    }

    /// The rows of version 1, with the log of a change and a picture.
    private func makeVersion2(_ path: String) throws {
        try makeVersion1(path)
        let database = try DatabaseQueue(path, .undefended)
        let text = "{\"saved\":\(Self.snapshot)}"
        let digest = ChangeDigest.next(after: 0, revision: 9, text: Array(text.utf8))
        try database.sync { db in
            try db.execute(Self.version2)
            try db.run("UPDATE lists SET digest = ? WHERE name = 'default'", digest)
            try db.run("INSERT INTO changes VALUES ('default', 9, ?, ?)", text, digest)
            try db.execute("INSERT INTO pictures VALUES (7, 'image/png', 0, x'0102', 1700000000)")
        }
        try database.close()
    }

    private func open(_ path: String) throws -> SQLiteFavoritesStore {
        try SQLiteFavoritesStore(path: path, now: clock())
    }

    @Test func aStoreOfVersion1HasAllThatItHad() async throws {
        try makeVersion1(path)
        let store = try open(path)
        #expect(store.openingReport.problems == [])
        #expect(store.openingReport.schemaVersion == StoreSchema.version)
        #expect(try await store.favorites(.default).favorites == [hulk])
        #expect(try await store.favorites(.default).revision == 9)
        #expect(try await store.favorites(list("emptied")).revision == 2)
        let answer = try await store.toggle(7, request: "r-1")
        #expect((answer.isFavorite, answer.revision) == (true, 9) && answer.evicted == [hulk])
        // It kept no log, so it can be followed only from the next change on.
        #expect(try await store.changes(of: .default, after: 3, limit: 10) == .compacted(oldest: 9))
        try await store.toggle(7)
        let change = FavoritesChange(revision: 10, removed: hulk)
        #expect(try await store.changes(of: .default, after: 9, limit: 10) == .changes([change]))
        await store.close()
        let again = try open(path)
        #expect(again.openingReport.problems == [])
        await again.close()
    }

    @Test func aStoreOfVersion2HasAllThatItHadAndABaseOfZero() async throws {
        try makeVersion2(path)
        #expect(try StoreCheck.check(path).problems == [], "read without a migration of the file")
        #expect(try exportedLists(path).map(\.owner) == [.nobody, .nobody])
        var moved: [KeptPicture] = []
        let store = try SQLiteFavoritesStore(
            path: path,
            movingPictures: {
                moved += $0
                return true
            },
            now: clock()
        )
        let picture = Picture(bytes: [1, 2], mediaType: .png)
        #expect(moved == [KeptPicture(id: 7, picture: picture, fetchedAt: Timestamp(seconds: 1_700_000_000))])
        #expect(store.openingReport.problems == [])
        #expect(store.openingReport.renewal == nil)
        #expect(try await store.favorites(.default).favorites == [hulk])
        #expect(
            try await store.changes(of: .default, after: 8, limit: 10)
                == .changes([FavoritesChange(revision: 9, saved: hulk)])
        )
        #expect(try await store.favorites(list("never")).revision == 0)
        #expect(try await store.toggle(7, request: "r-1").revision == 9)
        await store.close()
        #expect(try StoreCheck.check(path).problems == [])
    }

    /// Rows of a server that replaced a favorite's snapshot when its character was edited.
    private static let updatedList = """
        INSERT INTO lists VALUES ('other', 2, 1037235055826870264, NULL, 565, NULL, -5122283577678881578);
        INSERT INTO favorites VALUES ('other', 1, 1, '{"character":{"comics":1,"description":"","events":0,"id":1,\
        "modified":{"nanoseconds":0,"seconds":1795654955},"name":"Again","series":0,"stories":0,"thumbnail":\
        {"fileExtension":"png","path":"emblem/1"},"urls":[]},"savedAt":{"nanoseconds":725547484,"seconds":1795654955}}',
            -51179742346353497);
        INSERT INTO changes VALUES
            ('other', 1, '{"saved":{"character":{"comics":1,"description":"","events":0,"id":1,\
        "modified":{"nanoseconds":0,"seconds":1795654955},"name":"Edited","series":0,"stories":0,"thumbnail":\
        {"fileExtension":"png","path":"emblem/1"},"urls":[]},"savedAt":{"nanoseconds":725547484,\
        "seconds":1795654955}}}', -7216036384410025898),
            ('other', 2, '{"updated":[{"character":{"comics":1,"description":"","events":0,"id":1,\
        "modified":{"nanoseconds":0,"seconds":1795654955},"name":"Again","series":0,"stories":0,"thumbnail":\
        {"fileExtension":"png","path":"emblem/1"},"urls":[]},"savedAt":{"nanoseconds":725547484,\
        "seconds":1795654955}}]}', 1037235055826870264);
        """

    @Test func anUpdateOfAFavoriteIsAGapAndTheFavoritesStayAsTheyAre() async throws {
        await (try open(path)).close()
        try await change(path, Self.updatedList)
        let other = try list("other")
        let store = try open(path)
        #expect(store.openingReport.problems == [])
        #expect(try await store.favorites(other).favorites.map(\.character.name) == ["Again"])
        #expect(try await store.changes(of: other, after: 0, limit: 9) == .compacted(oldest: 2))
        #expect(try await store.toggle(1, on: other).revision == 3)
        #expect(try await store.allChanges(of: other, after: 2).map(\.revision) == [3])
        await store.close()
        #expect(try StoreCheck.check(path).problems == [])
    }

    @Test func aMigrationThatFailsLeavesTheStoreAsItWas() async throws {
        try makeVersion1(path)
        let database = try DatabaseQueue(path, .undefended)
        try database.sync { db in
            // Stands in the way of the last table that version 2 makes.
            try db.execute("CREATE TABLE pictures (x)")
            #expect(throws: DatabaseError.self) { try StoreSchema.migrate(db) }
            #expect(try StoreSchema.version(of: db) == 1)
            #expect(try db.values("SELECT name FROM pragma_table_info('lists')", as: String.self).count == 2)
            try db.execute("DROP TABLE pictures")
        }
        try database.close()
        let store = try open(path)
        #expect(try await store.favorites(.default).favorites == [hulk])
        await store.close()
    }
}
