import Catalog
import CatalogEdits
import Foundation
import GRDB
import GRDBSQLite
import MarvelDomain
import Synchronization
import Testing

@testable import CatalogFiles

@Suite struct SQLiteEditStoreTests {
    private static let png = Picture(bytes: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1], mediaType: .png)
    private static let gif = Picture(bytes: Array("GIF89a.".utf8), mediaType: .gif)
    private static let now = Timestamp(seconds: 1_700_000_000)
    private static let first = EditedCharacter.createdIDs.lowerBound

    /// A store in a file of its own, which is gone afterwards.
    private func withStore(
        _ body: (_ path: String, _ store: SQLiteEditStore) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/edits-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/edits.sqlite"
        let store = try Self.open(path)
        try await body(path, store)
        store.close()
    }

    private static func open(_ path: String, at seconds: Int64 = now.seconds) throws(EditsOpenError) -> SQLiteEditStore
    {
        try SQLiteEditStore(path: path, now: { Timestamp(seconds: seconds) })
    }

    private func write(
        _ order: EditOrder,
        to store: SQLiteEditStore,
        taken: Set<Int64> = []
    ) async throws -> EditedCharacter {
        try await store.write(order) { taken.contains($0) }
    }

    private func error(
        _ order: EditOrder,
        to store: SQLiteEditStore,
        taken: Set<Int64> = []
    ) async -> EditError? {
        do throws(EditError) {
            _ = try await store.write(order) { taken.contains($0) }
            return nil
        } catch {
            return error
        }
    }

    @Test func everyFieldIsThereAfterTheFileIsOpenedAgain() async throws {
        try await withStore { path, store in
            let full = CharacterEdit(
                name: "Náme",
                description: "",
                comicCount: 1,
                seriesCount: 2,
                storyCount: 3,
                eventCount: 0,
                urls: [CharacterURL(type: "wiki", url: "http://w?a=\"b\"")]
            )
            let made = try await write(EditOrder(.new(nil), full, picture: .set(Self.png)), to: store)
            #expect(
                made
                    == EditedCharacter(
                        id: Self.first,
                        kind: .created,
                        edit: full,
                        pictureType: .png,
                        editedAt: Self.now,
                        revision: 1
                    )
            )
            let edited = try await write(EditOrder(.existing(7), CharacterEdit(urls: [])), to: store)
            #expect(edited.kind == .edited && edited.revision == 2 && edited.edit == CharacterEdit(urls: []))
            let again = try Self.open(path)
            #expect(try await again.edits(after: 0) == [made, edited])
            #expect(try await again.edits(after: 1) == [edited])
            #expect(try await again.picture(of: Self.first) == Self.png)
            #expect(try await again.picture(of: 7) == nil)
            again.close()
        }
    }

    @Test func theFileIsItsOwnersAlone() async throws {
        try await withStore { path, _ in
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    @Test func idsOfCreatedCharactersAreAboveAllAndNoneIsGivenTwice() async throws {
        try await withStore { _, store in
            let order = EditOrder(.new(nil), CharacterEdit(name: "x"))
            var ids: [Int64] = []
            ids.append(try await write(order, to: store).id)
            ids.append(try await write(order, to: store, taken: [Self.first + 1]).id)
            _ = try await write(EditOrder(.reverted(Self.first + 2)), to: store)
            ids.append(try await write(order, to: store).id)
            // Chosen ids outside the range leave it as it is.
            _ = try await write(EditOrder(.new(3_000_000_000), CharacterEdit(name: "x")), to: store)
            ids.append(try await write(order, to: store).id)
            #expect(ids == [0, 2, 3, 4].map { Self.first + $0 })
        }
    }

    @Test func anIDChosenAtTheEndOfTheRangeStopsNoOther() async throws {
        try await withStore { _, store in
            let order = EditOrder(.new(nil), CharacterEdit(name: "x"))
            let last = EditedCharacter.createdIDs.upperBound
            _ = try await write(EditOrder(.new(last), CharacterEdit(name: "x")), to: store)
            _ = try await write(EditOrder(.new(Self.first + 1), CharacterEdit(name: "x")), to: store)
            _ = try await write(EditOrder(.new(.max), CharacterEdit(name: "x")), to: store)
            var ids: [Int64] = []
            for _ in 1...3 { ids.append(try await write(order, to: store, taken: [Self.first + 3]).id) }
            #expect(ids == [0, 2, 4].map { Self.first + $0 })
        }
    }

    @Test func requestsThatAreKeptAreBounded() async throws {
        try await withStore { path, store in
            let database = try DatabaseQueue(path: path)
            let maximum = EditRequestsTable.maximumCount
            try await database.write { db in
                try Self.addRequests(maximum, in: db)
            }
            func count(_ condition: String) async throws -> Int? {
                try await database.read { db in
                    try Int.fetchOne(db, sql: "SELECT count(*) FROM requests WHERE \(condition)")
                }
            }
            let later = try Self.open(path)
            for number in 1...2 {
                let id = try #require(RequestID("new-\(number)"))
                let edit = CharacterEdit(name: "A\(number)")
                _ = try await write(EditOrder(.existing(7), edit, request: RequestKey(id)), to: later)
            }
            #expect(try await count("request_id LIKE 'new-%'") == 2)
            #expect(try await count("1") == maximum - maximum / 10 + 2)
            #expect(try await count("request_id = 'old-1'") == 0)
            later.close()
            try database.close()
        }
    }

    /// Adds requests of the last two days.
    private static func addRequests(_ count: Int, in db: Database) throws {
        try db.execute(
            sql: """
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
                INSERT INTO requests (principal, request_id, digest, character_id, created_at)
                    SELECT '', 'old-' || i, 1, 1, ? + i FROM n
                """,
            arguments: [count, now.seconds - 150_000]
        )
    }

    /// The cost is the number of steps of SQLite's virtual machine.
    @Test func aRequestCostsTheSameHoweverManyAreKept() throws {
        func cost(keeping count: Int) throws -> Int {
            let steps = UnsafeMutablePointer<Int>.allocate(capacity: 1)
            defer { steps.deallocate() }
            steps.initialize(to: 0)
            let id = try #require(RequestID("new"))
            try DatabaseQueue().inDatabase { db in
                try EditsSchema.prepare(db, path: "in memory")
                try Self.addRequests(count, in: db)
                let increment: @convention(c) (UnsafeMutableRawPointer?) -> CInt = { steps in
                    steps?.assumingMemoryBound(to: Int.self).pointee += 1
                    return 0
                }
                sqlite3_progress_handler(db.sqliteConnection, 1, increment, steps)
                defer { sqlite3_progress_handler(db.sqliteConnection, 0, nil, nil) }
                let order = EditOrder(.existing(7), CharacterEdit(name: "A"), request: RequestKey(id))
                try EditRequestsTable.insert(order, RequestKey(id), of: 7, at: Self.now, in: db)
            }
            return steps.pointee
        }
        let few = try cost(keeping: 100)
        #expect(few > 0)
        #expect(try cost(keeping: 20_000) <= few + 10)
    }

    @Test func requestsOfTheFirstVersionAreKnown() async throws {
        try await withStore { path, store in
            let id = try #require(RequestID("r"))
            let order = EditOrder(.existing(7), CharacterEdit(name: "A"), request: RequestKey(id))
            let first = try await write(order, to: store)
            let database = try DatabaseQueue(path: path)
            try await database.write { db in
                try db.execute(
                    sql: """
                        CREATE TABLE earlier (request_id TEXT NOT NULL PRIMARY KEY, digest INTEGER NOT NULL,
                            character_id INTEGER NOT NULL, created_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
                        INSERT INTO earlier SELECT request_id, digest, character_id, created_at FROM requests;
                        DROP TABLE requests;
                        ALTER TABLE earlier RENAME TO requests;
                        PRAGMA user_version = 1;
                        """
                )
            }
            try database.close()
            let later = try Self.open(path)
            #expect(try await write(order, to: later) == first)
            later.close()
        }
    }

    @Test func anIDThatIsThereIsNotCreatedAgain() async throws {
        try await withStore { _, store in
            let order = EditOrder(.new(5), CharacterEdit(name: "x"))
            #expect(await error(order, to: store, taken: [5]) == .exists(5))
            _ = try await write(order, to: store)
            #expect(await error(order, to: store) == .exists(5))
            _ = try await write(EditOrder(.reverted(5)), to: store)
            #expect(try await write(order, to: store).kind == .created)
        }
    }

    @Test func laterEditsKeepWhatTheyDoNotSay() async throws {
        try await withStore { _, store in
            _ = try await write(EditOrder(.existing(7), CharacterEdit(name: "A", comicCount: 1)), to: store)
            let edit = CharacterEdit(description: "d", comicCount: 2)
            let edited = try await write(EditOrder(.existing(7), edit), to: store)
            #expect(edited.edit == CharacterEdit(name: "A", description: "d", comicCount: 2))
            #expect(edited.revision == 2)
        }
    }

    @Test func whatChangesNothingIsNoEdit() async throws {
        try await withStore { _, store in
            let order = EditOrder(.existing(7), CharacterEdit(name: "A"), picture: .set(Self.png))
            let edited = try await write(order, to: store)
            for same in [order, EditOrder(.existing(7)), EditOrder(.existing(7), CharacterEdit(name: "A"))] {
                #expect(try await write(same, to: store) == edited)
            }
            #expect(try await write(EditOrder(.existing(7), picture: .set(Self.gif)), to: store).revision == 2)
        }
    }

    @Test func aPictureIsReplacedKeptAndRemoved() async throws {
        try await withStore { _, store in
            _ = try await write(EditOrder(.existing(7), picture: .set(Self.png)), to: store)
            var edited = try await write(EditOrder(.existing(7), picture: .set(Self.gif)), to: store)
            #expect(edited.pictureType == .gif)
            edited = try await write(EditOrder(.existing(7), CharacterEdit(name: "A")), to: store)
            #expect(edited.pictureType == .gif)
            #expect(try await store.picture(of: 7) == Self.gif)
            edited = try await write(EditOrder(.existing(7), picture: .remove), to: store)
            #expect(edited.pictureType == nil)
            #expect(try await store.picture(of: 7) == nil)
        }
    }

    @Test func editsThatAreTakenBackAreTold() async throws {
        try await withStore { _, store in
            let order = EditOrder(.existing(7), CharacterEdit(name: "A"), picture: .set(Self.png))
            _ = try await write(order, to: store)
            let reverted = try await write(EditOrder(.reverted(7)), to: store)
            #expect(reverted.kind == .reverted && reverted.revision == 2 && reverted.edit == CharacterEdit())
            #expect(try await store.edits(after: 1) == [reverted])
            #expect(try await store.picture(of: 7) == nil)
            // Of what was not edited there is nothing to take back.
            #expect(try await write(EditOrder(.reverted(7)), to: store) == reverted)
            #expect(try await write(EditOrder(.reverted(8)), to: store).revision == 0)
            #expect(try await store.edits(after: 0) == [reverted])
        }
    }

    @Test func anEditThatOverwritesAnotherUnseenIsRefused() async throws {
        try await withStore { _, store in
            func order(_ name: String, seen: Int64) -> EditOrder {
                EditOrder(.existing(7), CharacterEdit(name: name), expectedRevision: seen)
            }
            #expect(await error(order("A", seen: 1), to: store) == .conflict(current: 0))
            _ = try await write(EditOrder(.existing(7), CharacterEdit(name: "A")), to: store)
            #expect(try await write(order("B", seen: 1), to: store).revision == 2)
            #expect(await error(order("C", seen: 1), to: store) == .conflict(current: 2))
            #expect(try await store.edits(after: 0).map(\.edit.name) == ["B"])
        }
    }

    @Test func aRequestThatIsSentAgainIsNotDoneAgain() async throws {
        try await withStore { path, store in
            let id = try #require(RequestID("r-1"))
            let order = EditOrder(.new(nil), CharacterEdit(name: "A"), picture: .set(Self.png), request: RequestKey(id))
            let made = try await write(order, to: store)
            let again = try Self.open(path)
            #expect(try await write(order, to: again) == made)
            var other = order
            other.edit.name = "B"
            #expect(await error(other, to: again) == .requestIDReused)
            other = order
            other.picture = .set(Self.gif)
            #expect(await error(other, to: again) == .requestIDReused)
            // It is answered with what the character is then.
            let edited = try await write(EditOrder(.existing(made.id), CharacterEdit(name: "C")), to: again)
            #expect(try await write(order, to: store) == edited)
            again.close()
            // After 7 days, and the next request, it is forgotten.
            let later = try Self.open(path, at: Self.now.seconds + 7 * 86_400 + 1)
            let next = try #require(RequestID("r-2"))
            _ = try await write(EditOrder(.existing(7), CharacterEdit(name: "A"), request: RequestKey(next)), to: later)
            #expect(try await write(order, to: later).id != made.id)
            later.close()
        }
    }

    @Test func theSameRequestIDOfTwoPrincipalsIsTwoRequests() async throws {
        try await withStore { _, store in
            let id = try #require(RequestID("r-1"))
            func order(_ name: String, of principal: String) -> EditOrder {
                EditOrder(.new(nil), CharacterEdit(name: name), request: RequestKey(id, of: principal))
            }
            let (first, second) = try await (
                write(order("A", of: "anna"), to: store), write(order("B", of: "berta"), to: store)
            )
            #expect(first.id != second.id)
            #expect(try await write(order("A", of: "anna"), to: store) == first)
            #expect(try await write(order("B", of: "berta"), to: store) == second)
            #expect(await error(order("B", of: "anna"), to: store) == .requestIDReused)
        }
    }

    /// Requests that were answered before there were principals are those of callers without a name.
    @Test func aFileOfBeforePrincipalsKeepsItsAnswers() async throws {
        try await withStore { path, store in
            let id = try #require(RequestID("r-1"))
            let order = EditOrder(.new(nil), CharacterEdit(name: "A"), request: RequestKey(id))
            let made = try await write(order, to: store)
            let database = try DatabaseQueue(path: path)
            try await database.write { db in
                try db.execute(
                    sql: """
                        CREATE TABLE numbered_requests (
                            number INTEGER NOT NULL PRIMARY KEY, request_id TEXT NOT NULL UNIQUE, digest INTEGER NOT NULL,
                            character_id INTEGER NOT NULL, created_at INTEGER NOT NULL
                        ) STRICT;
                        INSERT INTO numbered_requests SELECT number, request_id, digest, character_id, created_at
                            FROM requests;
                        DROP TABLE requests;
                        ALTER TABLE numbered_requests RENAME TO requests;
                        PRAGMA user_version = 2;
                        """
                )
            }
            try database.close()
            let again = try Self.open(path)
            #expect(try await write(order, to: again) == made)
            again.close()
        }
    }

    @Test func whatOthersWriteIsNoticedOnce() async throws {
        try await withStore { path, store in
            _ = await store.changeByOthers()
            #expect(await store.changeByOthers() == .none)
            _ = try await write(EditOrder(.existing(1), CharacterEdit(name: "mine")), to: store)
            #expect(await store.changeByOthers() == .none)
            let other = try Self.open(path)
            _ = try await write(EditOrder(.existing(2), CharacterEdit(name: "theirs")), to: other)
            #expect(await store.changeByOthers() == .written)
            #expect(await store.changeByOthers() == .none)
            #expect(try await store.edits(after: 1).map(\.id) == [2])
            other.close()
        }
    }

    /// Another program may have made the tables.
    @Test(arguments: [
        "(7, NULL, 'N', NULL, NULL, NULL, NULL, NULL, NULL, 1, 1)", "(NULL, 'edited', 5, 5, 5, 5, 5, 5, 5, 5, 5)",
        "(7, 'edited', x'ff', NULL, 'many', NULL, NULL, NULL, NULL, 1, 1)",
        "(7, 'edited', 'N', NULL, 99999999999, NULL, NULL, NULL, NULL, 1, 1)",
        "(7, 'edited', 'N', NULL, NULL, NULL, NULL, NULL, '{', 1, 1)",
        "(7, 'edited', 'N', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 2)",
        "('x', 'edited', 'N', NULL, NULL, NULL, NULL, NULL, NULL, 1, 'new')",
    ])
    func oddRowsAreToldAndEndNothing(_ row: String) async throws {
        try await withStore { path, store in
            _ = try await write(EditOrder(.existing(8), CharacterEdit(name: "A"), picture: .set(Self.png)), to: store)
            let database = try DatabaseQueue(path: path)
            try await database.write { db in
                try db.execute(
                    sql: """
                        PRAGMA foreign_keys = OFF;
                        DROP TABLE pictures; DROP TABLE edits; DROP TABLE requests;
                        CREATE TABLE edits (character_id, kind, name, description, comic_count, series_count, story_count,
                            event_count, urls, edited_at, revision);
                        CREATE TABLE pictures (character_id, media_type, bytes);
                        CREATE TABLE requests (number, request_id, digest, character_id, created_at);
                        INSERT INTO edits VALUES \(row);
                        INSERT INTO pictures VALUES (7, NULL, NULL), (8, 'image/png', NULL);
                        INSERT INTO requests VALUES (1, 'r', NULL, NULL, NULL);
                        """
                )
            }
            try database.close()
            await #expect(throws: EditError.self) { try await store.edits(after: 0) }
            await #expect(throws: EditError.self) { try await store.picture(of: 7) }
            await #expect(throws: EditError.self) { try await store.picture(of: 8) }
            let id = try #require(RequestID("r"))
            let order = EditOrder(.existing(7), CharacterEdit(name: "B"), request: RequestKey(id))
            guard case .notWritable = await error(order, to: store) else {
                Issue.record("the edit was acknowledged")
                return
            }
        }
    }

    @Test func aFileThatWasMovedAwayTakesNoEdit() async throws {
        try await withStore { path, store in
            try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
            guard case .notWritable = await error(EditOrder(.existing(1), CharacterEdit(name: "x")), to: store) else {
                Issue.record("the edit was acknowledged")
                return
            }
        }
    }

    /// A server reads every second: its log was filled with one line.
    @Test func aFileThatCannotBeReadIsReportedWhenTheReasonChanges() async throws {
        try await withStore { path, _ in
            let reports = Mutex<[EditsReport]>([])
            let store = try SQLiteEditStore(path: path, now: { Self.now }) { report in
                reports.withLock { $0.append(report) }
            }
            let other = try DatabaseQueue(path: path)
            func readThrice(after change: String) async throws -> [EditsReport] {
                try await other.writeWithoutTransaction { db in try db.execute(sql: change) }
                for _ in 1...3 {
                    _ = await store.changeByOthers()
                    _ = try? await store.edits(after: 0)
                }
                return reports.withLock { reports in
                    defer { reports = [] }
                    return reports
                }
            }
            #expect(try await readThrice(after: "") == [])
            let missingTable = try await readThrice(after: "ALTER TABLE edits RENAME TO moved")
            #expect(missingTable.count == 1)
            let missingColumn = try await readThrice(
                after: "ALTER TABLE moved RENAME TO edits; ALTER TABLE edits RENAME COLUMN revision TO other"
            )
            #expect(missingColumn.count == 1)
            #expect(missingColumn != missingTable)
            #expect(
                try await readThrice(after: "ALTER TABLE edits RENAME COLUMN other TO revision")
                    == [.recovered("the edits can be read again")]
            )
            try other.close()
            store.close()
        }
    }

    @Test func anotherProgramsFileIsLeftAsItIs() async throws {
        try await withStore { path, _ in
            let other = path + ".other"
            let database = try DatabaseQueue(path: other)
            try await database.write { db in try db.execute(sql: "CREATE TABLE t (x)") }
            try database.close()
            let before = try Data(contentsOf: URL(fileURLWithPath: other))
            let error = #expect(throws: EditsOpenError.self) { try Self.open(other) }
            #expect(error?.message.contains("not touched") == true)
            #expect(try Data(contentsOf: URL(fileURLWithPath: other)) == before)

            let strange = try DatabaseQueue(path: path)
            try await strange.write { db in
                try db.execute(sql: "CREATE TRIGGER t AFTER INSERT ON requests BEGIN DELETE FROM edits; END")
            }
            let altered = #expect(throws: EditsOpenError.self) { try Self.open(path) }
            #expect(altered?.message.contains("\(path) has the trigger t") == true)
            try await strange.write { db in try db.execute(sql: "DROP TRIGGER t") }
            try strange.close()

            let newer = try DatabaseQueue(path: path)
            try await newer.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA user_version = 99") }
            try newer.close()
            #expect(throws: EditsOpenError.self) { try Self.open(path) }
            try Data("no database".utf8).write(to: URL(fileURLWithPath: other))
            #expect(throws: EditsOpenError.self) { try Self.open(other) }
            #expect(throws: EditsOpenError.self) { try Self.open("/nonexistent/edits.sqlite") }
        }
    }
}
