internal import MarvelDomain
internal import StoreContract
internal import Synchronization
internal import TestDatabases
internal import Testing

@testable internal import FavoritesPostgres

/// The operator's edits in a database that several servers share.
@Suite(.needsPostgres) struct EditTests {
    private func withEdits(_ body: (PostgresServer, String, [PostgresEditStore]) async throws -> Void) async throws {
        try await withStores(2) { server, address, stores in
            try await body(server, address, stores.map(\.edits))
        }
    }

    @Test(arguments: EditContract.all) func aStoreKeepsTheContract(_ contract: EditContract) async throws {
        let server = try await PostgresServer.shared()
        let stage = try Stage(server, try await server.makeDatabase())
        try await contract.run(on: stage.current.edits, stage)
        await stage.current.close()
    }

    private final class Stage: EditContract.Stage {
        let clock = ContractClock()
        private let server: PostgresServer
        private let address: String
        private(set) var current: PostgresFavoritesStore

        init(_ server: PostgresServer, _ address: String) throws {
            (self.server, self.address) = (server, address)
            current = try PostgresFavoritesStore(DatabaseAddress(address), now: { [clock] in clock.now })
        }

        func reopened() async throws -> any EditStore {
            await current.close()
            current = try PostgresFavoritesStore(DatabaseAddress(address), now: { [clock] in clock.now })
            return current.edits
        }

        func damage(_ id: Int64) async throws {
            let damage = "UPDATE marvel.edits SET name = '@' WHERE character_id = \(id)"
            try await server.run("SET session_replication_role = replica; \(damage)", in: address)
        }
    }

    private func key(_ id: String, of principal: String = "") -> RequestKey? {
        RequestKey(RequestID(id), of: principal)
    }

    private let picture = Picture(bytes: [0x89, 0x50, 0, 255], mediaType: .png)

    @Test func anEditOfOneServerIsReadByTheOther() async throws {
        try await withEdits { _, _, edits in
            _ = await edits[1].changeByOthers()
            #expect(await edits[1].changeByOthers() == .none)
            let order = EditOrder(.existing(7), CharacterEdit(name: "A"), picture: .set(picture))
            let first = try await edits[0].write(order) { _ in true }
            #expect(await edits[1].changeByOthers() == .written)
            #expect(await edits[1].changeByOthers() == .none)
            #expect(try await edits[1].edits(after: 0) == [first])
            #expect(try await edits[1].picture(of: 7) == picture)
            let second = try await edits[1].write(EditOrder(.existing(7), picture: .remove)) { _ in true }
            #expect(second.edit == first.edit && second.revision == 2 && second.pictureType == nil)
            #expect(try await edits[0].edits(after: 1) == [second])
        }
    }

