internal import Dispatch
internal import FavoritesEngine
internal import Foundation
internal import MarvelDomain
internal import SQLiteFiles
internal import StoreContract
internal import Synchronization
internal import Testing

@testable internal import FavoritesSQLite

/// Characters, toggles and lists as the tests name them.
func character(_ id: Int64) -> MarvelCharacter { MarvelCharacter(id: id, name: "Character \(id)") }

func list(_ name: String) throws -> ListName { try #require(ListName(name)) }

/// Makes a store of version 6 of one of version 8, apart from its number.
let removingEdits = "DROP TABLE edits; ALTER TABLE history DROP COLUMN has_taken_edits; \(addingPictures)"

/// Makes a store of version 7 of one of version 8, apart from its number.
let addingPictures = """
    CREATE TABLE pictures (
        character_id INTEGER NOT NULL PRIMARY KEY, media_type TEXT NOT NULL, is_placeholder INTEGER NOT NULL,
        bytes BLOB NOT NULL, fetched_at INTEGER NOT NULL
    ) STRICT;
    ALTER TABLE pictures ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
    """

/// Makes a store of version 5 of one of version 8, apart from its number.
let removingChecksums =
    removingEdits + "ALTER TABLE lists DROP COLUMN checksum; ALTER TABLE favorites DROP COLUMN checksum;"

/// Makes a store with a list of as many favorites, each saved under a request id, and closes it.
func makeStore(at file: String = path, saving count: Int64 = 3) async throws {
    let store = try SQLiteFavoritesStore(path: file)
    for id in 1...count { try await store.toggle(id, request: "r-\(id)") }
    await store.close()
}

/// Makes a store at revision 8, and a copy of it at 5.
func makeStoreAndCopy() async throws -> (copy: String, history: HistoryID) {
    let copy = "\(folder)/copy.db"
    let store = try SQLiteFavoritesStore(path: path)
    for id: Int64 in 1...5 { try await store.toggle(id, request: "r-\(id)") }
    _ = try StoreBackup.copy(path, to: copy)
    for id: Int64 in 6...8 { try await store.toggle(id, request: "r-\(id)") }
    await store.close()
    return (copy, store.history)
}

/// The lists of a store, as it exports them.
func exportedLists(_ path: String) throws -> [ListLine] {
    var lists: [ListLine] = []
    _ = try StoredLists.export(path) { line in
        if try EditLine(line) == nil { lists.append(try ListLine(line)) }
    }
    return lists
}

/// Returns the error of opening a store; nil if it opens.
func openError(_ path: String) -> FavoritesStoreOpenError? {
    do {
        _ = try SQLiteFavoritesStore(path: path)
        return nil
    } catch {
        return error
    }
}

func files(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
}

/// Changes the file of a store as another program does.
///
/// - Parameters:
///   - path: The store's file.
///   - sql: The change.
///   - sealing: Whether the checksums of all lists are made to match.
/// - Throws: Errors of SQLite.
func change(_ path: String, _ sql: String, sealing: Bool = false) async throws {
    let database = try DatabaseQueue(path, .undefended)
    try database.sync { db in
        try StoreSchema.addFunctions(to: db)
        try db.execute(sql)
        guard sealing else { return }
        try db.execute("UPDATE lists SET checksum = \(RowChecksum.ofList(revision: "revision"))")
    }
    try database.close()
}

extension SQLiteFavoritesStore {
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

    /// The ids on a list. The writer's count of the characters on lists has to be that of the disk.
    func ids(_ list: ListName = .default) async throws -> [Int64] {
        let stored = try await favorites(list).favorites.map(\.character.id)
        let held = try await read { db in (try HeldCharacters(reading: db), self.state.withLock(\.held)) }
        #expect(held.0 == held.1)
        return stored
    }
}

extension SQLiteFavoritesStore {
    /// A store in the folder of the running test. No toggle waits too long in it, however busy the machine is, unless
    /// `instant` says so.
    static func temporary(
        _ limits: StoreLimits = StoreLimits(),
        instant: @escaping @Sendable () -> ContinuousClock.Instant = { [start = ContinuousClock.now] in start },
        onError: @escaping @Sendable (String) -> Void = { _ in }
    ) throws -> SQLiteFavoritesStore {
        let path = "\(folder)/\(UUID().uuidString).db"
        let opened = try OpenedStore.atPath(path, limits: limits, durability: .none, address: nil)
        return SQLiteFavoritesStore(opened, limits: limits, now: clock(), instant: instant, onError: onError)
    }

    /// The problems that a thorough audit finds.
    func problems() async throws -> [String] {
        try await database.read { db in try StoreAudit.audit(db, witness: nil, isThorough: true).problems }
    }

    /// Keeps the writer from working until what is returned is signalled: what is called meanwhile becomes one group.
    func holdWriter() -> DispatchSemaphore {
        let mayGoOn = DispatchSemaphore(value: 0)
        database.writer.async { _ in mayGoOn.wait() }
        return mayGoOn
    }

    /// Sets what is called before each commit, which fails with its error.
    func setBeforeCommit(_ body: (@Sendable () throws -> Void)?) {
        database.writer.sync { db in db.beforeCommit = body }
    }

    func answerCount() async throws -> Int? {
        try await database.read { db in try db.value("SELECT count(*) FROM answers", as: Int.self) }
    }

    func untilWaiting(_ count: Int) async {
        while driver.waitingCount < count { await Task.yield() }
    }
}

extension DatabasePool {
    func sync<Value>(_ body: (Database) throws -> Value) rethrows -> Value { try writer.sync(body) }

    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            read(body) { continuation.resume(with: $0) }
        }
    }
}

/// Imports lists from text, as the command does.
@discardableResult
func importLists(_ text: String, into path: String) async throws -> ListsImport.Report {
    var pieces = [Array(text.utf8)]
    return try await importLists(into: path) { pieces.popLast() ?? [] }
}

func importLists(
    into path: String,
    limit: Int = ListLine.maximumLength,
    readPiece: @escaping () -> [UInt8]
) async throws -> ListsImport.Report {
    let store = try SQLiteFavoritesStore.forOperator(path, isCreating: true) { _ in }
    do {
        let report = try await ListsImport.run(
            into: store,
            edits: store.edits,
            maximumLineLength: limit,
            readPiece: readPiece
        )
        await store.close()
        return report
    } catch {
        await store.close()
        throw error
    }
}

/// A wall clock that does not move.
func clock(at seconds: Int64 = 1_700_000_000) -> @Sendable () -> Timestamp { { Timestamp(seconds: seconds) } }

/// Lines that a store wrote for its operator.
final class OperatorLog: Sendable {
    private let stored = Mutex<[String]>([])

    var lines: [String] { stored.withLock { $0 } }

    var write: @Sendable (String) -> Void {
        { line in self.stored.withLock { $0.append(line) } }
    }
}

extension Database.Settings {
    /// Those of a program that may damage its file.
    static var undefended: Database.Settings {
        var settings = Database.Settings()
        settings.isDefended = false
        return settings
    }
}
