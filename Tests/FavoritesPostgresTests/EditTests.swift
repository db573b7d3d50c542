internal import CatalogEdits
internal import MarvelDomain
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

    private func key(_ id: String, of principal: String = "") -> RequestKey? {
        RequestKey(RequestID(id), of: principal)
    }

    private let picture = Picture(bytes: [0x89, 0x50, 0, 255], mediaType: .png)

    @Test func anEditThroughOneServerIsReadByTheOther() async throws {
        try await withEdits { _, _, edits in
            _ = await edits[1].changeByOthers()
            #expect(await edits[1].changeByOthers() == .none)
            let urls = [CharacterURL(type: "wiki", url: "http://example.com/ä")]
            let edit = CharacterEdit(name: "Joe Fixit", description: "", comicCount: 0, eventCount: .max, urls: urls)
            let first = try await edits[0].write(EditOrder(.existing(7), edit, picture: .set(picture))) { _ in true }
            #expect(first.kind == .edited && first.edit == edit && first.revision == 1)
            #expect(await edits[1].changeByOthers() == .written)
            #expect(await edits[1].changeByOthers() == .none)
            #expect(try await edits[1].edits(after: 0) == [first])
            #expect(try await edits[1].picture(of: 7) == picture)

            let more = CharacterEdit(storyCount: 3)
            let second = try await edits[1].write(EditOrder(.existing(7), more, picture: .remove)) { _ in true }
            #expect(second.edit == edit.followed(by: more) && second.revision == 2 && second.pictureType == nil)
            #expect(try await edits[0].edits(after: 1) == [second])
            #expect(try await edits[0].picture(of: 7) == nil)
            let same = try await edits[0].write(EditOrder(.existing(7), more)) { _ in true }
            #expect(same == second, "an edit that changes nothing has no revision")

            let reverted = try await edits[0].write(EditOrder(.reverted(7))) { _ in true }
            #expect(reverted.kind == .reverted && reverted.revision == 3 && reverted.edit == CharacterEdit())
            #expect(try await edits[1].edits(after: 2) == [reverted])
        }
    }

    @Test func createdCharactersGetTheNextFreeIDs() async throws {
        try await withEdits { server, address, edits in
            let ids = EditedCharacter.createdIDs
            func create(_ id: Int64? = nil, through number: Int = 0) async throws -> Int64 {
                let order = EditOrder(.new(id), CharacterEdit(name: "New"))
                return try await edits[number].write(order) { $0 == ids.lowerBound + 1 }.id
            }
            #expect(try await create() == ids.lowerBound)
            #expect(try await create(through: 1) == ids.lowerBound + 2, "the source has the one between")
            #expect(try await create(5) == 5)
            await #expect(throws: EditError.exists(5)) { try await create(5, through: 1) }
            #expect(try await create(ids.upperBound) == ids.upperBound)
            #expect(try await create() == ids.lowerBound + 3, "the first gap, when the last id is used")
            try await server.run("UPDATE marvel.edits SET kind = 'reverted' WHERE character_id = 5", in: address)
            #expect(try await create(5) == 5)
        }
    }

    @Test func ofTwoWritersWhoSawTheSameOneMustLookAgain() async throws {
        try await withEdits { _, _, edits in
            let first = try await edits[0].write(EditOrder(.existing(7), CharacterEdit(name: "A"))) { _ in true }
            let outcomes = await withTaskGroup(of: Result<Int64, EditError>.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        let edit = CharacterEdit(name: "Writer \(number)")
                        let order = EditOrder(.existing(7), edit, expectedRevision: first.revision)
                        do throws(EditError) {
                            return .success(try await edits[number % 2].write(order) { _ in true }.revision)
                        } catch {
                            return .failure(error)
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.count { $0 == .success(2) } == 1)
            #expect(outcomes.count { $0 == .failure(.conflict(current: 2)) } == 7)
        }
    }

    @Test func aRequestThatIsSentAgainIsDoneOnceWhicheverServerGetsIt() async throws {
        try await withEdits { server, address, edits in
            let order = EditOrder(.new(nil), CharacterEdit(name: "Once"), request: key("r", of: "anna"))
            let first = try await edits[0].write(order) { _ in false }
            #expect(try await edits[1].write(order) { _ in false } == first)
            var other = order
            other.edit.name = "Twice"
            await #expect(throws: EditError.requestIDReused) { try await edits[1].write(other) { _ in false } }
            other.request = key("r", of: "ben")
            #expect(try await edits[1].write(other) { _ in false }.id == first.id + 1)
            // Old requests are forgotten with the next edit.
            try await server.run("UPDATE marvel.edit_requests SET created_at = 0", in: address)
            _ = try await edits[0].write(EditOrder(.existing(7), CharacterEdit(name: "B"))) { _ in true }
            #expect(try await edits[0].write(order) { _ in false }.id == first.id + 2)
        }
    }

    /// A standby without the last edit became the primary. The next edit does not get the revision of the lost one.
    @Test func inANewHistoryAllEditsAreReadAnew() async throws {
        try await withEdits { server, address, edits in
            func write(_ name: String) async throws -> EditedCharacter {
                try await edits[0].write(EditOrder(.existing(7), CharacterEdit(name: name))) { _ in true }
            }
            _ = try await write("A")
            _ = await edits[1].changeByOthers()
            // The lock keeps the stores from looking before their connections have ended.
            try await server.run(
                """
                BEGIN;
                LOCK TABLE marvel.meta;
                DELETE FROM marvel.edits;
                UPDATE marvel.meta SET timeline = timeline - 1;
                SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
                    WHERE datname = current_database() AND application_name LIKE 'marvel-server%';
                COMMIT;
                """,
                in: address
            )
            #expect(try await write("B").revision == 1 << 32 + 1)
            #expect(try await write("C").revision == 1 << 32 + 2)
            #expect(await edits[1].changeByOthers() == .replaced)
            #expect(await edits[1].changeByOthers() == .none)
        }
    }

    /// The answer to an earlier request may be one that no standby has, because the wait of its commit was ended.
    @Test(.timeLimit(.minutes(1))) func aRequestThatIsSentAgainWaitsForTheStandbyToo() async throws {
        let server = try await PostgresServer.own()
        let address = try await server.makeDatabase()
        let store = try await PostgresFavoritesStore.open(address)
        let order = EditOrder(.new(nil), CharacterEdit(name: "Once"), request: key("r"))
        let first = try await store.edits.write(order) { _ in false }
        try await server.run("ALTER SYSTEM SET synchronous_standby_names = 'absent'", in: address)
        try await server.run("SELECT pg_reload_conf()", in: address)
        let isAnswered = Mutex(false)
        let again = Task {
            defer { isAnswered.withLock { $0 = true } }
            return try await store.edits.write(order) { _ in false }
        }
        let waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
        var isWaiting = false
        while !isWaiting, !isAnswered.withLock({ $0 }) { isWaiting = try await server.run(waiting, in: address) == "1" }
        #expect(isWaiting)
        try await server.run("ALTER SYSTEM RESET synchronous_standby_names", in: address)
        try await server.run("SELECT pg_reload_conf()", in: address)
        #expect(try await again.value == first)
        await store.close()
        await server.stop()
    }

    /// Connections end again and again while characters are created, without request ids of the callers.
    @Test func lostConnectionsMakeNoCharacterTwice() async throws {
        try await withEdits { server, address, edits in
            try await withThrowingTaskGroup { group in
                group.addTask {
                    for _ in 0..<10 { try await server.endConnections(to: address, named: "reader") }
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