    @Test func oneOfSeveralConflictingWritersWins() async throws {
        try await withEdits { _, _, edits in
            let first = try await edits[0].write(EditOrder(.existing(7), CharacterEdit(name: "A"))) { _ in true }
            let outcomes = await withTaskGroup(of: Result<Int64, StoreError>.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        let edit = CharacterEdit(name: "Writer \(number)")
                        let order = EditOrder(.existing(7), edit, expectedRevision: first.revision)
                        do throws(StoreError) {
                            return .success(try await edits[number % 2].write(order) { _ in true }.revision)
                        } catch {
                            return .failure(error)
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.count { $0 == .success(2) } == 1)
            #expect(outcomes.count { $0 == .failure(.editConflict(current: 2)) } == 7)
        }
    }

    /// The columns are those that the server of the version before reads and writes.
    @Test func serversOfTheVersionBeforeEditBesideThisOne() async throws {
        try await withEdits { server, address, edits in
            let order = EditOrder(.existing(8), CharacterEdit(name: "B"), request: key("r", of: "anna"))
            try await server.run(
                """
                INSERT INTO marvel.edits (character_id, kind, name, description, comic_count, series_count, story_count,
                    event_count, urls, edited_at, revision)
                VALUES (7, 'edited', 'A', NULL, 3, NULL, NULL, NULL, '[{"type":"wiki","url":"u"}]', 1700000000, 1),
                    (8, 'edited', 'B', NULL, NULL, NULL, NULL, NULL, NULL, 1700000000, 2);
                INSERT INTO marvel.edit_pictures (character_id, media_type, bytes) VALUES (7, 'image/png', 'x');
                INSERT INTO marvel.answers (principal, request_id, history, list, character_id, desired, is_favorite,
                    revision, created_at)
                SELECT 'anna', 'r', history, lpad(to_hex(\(order.digest)), 16, '0'), 8, 4, false, 0,
                    extract(epoch FROM now())::int8
                FROM marvel.meta;
                """,
                in: address
            )
            let found = try await edits[0].edits(after: 0)
            let urls = [CharacterURL(type: "wiki", url: "u")]
            #expect(
                found.map(\.edit) == [CharacterEdit(name: "A", comicCount: 3, urls: urls), CharacterEdit(name: "B")]
            )
            #expect(try await edits[0].picture(of: 7)?.bytes == [UInt8(ascii: "x")])
            #expect(try await edits[0].write(order) { _ in true } == found[1])

            let more = EditOrder(.existing(7), CharacterEdit(urls: urls + urls), request: key("s", of: "anna"))
            #expect(try await edits[1].write(more) { _ in true }.revision == 3)
            let row = try await server.run(
                "SELECT name, comic_count, urls FROM marvel.edits WHERE revision = 3",
                in: address
            )
            #expect(row == #"A|3|[{"url": "u", "type": "wiki"}, {"url": "u", "type": "wiki"}]"#)
            let known = """
                SELECT character_id FROM marvel.answers
                WHERE request_id = 's' AND desired = 4 AND list = lpad(to_hex(\(more.digest)), 16, '0')
                """
            #expect(try await server.run(known, in: address) == "7")
            let report = try DatabaseCheck.check(DatabaseAddress(address))
            #expect(report.problems == [] && report.answerCount == 2)
        }
    }

    @Test func editsAndListsShareRequestIDs() async throws {
        try await withStores { _, _, stores in try await EditContract.shareRequestIDs(stores[0], stores[0].edits) }
    }

    /// Damage by a disk does not run the triggers either.
    @Test(arguments: [
        "edit_pictures SET bytes = set_byte(bytes, 1, get_byte(bytes, 1) # 4)",
        "edit_pictures SET media_type = 'image/gif'",
        "edits SET name = 'B'", "edits SET urls = '{'", "edits SET revision = 9", "edits SET checksum = NULL",
    ])
    func aDamagedEditIsReportedOnceAndNotCopied(_ damage: String) async throws {
        let server = try await PostgresServer.shared()
        let address = try await server.makeDatabase()
        let lines = Mutex<[String]>([])
        let store = try await PostgresFavoritesStore.open(address) { line in lines.withLock { $0.append(line) } }
        let order = EditOrder(.existing(7), CharacterEdit(name: "A"), picture: .set(picture))
        _ = try await store.edits.write(order) { _ in true }
        _ = try await store.edits.write(EditOrder(.existing(8), CharacterEdit(name: "A"))) { _ in true }
        try await server.run(
            "SET session_replication_role = replica; UPDATE marvel.\(damage) WHERE character_id = 7",
            in: address
        )
        let text = "the edit of character 7 does not match its checksum"
        for _ in 1...2 {
            let ids = try await store.edits.edits(after: 0).map(\.id)
            if damage.hasPrefix("edit_pictures") {
                #expect(ids == [7, 8])
                await #expect(throws: StoreError.notReadable(text)) { try await store.edits.picture(of: 7) }
            } else {
                #expect(ids == [8])
            }
        }
        #expect(lines.withLock { $0 } == ["\(text); it is refused"])
        #expect(try DatabaseCheck.check(DatabaseAddress(address)).problems == ["\(text); it is refused"])
        #expect(try DatabaseSource.export(DatabaseAddress(address)) { _ in }.damagedEdits == [7])
        await store.close()
    }

    /// A backup without it was restored under the servers. The lists have lost nothing, so the history stays.
    @Test func anEditThatIsGoneIsNoticed() async throws {
        try await withEdits { server, address, edits in
            let order = EditOrder(.existing(7), CharacterEdit(name: "A"))
            _ = try await edits[0].write(order) { _ in true }
            _ = await edits[1].changeByOthers()
            try await server.change(address, "DELETE FROM marvel.edits;")
            #expect(await edits[1].changeByOthers() == .replaced)
            #expect(await edits[1].changeByOthers() == .none)
        }
    }

