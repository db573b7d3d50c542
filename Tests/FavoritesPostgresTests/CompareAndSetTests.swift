internal import MarvelDomain
internal import StoreContract
internal import TestDatabases
internal import Testing

@testable internal import FavoritesPostgres

/// Effects of a group's statements that the contract does not show.
@Suite(.needsPostgres, .timeLimit(.minutes(10))) struct CompareAndSetTests {
    /// A favorite that is evicted and saved again in one group has two contents: each answer keeps its own.
    @Test func aRepeatedRequestGetsTheOriginalEvictions() async throws {
        try await withStores(1, .init(capacity: 1)) { server, address, stores in
            let store = stores[0]
            try await store.toggle(1)
            let holder = try PostgresConnection(DatabaseAddress(address), name: "holder")
            try holder.execute("BEGIN; SELECT FROM marvel.lists FOR UPDATE")
            // While the first one waits, the others gather for one group.
            async let first = store.toggle(2, request: "first")
            try await server.run(lockWait(of: "writer"), in: address)
            func save(_ id: Int64, _ name: String, _ request: String) async throws -> ToggleResult {
                let key = RequestKey(RequestID(request))
                let toggle = Toggle(list: .default, characterID: id, desired: .saved, request: key)
                guard
                    case .done(let result) = try await store.toggle(
                        toggle,
                        character: MarvelCharacter(id: id, name: name)
                    )
                else { throw ServerFailure(description: "the character was needed") }
                return result
            }
            async let second = save(1, "new", "second")
            while store.figures.waitingCount < 1 { await Task.yield() }
            async let third = save(3, "third", "third")
            while store.figures.waitingCount < 2 { await Task.yield() }
            async let fourth = save(1, "newer", "fourth")
            while store.figures.waitingCount < 3 { await Task.yield() }
            try holder.execute("COMMIT")
            let answers = try await [first, second, third, fourth]
            #expect(answers[2].evicted.map(\.character.name) == ["new"])
            #expect(try await save(3, "third", "third") == answers[2])
        }
    }

    @Test func aToggleSucceedsOnAListThatOthersChangeAllTheTime() async throws {
        try await withStores { server, address, stores in
            let (busy, quiet) = (try list("busy"), try list("quiet"))
            for list in [busy, quiet] { try await stores[0].toggle(1, on: list) }
            let changing = Task {
                try await server.run(
                    """
                    DO $$ BEGIN
                        FOR i IN 1 .. 3000 LOOP
                            UPDATE marvel.lists SET revision = revision + 1, checksum =
                                marvel.list_checksum_1(name, owner, deletion, revision + 1, digest, ids)
                                WHERE name = 'busy';
                            COMMIT;
                        END LOOP;
                    END $$
                    """,
                    in: address
                )
            }
            for _ in 0..<20 {
                async let hard = stores[0].toggle(2, on: busy)
                async let easy = stores[0].toggle(2, on: quiet)
                _ = try await (hard, easy)
            }
            changing.cancel()
            _ = try? await changing.value
        }
    }

    /// A caller that deletes another owner's list and makes it again needs room within its own limit.
    @Test func aListThatChangesItsOwnerCountsForTheNewOne() async throws {
        try await withStores(2, .init(maximumListsPerOwner: 3)) { _, address, stores in
            @Sendable func make(_ name: String, of owner: String, by store: PostgresFavoritesStore) async throws {
                do {
                    try await store.answer(1, on: try list(name), .saved, owner: .named(owner))
                } catch StoreError.ownedListLimitReached {}
            }
            for round in 0..<10 {
                let owner = "owner-\(round)"
                for number in 0..<2 { try await make("l\(round)-\(number)", of: owner, by: stores[0]) }
                try await make("other-\(round)", of: "another", by: stores[0])
                async let deleted = stores[0].delete(try list("other-\(round)"))
                async let again: Void = make("other-\(round)", of: owner, by: stores[0])
                async let new: Void = make("new-\(round)", of: owner, by: stores[1])
                _ = try await (deleted, again, new)
                let connection = try PostgresConnection(DatabaseAddress(address), name: "count")
                let count: Statement = "SELECT count(*) FROM marvel.lists WHERE owner = 'owner-\(round)'"
                #expect(try connection.run(count).integer(0, 0) <= 3)
            }
        }
    }

    /// A deletion of which another replica hears without the changes before it.
    @Test func aDeletionWithoutContentIsNotCountedAsAList() async throws {
        try await withStores(2, .init(changesPerList: 1)) { server, address, stores in
            let gone = try list("gone")
            for id: Int64 in 1...3 { try await stores[0].toggle(id, on: gone) }
            let recorder = FeedRecorder(stores[1])
            _ = try await stores[0].delete(gone)
            await recorder.wait(for: 4, of: gone)
            try await server.run("DELETE FROM marvel.changes", in: address)
            #expect(stores.map(\.listCount) == [0, 0])
        }
    }

    @Test func aReconnectedFeedTakesTheNewCapacity() async throws {
        try await withStores(1, .init(capacity: 3)) { server, address, stores in
            for id: Int64 in 1...3 { try await stores[0].toggle(id) }
            try await server.change(address, withoutConnectionsOf: "feed", "UPDATE marvel.meta SET capacity = 1;")
            while stores[0].figures.connections.contains(where: { $0.part == "feed" && $0.reconnectCount == 0 }) {
                await Task.yield()
            }
            #expect(try await stores[0].toggle(4).evicted.count == 3)
        }
    }
}
