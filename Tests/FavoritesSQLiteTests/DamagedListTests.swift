internal import FavoritesEngine
internal import Foundation
internal import MarvelDomain
internal import SQLiteFiles
internal import StoreContract
internal import Testing

@testable internal import FavoritesSQLite

/// Lists whose rows do not match their checksums: they are refused, and the others are served.
@Suite(.temporaryFolder) struct DamagedListTests {
    private static func sql(_ damage: ListDamage) -> String {
        switch damage {
        case .alteredFavorite:
            "UPDATE favorites SET snapshot = replace(snapshot, 'Character 1', 'Character 9') WHERE character_id = 1"
        case .missingFavorite: "DELETE FROM favorites WHERE character_id = 1"
        case .alteredRow: "UPDATE lists SET revision = revision + 4 WHERE name = 'damaged'"
        case .alteredChange:
            """
            UPDATE changes SET change = replace(change, 'Character 2', 'Character 9')
            WHERE list = 'damaged' AND revision = 2
            """
        }
    }

    @Test(arguments: ListDamage.allCases)
    func aStoreThatIsDamagedWhileItIsOpenKeepsTheContract(_ damage: ListDamage) async throws {
        let store = try SQLiteFavoritesStore.temporary(StoreLimits(capacity: 3))
        try await DamageContract.run(damage, on: store) { damage, _ in
            try store.database.sync { db in try db.execute(Self.sql(damage)) }
        }
        #expect(store.refusal == nil)
        #expect(store.damagedListCount == (damage == .alteredChange ? 0 : 1))
    }

    private static let damages = [
        "UPDATE favorites SET snapshot = replace(snapshot, 'Character 2', 'Character 9') WHERE character_id = 2",
        "UPDATE favorites SET snapshot = '{}' WHERE character_id = 2",
        "UPDATE favorites SET character_id = 9 WHERE character_id = 2",
        "UPDATE favorites SET saved_revision = 9 WHERE character_id = 2",
        "UPDATE favorites SET checksum = checksum + 1 WHERE character_id = 2",
        "DELETE FROM favorites WHERE character_id = 2",
        "INSERT INTO favorites SELECT 'default', 9, 9, snapshot, checksum FROM favorites WHERE character_id = 2",
        "UPDATE lists SET revision = 2 WHERE name = 'default'",
        "UPDATE lists SET checksum = 0 WHERE name = 'default'",
        "UPDATE lists SET deletion = 1 WHERE name = 'default'",
    ]

    /// `default` is damaged, and `whole` is not.
    private func makeStore() async throws {
        let store = try SQLiteFavoritesStore(path: path)
        for id: Int64 in 1...3 { try await store.toggle(id, request: "r-\(id)") }
        for id: Int64 in 4...5 { try await store.toggle(id, on: list("whole")) }
        await store.close()
    }

    /// Another type of value than the column declares, or a number that cannot be: a flipped bit outside a favorite's text.
    private static let strangeValues = [
        "UPDATE favorites SET snapshot = CAST(snapshot AS BLOB) WHERE character_id = 2",
        "UPDATE favorites SET saved_revision = 'x' WHERE character_id = 2",
        "UPDATE favorites SET saved_revision = 1.5 WHERE character_id = 2",
        "UPDATE favorites SET checksum = 1e300 WHERE character_id = 2",
        "UPDATE favorites SET character_id = 'x' WHERE character_id = 2",
        "UPDATE lists SET revision = -3 WHERE name = 'default'",
        "UPDATE lists SET revision = 'x' WHERE name = 'default'",
        "UPDATE lists SET revision = \(Int64.max) WHERE name = 'default'",
        "UPDATE lists SET log_bytes = -1 WHERE name = 'default'",
        "UPDATE lists SET log_bytes = \(Int64.max) WHERE name = 'default'",
        "UPDATE lists SET log_bytes = x'00' WHERE name = 'default'",
        "UPDATE lists SET digest = 'x' WHERE name = 'default'",
        "UPDATE lists SET checksum = 'x' WHERE name = 'default'",
        "UPDATE lists SET deletion = 'x' WHERE name = 'default'",
    ]

