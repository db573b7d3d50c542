internal import MarvelDomain
internal import StoreContract
internal import Synchronization
internal import TestDatabases
internal import Testing

@testable internal import FavoritesPostgres

/// Rows that differ from what was written: their list is refused, and the others are served.
@Suite(.needsPostgres, .timeLimit(.minutes(10))) struct DamageTests {
    /// Damage to the list "bad", and whether its own row has it.
    private static let damage = [
        ("UPDATE marvel.favorites SET snapshot = set_byte(snapshot, 9, get_byte(snapshot, 9) # 1) WHERE WHICH", false),
        ("UPDATE marvel.favorites SET character_id = 1009999 WHERE WHICH", false),
        ("UPDATE marvel.favorites SET saved_revision = 9 WHERE WHICH", false),
        ("UPDATE marvel.favorites SET checksum = set_byte(checksum, 0, get_byte(checksum, 0) # 1) WHERE WHICH", false),
        ("DELETE FROM marvel.favorites WHERE WHICH", false),
        (
            """
            INSERT INTO marvel.favorites (list, character_id, saved_revision, snapshot, checksum)
                SELECT list, 9, 9, snapshot, marvel.favorite_checksum_1(list, 9, 9, snapshot)
                FROM marvel.favorites WHERE WHICH
            """, false
        ),
        ("UPDATE marvel.lists SET ids = ids[2:] WHERE name = 'bad'", true),
        ("UPDATE marvel.lists SET ids = '{1009999,2,3}' WHERE name = 'bad'", true),
        ("UPDATE marvel.lists SET owner = 'eve' WHERE name = 'bad'", true),
    ]

    private func make(_ damage: String, _ server: PostgresServer, _ address: String) async throws {
        try await server.run(damage.replacing("WHICH", with: "list = 'bad' AND character_id = 1"), in: address)
    }

    @Test(arguments: damage)
    func aDamagedListIsRefusedAndOthersAreServed(_ damage: String, _ isOfList: Bool) async throws {
        try await withStores(1, .init(capacity: 3)) { server, address, stores in
            let (bad, good) = (try list("bad"), try list("good"))
            for id: Int64 in 1...3 {
                for list in [bad, good] { try await stores[0].toggle(id, on: list) }
            }
            try await make(damage, server, address)
            let lines = Mutex<[String]>([])
            // A store that is opened now is not told either.
            let again = try await PostgresFavoritesStore.open(address) { line in lines.withLock { $0.append(line) } }
            for store in [stores[0], again] {
                await #expect(throws: StoreError.damaged(bad)) { try await store.snapshot(of: bad) }
                #expect(store.damagedListCount == 1)
                #expect(try await store.ids(good) == [1, 2, 3])
                let names = try await store.lists(prefix: "", after: nil, limit: 1).map(\.name)
                #expect(names == (isOfList ? [good] : [bad]), "a page is filled up")
                #expect(store.refusal == nil)
            }
            let reports = lines.withLock { $0 }
            #expect(
                reports.count == 1 && reports[0].hasPrefix("list bad: ")
                    && reports[0].hasSuffix("; the list is refused")
            )
            await again.close()
            #expect(try DatabaseCheck.check(DatabaseAddress(address)).problemCount > 0)
        }
    }

    /// Nothing of a damaged favorite is sent to watchers, and the other requests of its group are carried out.
    @Test(arguments: [Toggle.Desired.saved, .removed, .toggle])
    func aChangeThatWouldShowADamagedRowIsRefused(_ desired: Toggle.Desired) async throws {
        for (damage, _) in Self.damage {
            try await withStores(1, .init(capacity: 3)) { server, address, stores in
                let (bad, good) = (try list("bad"), try list("good"))
                for id: Int64 in 1...3 { try await stores[0].toggle(id, on: bad) }
                try await make(damage, server, address)
                let again = try await PostgresFavoritesStore.open(address, .init(capacity: 3))
                let recorder = FeedRecorder(again)
                async let other = again.toggle(1, on: good)
                // A save evicts the first favorite.
                await #expect(throws: StoreError.damaged(bad), "\(damage)") {
                    try await again.toggle(desired == .saved ? 4 : 1, on: bad, desired)
                }
                #expect(try await other.revision == 1)
                await #expect(throws: StoreError.damaged(bad), "\(damage)") { try await again.delete(bad) }
                #expect(recorder.revisions(of: bad) == [])
                #expect(again.damagedListCount == 1)
                await again.close()
            }
        }
    }

    /// A list in memory is as it was when it was read or written. A change shows that to watchers, until somebody finds the damage.
    @Test(arguments: [false, true])
    func aListInMemoryIsRefusedOnceItsDamageIsFound(_ isFound: Bool) async throws {
        for (damage, isOfRow) in Self.damage {
            try await withStores(1, .init(capacity: 3)) { server, address, stores in
                let bad = try list("bad")
                for id: Int64 in 1...3 { try await stores[0].toggle(id, on: bad) }
                try await make(damage, server, address)
                if isFound {
                    await #expect(throws: StoreError.damaged(bad)) { try await stores[0].snapshot(of: bad) }
                    await #expect(throws: StoreError.damaged(bad)) { try await stores[0].toggle(4, on: bad) }
                } else {
                    let evicted = try await stores[0].toggle(4, on: bad).evicted
                    #expect(evicted.map(\.character) == [character(1)])
                    // The row is written as a whole.
                    if isOfRow { #expect(try await stores[0].ids(bad) == [2, 3, 4]) }
                }
            }
        }
    }

    /// Its checksum is right: an operator has stamped it.
    @Test(arguments: ["favorites SET snapshot = 'no JSON'", "lists SET ids = '{1,NULL}'"])
    func onlyTheListOfAnUnreadableRowIsRefused(_ change: String) async throws {
        try await withStores { server, address, stores in
            let (bad, good) = (try list("bad"), try list("good"))
            for list in [bad, good] { try await stores[0].toggle(1, on: list) }
            await stores[0].close()
            let isOfFavorite = change.hasPrefix("favorites")
            let function =
                isOfFavorite
                ? "favorite_checksum_1(list, character_id, saved_revision, snapshot) WHERE list = 'bad'"
                : "list_checksum_1(name, owner, deletion, revision, digest, ids) WHERE name = 'bad'"
            try await server.run("UPDATE marvel.\(change) WHERE \(isOfFavorite ? "list" : "name") = 'bad'", in: address)
            let table = isOfFavorite ? "favorites" : "lists"
            try await server.run("UPDATE marvel.\(table) SET checksum = marvel.\(function)", in: address)
            let store = try await PostgresFavoritesStore.open(address)
            let refused = Task { try await store.toggle(2, on: bad) }
            #expect(try await store.toggle(2, on: good).revision == 2)
            await #expect(throws: StoreError.damaged(bad)) { try await refused.value }
            await store.close()
        }
    }

    /// A watch from before a last change that is missing would otherwise resume at once, for ever.
    @Test(arguments: [2, 4] as [Int64]) func aMissingChangeIsAGap(_ missing: Int64) async throws {
        try await withStores(1, .init(capacity: 5)) { server, address, stores in
            for id: Int64 in 1...4 { try await stores[0].toggle(id) }
            try await server.run("DELETE FROM marvel.changes WHERE revision = \(missing)", in: address)
            for revision in 0..<missing {
                let changes = try await stores[0].changes(of: .default, after: revision, limit: 4)
                #expect(changes == .compacted(oldest: missing), "after \(revision)")
            }
            let before = try await stores[0].allChanges(after: 0, limit: Int(missing) - 1)
            let after = try await stores[0].allChanges(after: missing, limit: 3)
            #expect((before + after).map(\.revision) == (1...4).filter { $0 != missing })
        }
    }

    /// Such rows, and the lists that are refused, are in the report.
    @Test(arguments: ["lists SET name", "favorites SET list"])
    func aCheckReportsAnInvalidName(_ column: String) async throws {
        try await withStores { server, address, stores in
            for name in ["bad", "good", "other"] { try await stores[0].toggle(1, on: try list(name)) }
            try await server.run(
                """
                UPDATE marvel.lists SET ids = '{2}' WHERE name = 'other';
                UPDATE marvel.\(column) = '!!' WHERE \(column.split(separator: " ")[2]) = 'bad';
                """,
                in: address
            )
            let report = try DatabaseCheck.check(DatabaseAddress(address))
            let table = try #require(column.split(separator: " ").first)
            #expect(report.problems.contains { $0.contains("a row of marvel.\(table) has an invalid list name") })
            #expect(report.damagedLists == [try list("other")])
        }
    }

    /// A change of another replica that differs from what was written is a gap, whether it can be read or not.
    @Test(arguments: ["NEW.change || ' '::bytea", "'x'::bytea"])
    func aDamagedChangeOfAnotherReplicaIsAGap(_ damaged: String) async throws {
        try await withStores(2, .init(capacity: 5)) { server, address, stores in
            let recorder = FeedRecorder(stores[1])
            try await stores[0].toggle(1)
            await recorder.wait(for: 1)
            try await server.run(
                """
                CREATE FUNCTION damage() RETURNS trigger LANGUAGE plpgsql AS
                    'BEGIN NEW.change := \(damaged.replacing("'", with: "''")); RETURN NEW; END';
                CREATE TRIGGER damage BEFORE INSERT ON marvel.changes FOR EACH ROW EXECUTE FUNCTION damage()
                """,
                in: address
            )
            try await stores[0].toggle(2)
            try await server.run("DROP TRIGGER damage ON marvel.changes", in: address)
            try await stores[0].toggle(3)
            await recorder.wait(for: 3)
            #expect(recorder.news.map { $0.change != nil } == [true, false, true])
        }
    }

    /// Otherwise the watches of all lists would end.
    @Test(arguments: ["revision = 1", "revision = 0", "digest = digest + 1", "revision = 1000"])
    func aRowThatIsDamagedDuringAnOutageIsNoLoss(_ damage: String) async throws {
        try await withStores(1, .init(capacity: 3)) { server, address, stores in
            let (bad, good) = (try list("bad"), try list("good"))
            for list in [bad, good] {
                for id: Int64 in 1...2 { try await stores[0].toggle(id, on: list) }
            }
            let (store, history) = (stores[0], stores[0].history)
            let recorder = FeedRecorder(store)
            // No trigger looks at the checksum.
            let disk = "SET LOCAL session_replication_role = replica;"
            try await server.change(address, "\(disk) UPDATE marvel.lists SET \(damage) WHERE name = 'bad';")
            let other = try await PostgresFavoritesStore.open(address, .init(capacity: 3))
            try await other.toggle(3, on: good)
            await other.close()
            await recorder.wait(for: 3, of: good)
            #expect(store.history == history && recorder.histories == [] && recorder.revisions(of: bad) == [])
            #expect(store.damagedListCount == 1)
            await #expect(throws: StoreError.damaged(bad)) { try await store.snapshot(of: bad) }
            if damage == "revision = 1" || damage == "revision = 0" {
                await #expect(throws: StoreError.damaged(bad)) { try await store.changes(of: bad, after: 1, limit: 9) }
            }
        }
    }

    @Test func anExportPassesOverAListWithADamagedOwnerOrName() async throws {
        try await withStores { server, address, stores in
            for name in ["a", "b", "c"] { try await stores[0].toggle(1, on: try list(name)) }
            try await server.run("UPDATE marvel.lists SET owner = E'\\n' WHERE name = 'b'", in: address)
            try await server.run("UPDATE marvel.lists SET name = E'\\n' WHERE name = 'a'", in: address)
            let export = try DatabaseSource.export(DatabaseAddress(address)) { _ in }
            // The favorites of the first list are still there.
            let damaged = try [list("a"), list("b")]
            #expect((export.listCount, export.damagedLists, export.invalidNameCount) == (1, damaged, 1))
            #expect(try DatabaseCheck.check(DatabaseAddress(address)).problemCount > 1)
        }
    }

    @Test func aNewHistoryDoesNotHideDamage() async throws {
        try await withStores { server, address, stores in
            let bad = try list("bad")
            for id: Int64 in 1...3 { try await stores[0].toggle(id, on: bad) }
            await stores[0].close()
            try await server.run("UPDATE marvel.lists SET ids = '{1009999,2,3}'", in: address)
            for _ in 0..<2 {
                try await server.run("UPDATE marvel.meta SET timeline = timeline - 1", in: address)
                let store = try await PostgresFavoritesStore.open(address)
                await #expect(throws: StoreError.damaged(bad)) { try await store.snapshot(of: bad) }
                await store.close()
            }
            #expect(try DatabaseSource.export(DatabaseAddress(address)) { _ in }.damagedLists == [bad])
            // The operator accepts the row as it is.
            let accept = "checksum = marvel.list_checksum_1(name, owner, deletion, revision, digest, ids)"
            try await server.run("UPDATE marvel.lists SET \(accept)", in: address)
            try await server.run(
                "UPDATE marvel.lists SET ids = '{1,2,3}'; UPDATE marvel.lists SET \(accept)",
                in: address
            )
            let store = try await PostgresFavoritesStore.open(address)
            #expect(try await store.ids(bad) == [1, 2, 3])
            await store.close()
        }
    }
}
