internal import Foundation
internal import MarvelDomain
internal import StoreContract
internal import Synchronization
internal import TestDatabases
internal import Testing

@testable internal import FavoritesPostgres

/// Characters and lists as the tests name them.
func character(_ id: Int64) -> MarvelCharacter { MarvelCharacter(id: id, name: "Character \(id)") }

func list(_ name: String) throws -> ListName { try #require(ListName(name)) }

extension Trait where Self == ConditionTrait {
    /// Skips a test where the server programs of PostgreSQL are not installed.
    static var needsPostgres: Self {
        .enabled(if: PostgresServer.installed != nil, "PostgreSQL's server programs are not installed")
    }
}

extension PostgresFavoritesStore {
    /// Opens a store.
    static func open(
        _ address: String,
        _ settings: Settings = Settings(),
        clock: ContractClock? = nil,
        onError: @escaping @Sendable (String) -> Void = { _ in },
        onWarning: @escaping @Sendable (String) -> Void = { _ in },
        onRefusal: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws -> PostgresFavoritesStore {
        let opened = Result { () throws(FavoritesDatabaseError) in
            try PostgresFavoritesStore(
                DatabaseAddress(address),
                settings: settings,
                now: { clock?.now ?? Timestamp(seconds: Int64(Date().timeIntervalSince1970)) },
                onWarning: onWarning,
                onError: onError,
                onRefusal: onRefusal
            )
        }
        return try opened.get()
    }

    /// Toggles with the character at hand.
    @discardableResult
    func toggle(
        _ id: Int64,
        on list: ListName = .default,
        _ desired: Toggle.Desired = .toggle,
        request: String? = nil
    ) async throws -> ToggleResult {
        try await answer(id, on: list, desired, request: request)
    }
}

extension PostgresServer {
    /// Makes a role without any right, and returns its name.
    func makeRole() async throws -> String {
        let role = "limited \"\(UInt32.random(in: 0 ... .max))"
        try await run("CREATE ROLE \(quoted(role)) LOGIN", in: "postgres")
        return role
    }

    /// Waits until this standby has what its primary has now.
    func waitForReplay(of primary: PostgresServer) async throws {
        let position = try await primary.run("SELECT pg_current_wal_lsn()", in: "postgres")
        try await wait(for: "pg_last_wal_replay_lsn() >= '\(position)'")
    }

    func wait(for condition: String, in address: String = "postgres") async throws {
        try await run(
            """
            SET statement_timeout = '20s';
            DO $$ BEGIN
                WHILE NOT (\(condition)) LOOP PERFORM pg_sleep(0.01), pg_stat_clear_snapshot(); END LOOP;
            END $$
            """,
            in: address
        )
    }

    /// Changes a database, and ends the connections of one part of its stores, or of all parts. The lock keeps the stores
    /// from looking in between.
    func change(_ address: String, withoutConnectionsOf part: String = "%", _ sql: String) async throws {
        try await run(
            """
            BEGIN;
            LOCK TABLE marvel.meta;
            \(sql)
            SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
                WHERE datname = current_database() AND application_name LIKE 'marvel-server \(part)';
            COMMIT;
            """,
            in: address
        )
    }

    /// Waits until a connection to a database waits for an advisory lock.
    func waitForAdvisoryLock(in address: String) async throws {
        let connection = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'"
        try await wait(for: "EXISTS (\(connection))", in: address)
    }
}

func quoted(_ role: String) -> String { "\"\(role.replacing("\"", with: "\"\""))\"" }

func address(_ address: String, as role: String) -> String {
    let escaped = role.replacing(" ", with: "%20").replacing("\"", with: "%22")
    return address.replacing("user=marvel", with: "user=\(escaped)")
}

/// Stores for the contract of all stores, each in a database of its own. They run as a role that has the granted rights only.
final class DatabaseStage: FavoritesContract.Stage {
    private struct Opened {
        var store: PostgresFavoritesStore
        /// The address of the database for its owner.
        var owned: String
        var settings: PostgresFavoritesStore.Settings
    }

    let clock = ContractClock()
    private let server: PostgresServer
    private let role: String
    private let opened = Mutex<[Opened]>([])

    init(_ server: PostgresServer) async throws {
        self.server = server
        role = try await server.makeRole()
    }

    func make(_ limits: FavoritesContract.Limits) async throws -> any FavoritesStore {
        let owned = try await server.makeDatabase()
        let settings = PostgresFavoritesStore.Settings(
            capacity: limits.capacity,
            maximumLists: limits.maximumLists,
            answers: limits.answers,
            changesPerList: limits.changesPerList
        )
        let report = try DatabaseMigration.migrate(DatabaseAddress(owned), capacity: limits.capacity, granting: [role])
        #expect(report == .init(version: Schema.version, capacity: limits.capacity))
        return try await open(owned, settings)
    }

    func reopen(_ store: any FavoritesStore, capacity: Int) async throws -> any FavoritesStore {
        let before = try find(store)
        await before.store.close()
        try await server.run("UPDATE marvel.meta SET capacity = \(capacity)", in: before.owned)
        var settings = before.settings
        settings.capacity = capacity
        return try await open(before.owned, settings)
    }

    func second(of store: any FavoritesStore) async throws -> (any FavoritesStore)? {
        let first = try find(store)
        return try await open(first.owned, first.settings)
    }

    private func find(_ store: any FavoritesStore) throws -> Opened {
        let store = try #require(store as? PostgresFavoritesStore)
        return try #require(opened.withLock { opened in opened.first { $0.store === store } })
    }

    private func open(
        _ owned: String,
        _ settings: PostgresFavoritesStore.Settings
    ) async throws -> any FavoritesStore {
        let store = try await PostgresFavoritesStore.open(address(owned, as: role), settings, clock: clock)
        opened.withLock { $0.append(Opened(store: store, owned: owned, settings: settings)) }
        return store
    }

    func close() async {
        for store in opened.withLock({ $0.map(\.store) }) { await store.close() }
    }
}

/// Opens stores on one database and closes them at the end.
func withStores(
    _ count: Int = 1,
    _ settings: PostgresFavoritesStore.Settings = .init(),
    _ body: (PostgresServer, String, [PostgresFavoritesStore]) async throws -> Void
) async throws {
    let server = try await PostgresServer.shared()
    let address = try await server.makeDatabase()
    var stores: [PostgresFavoritesStore] = []
    for _ in 0..<count { stores.append(try await .open(address, settings)) }
    do {
        try await body(server, address, stores)
    } catch {
        for store in stores { await store.close() }
        throw error
    }
    for store in stores { await store.close() }
}

/// Returns SQL that waits until a connection of the store waits for a lock, and then does something with its process.
func lockWait(of part: String, then end: String = "") -> String {
    """
    DO $$ DECLARE v_pid int4; BEGIN
        LOOP
            SELECT pid INTO v_pid FROM pg_stat_activity WHERE application_name = 'marvel-server \(part)'
                AND datname = current_database() AND wait_event_type = 'Lock';
            EXIT WHEN FOUND;
            PERFORM pg_sleep(0.01);
            PERFORM pg_stat_clear_snapshot();
        END LOOP;
        \(end)
    END $$;
    """
}