    /// Changes rows of a store whatever the schema declares, as a disk does.
    private func damage(_ path: String, _ sql: String) async throws {
        let tables = "name IN ('lists', 'favorites')"
        let change = "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql,"
        try await FavoritesSQLiteTests.change(path, "\(change) 'STRICT, WITHOUT', 'WITHOUT') WHERE \(tables)")
        try await FavoritesSQLiteTests.change(
            path,
            "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; \(sql)"
        )
        try await FavoritesSQLiteTests.change(path, "\(change) 'WITHOUT', 'STRICT, WITHOUT') WHERE \(tables)")
    }

    @Test(arguments: damages + strangeValues)
    func aStartReportsADamagedListAndServesTheOthers(_ sql: String) async throws {
        try await makeStore()
        try await damage(path, sql)
        #expect(try StoreCheck.check(path).damagedLists == [.default])
        var exported: [UInt8] = []
        let report = try StoredLists.export(path) { exported += $0 }
        #expect(report.listCount == 1 && report.damagedLists == [.default])
        #expect(String(decoding: exported, as: UTF8.self).contains(#""list":"whole""#))
        let log = OperatorLog()
        let store = try SQLiteFavoritesStore(path: path, onError: log.write)
        let problems = store.openingReport.problems
        #expect(problems.contains { $0.hasPrefix("list default: ") && $0.hasSuffix("; the list is refused") })
        #expect(store.openingReport.damagedLists == [.default])
        for _ in 0..<2 { try await expectRefusal(of: .default, in: store) }
        #expect(log.lines == [], "the start has reported it")
        #expect(store.damagedListCount == 1)
        #expect(try await store.lists(prefix: "w", after: nil, limit: 9).map(\.ids) == [[4, 5]])
        #expect(try await store.delete(list("whole")).existed)
        for id: Int64 in 4...5 { try await store.toggle(id, on: list("whole")) }
        #expect(try await store.favorites(list("whole")).favorites.map(\.character.id) == [4, 5])
        #expect(store.refusal == nil)
        await store.close()
    }

    private func expectRefusal(of list: ListName, in store: SQLiteFavoritesStore) async throws {
        await #expect(throws: StoreError.damaged(list)) { try await store.favorites(list) }
        for id: Int64 in [2, 9] {
            await #expect(throws: StoreError.damaged(list)) { try await store.toggle(id, on: list) }
        }
        await #expect(throws: StoreError.damaged(list)) { try await store.delete(list) }
    }

    /// The name of a list, or of the list of a favorite, has become invalid.
    @Test(arguments: [
        "UPDATE lists SET name = 'z?' WHERE name = 'whole'", "UPDATE lists SET name = x'7A' WHERE name = 'whole'",
        "UPDATE favorites SET list = 'z?' WHERE list = 'whole'",
        "UPDATE favorites SET list = x'7A' WHERE list = 'whole'",
    ])
    func anInvalidNameIsReportedAndTheOthersAreServed(_ sql: String) async throws {
        try await makeStore()
        try await damage(path, sql)
        #expect(try StoreCheck.check(path).problems.contains { $0.contains("invalid name") })
        #expect(try exportedLists(path).map(\.name) == [.default])
        let report = try StoredLists.export(path) { _ in }
        #expect(try report.damagedLists == [list("whole")])
        #expect(report.invalidNameCount == (sql.hasPrefix("UPDATE lists") ? 1 : 0))
        let store = try SQLiteFavoritesStore(path: path)
        #expect(store.openingReport.problems.contains { $0.contains("invalid name") })
        #expect(store.openingReport.damagedLists == [try list("whole")])
        #expect(try await store.favorites(.default).favorites.count == 3)
        #expect(try await store.lists(prefix: "", after: nil, limit: 9).map(\.name) == [.default])
        try await store.toggle(8)
        #expect(store.refusal == nil)
        await store.close()
    }