    /// A standby without the last edit became the primary. The next edit does not get the revision of the lost one.
    @Test func allEditsAreReadAgainInANewHistory() async throws {
        try await withEdits { server, address, edits in
            func write(_ name: String) async throws -> EditedCharacter {
                try await edits[0].write(EditOrder(.existing(7), CharacterEdit(name: name))) { _ in true }
            }
            _ = try await write("A")
            _ = await edits[1].changeByOthers()
            let loss = "DELETE FROM marvel.edits; UPDATE marvel.meta SET timeline = timeline - 1;"
            try await server.change(address, loss)
            #expect(try await write("B").revision == 1 << 32 + 1)
            #expect(try await write("C").revision == 1 << 32 + 2)
            #expect(await edits[1].changeByOthers() == .replaced)
            #expect(await edits[1].changeByOthers() == .none)
        }
    }

    /// The answer to an earlier request may be one that no standby has, because the wait of its commit was ended.
    @Test(.timeLimit(.minutes(10))) func theAnswerToARepeatedRequestWaitsForTheStandby() async throws {
        let server = try await PostgresServer.own()
        let address = try await server.makeDatabase()
        let store = try await PostgresFavoritesStore.open(address)
        let order = EditOrder(.new(nil), CharacterEdit(name: "Once"), request: key("r"))
        let first = try await store.edits.write(order) { _ in false }
        try await server.run("ALTER SYSTEM SET synchronous_standby_names = 'absent'", in: address)
        try await server.run("SELECT pg_reload_conf()", in: address)
        // PostgreSQL's checkpointer tells when commits begin to wait, and reads the setting after the sessions do.
        let commitsWait = Mutex(false)
        let commits = Task {
            while !commitsWait.withLock({ $0 }) {
                try await server.run("SELECT pg_logical_emit_message(true, '', '')", in: address)
            }
        }
        let waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
        while try await server.run(waiting, in: address) != "1" {}
        commitsWait.withLock { $0 = true }

        let isAnswered = Mutex(false)
        let again = Task {
            defer { isAnswered.withLock { $0 = true } }
            return try await store.edits.write(order) { _ in false }
        }
        var isWaiting = false
        while !isWaiting, !isAnswered.withLock({ $0 }) { isWaiting = try await server.run(waiting, in: address) == "2" }
        #expect(isWaiting)
        try await server.run("ALTER SYSTEM RESET synchronous_standby_names", in: address)
        try await server.run("SELECT pg_reload_conf()", in: address)
        #expect(try await again.value == first)
        try await commits.value
        await store.close()
        await server.stop()
    }

    @Test func readsDoNotWaitForAnEdit() async throws {
        try await withStores { server, address, stores in
            try await stores[0].toggle(1)
            let other = try PostgresConnection(DatabaseAddress(address), name: "other")
            try other.execute("SELECT pg_advisory_lock(\(Functions.editLock))")
            let order = EditOrder(.new(nil), CharacterEdit(name: "A"))
            let edit = Task { try await stores[0].edits.write(order) { _ in false } }
            try await server.waitForAdvisoryLock(in: address)
            #expect(try await stores[0].ids() == [1])
            #expect(try await stores[0].edits.picture(of: 1) == nil)
            try other.execute("SELECT pg_advisory_unlock_all()")
            #expect(try await edit.value.edit.name == "A")
        }
    }

    /// Connections end again and again while characters are created, without request ids of the callers.
    @Test func lostConnectionsCreateNoCharacterTwice() async throws {
        try await withEdits { server, address, edits in
            try await withThrowingTaskGroup { group in
                group.addTask {
                    for _ in 0..<10 { try await server.endConnections(to: address, named: "background") }
                }
                group.addTask {
                    for number in 0..<60 {
                        let order = EditOrder(.new(nil), CharacterEdit(name: "Character \(number)"))
                        _ = try await edits[number % 2].write(order) { _ in false }
                    }
                }
                try await group.waitForAll()
            }
            let names = try await edits[0].edits(after: 0).map(\.edit.name)
            #expect(names == (0..<60).map { "Character \($0)" })
        }
    }
}
