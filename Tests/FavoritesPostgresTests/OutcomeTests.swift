internal import FavoritesEngine
internal import MarvelDomain
internal import TestDatabases
internal import Testing

@testable internal import FavoritesPostgres

/// Changes that a store cannot finish although they may be committed: their callers are not told that nothing changed.
@Suite(.needsPostgres, .timeLimit(.minutes(10))) struct OutcomeTests {
    private typealias Answers = AsyncStream<Result<ToggleOutcome, StoreError>>

    /// Toggles two characters in one group, and ends its connection before its answer. In the same moment the database
    /// changes as the test wants it.
    ///
    /// - Returns: The two answers, when they arrive.
    private func answersOfLostGroup(
        _ store: PostgresFavoritesStore,
        _ server: PostgresServer,
        _ address: String,
        meanwhile change: String
    ) async throws -> Answers {
        let (first, second) = (try list("first"), try list("second"))
        for list in [first, second] { try await store.toggle(1, on: list) }
        let holders = try (0..<2).map { _ in try PostgresConnection(DatabaseAddress(address), name: "holder") }
        for (holder, list) in zip(holders, [first, second]) {
            try holder.execute("BEGIN; SELECT FROM marvel.lists WHERE name = '\(list.text)' FOR UPDATE")
        }
        // While the first group waits, the others gather for the next one.
        let before = toggle([2], on: first, of: store)
        // Not by a holder, which blocks the thread of a task.
        try await server.run(lockWait(of: "writer"), in: address)
        let answers = toggle([2, 3], on: second, of: store)
        try holders[0].execute("COMMIT")
        for await _ in before {}
        // The lock of the table keeps the store from looking before the change is committed.
        try holders[1].execute("LOCK TABLE marvel.meta")
        let end = lockWait(of: "writer", then: "PERFORM pg_terminate_backend(v_pid, 10000);")
        try await server.run(end, in: address)
        try holders[1].execute("\(change) COMMIT")
        return answers
    }

    private func toggle(_ ids: [Int64], on list: ListName, of store: PostgresFavoritesStore) -> Answers {
        let (answers, answer) = Answers.makeStream()
        for id in ids {
            let toggle = Toggle(list: list, characterID: id)
            _ = store.toggle(toggle, character: character(id), deadline: nil) { result in
                answer.yield(result)
                if id == ids.last { answer.finish() }
            }
        }
        return answers
    }

    /// Returns SQL that lets every change of a table fail.
    private func fail(_ table: String, _ code: String) -> String {
        """
        CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'a fault' USING ERRCODE = '\(code)'; END $$;
        CREATE TRIGGER fail BEFORE INSERT OR UPDATE OR DELETE ON marvel.\(table)
            FOR EACH STATEMENT EXECUTE FUNCTION fail();
        """
    }

    private func isUnknown(_ result: Result<ToggleOutcome, StoreError>) -> Bool {
        if case .failure(.outcomeUnknown) = result { true } else { false }
    }

    @Test(arguments: ["58030", "42501", "XX001", "22012"])
    func theOutcomeIsUnknownIfTheRepeatOfALostGroupFails(_ code: String) async throws {
        try await withStores { server, address, stores in
            let answers = try await answersOfLostGroup(
                stores[0],
                server,
                address,
                meanwhile: fail("answers", code)
            )
            var count = 0
            for await answer in answers {
                #expect(isUnknown(answer), "\(answer)")
                count += 1
            }
            #expect(count == 2)
            #expect(stores[0].figures.resentGroupCount > 0)
        }
    }

    @Test func theOutcomeOfALostGroupIsUnknownAfterAMigrationByANewerServer() async throws {
        try await withStores(0) { server, address, _ in
            let (refusals, refusal) = AsyncStream<String>.makeStream()
            let store = try await PostgresFavoritesStore.open(address, onRefusal: { refusal.yield($0) })
            let answers = try await answersOfLostGroup(
                store,
                server,
                address,
                meanwhile: "UPDATE marvel.meta SET minimum = \(Schema.version + 1);"
            )
            _ = await refusals.first { _ in true }
            await store.close()
            for await answer in answers { #expect(isUnknown(answer), "\(answer)") }
        }
    }

    /// The base is not a number, and is part of the results of a group.
    @Test func theOutcomeIsUnknownIfTheResultsCannotBeRead() async throws {
        try await withStores { server, address, stores in
            let gone = try list("gone")
            try await stores[0].toggle(1, on: gone)
            let change = "ALTER TABLE marvel.meta ALTER base DROP NOT NULL; UPDATE marvel.meta SET base = NULL"
            try await server.run(change, in: address)
            do {
                _ = try await stores[0].delete(gone)
                Issue.record("its outcome is not known")
            } catch {
                guard case StoreError.outcomeUnknown = error else { throw error }
            }
            let connection = try PostgresConnection(DatabaseAddress(address), name: "look")
            let isDeleted: Statement = "SELECT deletion IS NOT NULL FROM marvel.lists WHERE name = 'gone'"
            #expect(try connection.run(isDeleted).boolean(0, 0))
        }
    }

    /// A request that the database cannot do fails alone.
    @Test func onlyTheRequestThatCausesAnErrorIsRefused() async throws {
        try await withStores { server, address, stores in
            let names = try (0..<9).map { try list("list-\($0)") }
            for name in names { try await stores[0].toggle(1, on: name) }
            try await server.run(
                """
                CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN RAISE EXCEPTION 'a fault' USING ERRCODE = '22012'; END $$;
                CREATE TRIGGER fail BEFORE UPDATE ON marvel.lists FOR EACH ROW WHEN (NEW.name = 'list-4')
                    EXECUTE FUNCTION fail();
                """,
                in: address
            )
            let results = await withTaskGroup { group in
                for name in names { group.addTask { (name, try? await stores[0].toggle(2, on: name)) } }
                return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
            #expect(results.count == 8 && results[names[4]] == nil)
        }
    }

    /// A wait for a standby that is cancelled has the same class.
    @Test func aWarningOfATriggerIsNotALostCommit() async throws {
        try await withStores { server, address, stores in
            try await server.run(
                """
                CREATE FUNCTION warn() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN RAISE WARNING 'a warning'; RETURN NULL; END $$;
                CREATE TRIGGER warn AFTER INSERT ON marvel.favorites FOR EACH ROW EXECUTE FUNCTION warn();
                """,
                in: address
            )
            try await stores[0].toggle(1)
            #expect(stores[0].figures.resentGroupCount == 0)
        }
    }

    @Test func aFullDiskIsKnownUntilAChangeSucceeds() async throws {
        try await withStores { server, address, stores in
            try await stores[0].toggle(1)
            try await server.run(fail("answers", "53100"), in: address)
            let error = StoreError.notWritable("the database's disk is full (SQLSTATE 53100)")
            await #expect(throws: error) { try await stores[0].toggle(2) }
            #expect(stores[0].refusal == nil && stores[0].writeFailure != nil)
            try await server.run("DROP TRIGGER fail ON marvel.answers", in: address)
            try await stores[0].toggle(2)
            #expect(stores[0].writeFailure == nil)
        }
    }

    // MARK: Changes of the reader

    private func changeByReader(_ store: PostgresFavoritesStore) async throws(StoreError) {
        try await store.reader.run(isChange: true) { connection throws(DatabaseFault) in
            try connection.execute("DELETE FROM marvel.edits")
        }
    }

    @Test func aChangeThatFailsForGoodIsNotWritable() async throws {
        try await withStores { server, address, stores in
            try await stores[0].toggle(1)
            try await server.run(fail("edits", "58030"), in: address)
            let error = StoreError.notWritable("the database's disk is failing (SQLSTATE 58030)")
            await #expect(throws: error) { try await changeByReader(stores[0]) }
        }
    }

    @Test func theOutcomeOfAChangeIsUnknownAfterALostConnection() async throws {
        try await withStores { server, address, stores in
            let holder = try PostgresConnection(DatabaseAddress(address), name: "holder")
            try holder.execute("BEGIN; LOCK TABLE marvel.edits")
            let change = Task { try await changeByReader(stores[0]) }
            let end = lockWait(of: "reader", then: "PERFORM pg_terminate_backend(v_pid, 10000);")
            try await server.run(end, in: address)
            try holder.execute("\(fail("edits", "58030")) COMMIT")
            let error = StoreError.outcomeUnknown("the database's disk is failing (SQLSTATE 58030)")
            await #expect(throws: error) { try await change.value }
        }
    }
}