    /// The row of a list with favorites says that it is deleted.
    @Test func aListThatSeemsDeletedStopsNoDeletionOfOthers() async throws {
        let store = try SQLiteFavoritesStore.temporary(StoreLimits(maximumLists: 2))
        try await store.toggle(1)
        _ = try await store.delete(.default)
        try await store.toggle(1)
        try store.database.sync { db in
            try db.execute("UPDATE lists SET deletion = 0")
        }
        for number in 1...30 {
            let name = try list("other-\(number)")
            try await store.toggle(1, on: name)
            #expect(try await store.delete(name).existed)
        }
        await #expect(throws: StoreError.damaged(.default)) { try await store.favorites(.default) }
        try store.database.sync { db in
            try db.committed { try StoreHistory.renew(in: db) }
            #expect(try ListsTable.deletedCount(in: db) == 1)
        }
        await #expect(throws: StoreError.damaged(.default)) { try await store.favorites(.default) }
    }

    @Test func damageThatComesLaterIsReportedOnce() async throws {
        try await makeStore()
        let log = OperatorLog()
        let store = try SQLiteFavoritesStore(path: path, onError: log.write)
        try store.database.sync { db in try db.execute(Self.damages[0]) }
        for _ in 0..<3 {
            await #expect(throws: StoreError.damaged(.default)) { try await store.favorites(.default) }
        }
        #expect(
            log.lines == ["list default: the row of character 2 does not match its checksum; the list is refused"]
        )
        #expect(store.damagedListCount == 1)
        await store.close()
    }

    @Test func aListWithAWrongSizeOfItsLogCutsNoOther() async throws {
        try await makeStore()
        try await change(path, "UPDATE lists SET log_bytes = \(Int64(1) << 37) WHERE name = 'whole'")
        let store = try SQLiteFavoritesStore(path: path)
        #expect(store.openingReport.problems.contains { $0.contains("its list says") })
        for id: Int64 in 6...9 { try await store.toggle(id) }
        #expect(try await store.allChanges(after: 0).map(\.revision) == Array(1...7))
        await store.close()
    }

    @Test func favoritesWithoutAListAreRefusedByItsName() async throws {
        try await makeStore()
        let other = try list("other")
        try await change(
            path,
            "PRAGMA foreign_keys = OFF; UPDATE favorites SET list = 'other' WHERE character_id = 2"
        )
        let store = try SQLiteFavoritesStore(path: path)
        #expect(store.openingReport.damagedLists == [.default, other])
        for damaged in [.default, other] {
            await #expect(throws: StoreError.damaged(damaged)) { try await store.favorites(damaged) }
            for id: Int64 in [2, 9] {
                await #expect(throws: StoreError.damaged(damaged)) { try await store.toggle(id, on: damaged) }
            }
        }
        #expect(try await store.favorites(list("whole")).revision == 2)
        #expect(store.refusal == nil)
        await store.close()
    }

    /// Ids of a damaged list are not shown, and the page is as long as any other.
    @Test func aPageOfListsLeavesOutTheDamagedOnes() async throws {
        let store = try SQLiteFavoritesStore.temporary()
        for name in ["a", "b", "c", "d"] { try await store.toggle(1, on: list(name)) }
        try store.database.sync { db in
            try db.execute("UPDATE favorites SET character_id = 2 WHERE list IN ('b', 'd')")
        }
        let first = try await store.lists(prefix: "", after: nil, limit: 2)
        #expect(first.map(\.name.text) == ["a", "c"])
        #expect(try await store.lists(prefix: "", after: first.last?.name, limit: 2) == [])
        #expect(store.damagedListCount == 2)
    }

    /// A server may begin a new history, and does not make a damaged list a whole one by it.
    @Test func aNewHistoryLeavesADamagedListRefused() async throws {
        try await makeStore()
        try await change(path, Self.damages[2] + "; UPDATE history SET is_copy = 1")
        let store = try SQLiteFavoritesStore(path: path, capacity: 2)
        #expect(store.openingReport.renewal == .copy)
        await #expect(throws: StoreError.damaged(.default)) { try await store.favorites(.default) }
        #expect(try await store.favorites(list("whole")).revision == 1 << 32)
        #expect(try await store.toggle(6, on: list("whole")).evicted.count == 1)
        await store.close()
        let again = try SQLiteFavoritesStore(path: path)
        #expect(again.openingReport.damagedLists == [.default])
        #expect(try await again.favorites(list("whole")).favorites.map(\.character.id) == [5, 6])
        await again.close()
    }

    /// The log of a damaged list stays, and the logs of the others are cut.
    @Test func aDamagedListWithTheOldestLogStopsNoCommit() async throws {
        let store = try SQLiteFavoritesStore.temporary(StoreLimits(logBytes: 20_000))
        for _ in 1...60 { try await store.toggle(1) }
        try store.database.sync { db in
            try db.execute("UPDATE lists SET checksum = 0")
        }
        let count = try await store.database.read { db in try db.value("SELECT count(*) FROM changes", as: Int.self) }
        for _ in 1...60 { try await store.toggle(1, on: list("whole")) }
        #expect(store.refusal == nil)
        let counts = try await store.database.read { db in
            try db.values("SELECT count(*) FROM changes GROUP BY list ORDER BY list", as: Int.self)
        }
        #expect(counts.first == count && counts.count == 2)
        #expect(counts.last.map { $0 < 60 } == true)
        await #expect(throws: StoreError.damaged(.default)) { try await store.favorites(.default) }
    }

    @Test func picturesAreFetchedForWholeFavoritesAlone() async throws {
        try await makeStore()
        try await change(path, Self.damages[0])
        let store = try SQLiteFavoritesStore(path: path)
        let missing = try await store.favoriteCharacters(excluding: [], limit: 10)
        #expect(Set(missing.map(\.id)).isDisjoint(with: [2]))
        #expect(missing.map(\.id).contains(4))
        // A picture of a damaged list is kept for its restoration.
        #expect(try await store.favorites(among: [2, 4, 99]) == [2, 4])
        await store.close()
    }

    // MARK: Stores whose rows had no checksums

    /// As version 5 left it.
    private func makeVersion5(_ damage: String = "") async throws {
        try await makeStore()
        try await change(path, "\(removingChecksums); PRAGMA user_version = 5; \(damage)")
    }

    @Test func aMigratedStoreIsServedAndItsLaterDamageIsFound() async throws {
        try await makeVersion5()
        #expect(try StoreCheck.check(path).problems == [])
        let store = try SQLiteFavoritesStore(path: path)
        #expect(store.openingReport.problems == [])
        #expect(try await store.ids() == [1, 2, 3])
        #expect(try await store.toggle(2).revision == 4)
        await store.close()
        #expect(try StoreCheck.check(path).problems == [])
        try await change(path, "DELETE FROM favorites WHERE character_id = 3")
        #expect(try StoreCheck.check(path).damagedLists == [.default])
    }

    /// The program of version 5 left none beside a store that it restored.
    @Test func aStoreOfAnEarlierVersionNeedsNoWitness() async throws {
        try await makeVersion5()
        try FileManager.default.removeItem(atPath: path + ".witness")
        #expect(try StoreCheck.check(path).problems == [])
        let store = try SQLiteFavoritesStore(path: path)
        #expect(store.openingReport.problems == [])
        #expect(store.openingReport.renewal == nil)
        await store.close()
        try FileManager.default.removeItem(atPath: path + ".witness")
        #expect(try StoreCheck.check(path).losses.count == 1)
    }

    @Test(
        arguments: [damages[1], damages[2], damages[3], damages[7], damages[9]] + [
            "UPDATE favorites SET saved_revision = 1 WHERE character_id = 2",
            "UPDATE favorites SET snapshot = '{' WHERE character_id = 2",
            "UPDATE favorites SET snapshot = replace(snapshot, 'comics', 'comicr') WHERE character_id = 2",
        ]
    )
    func aMigrationDoesNotTrustWhatItsListContradicts(_ damage: String) async throws {
        try await makeVersion5(damage)
        #expect(try StoreCheck.check(path).damagedLists.contains(.default))
        let store = try SQLiteFavoritesStore(path: path)
        #expect(store.openingReport.damagedLists == [.default])
        await #expect(throws: StoreError.damaged(.default)) { try await store.favorites(.default) }
        #expect(try await store.favorites(list("whole")).favorites.count == 2)
        await store.close()
    }
}
