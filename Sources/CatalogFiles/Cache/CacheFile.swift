internal import Foundation
internal import MarvelDomain
internal import SQLiteFiles
internal import Synchronization

/// One SQLite file with a gateway's answers, pictures and call counts. It also has the pinned pictures of favorites,
/// which no limit evicts.
///
/// If the file fails, the server logs it and continues without the data. A damaged file is renamed and replaced by a new
/// one, once; the second time nothing is stored. The file never contains keys or signatures.
package final class CacheFile: Sendable {
    package struct Limits: Sendable, Hashable {
        /// Approximate: 64 MiB.
        package var answerByteCount = 64 << 20
        /// Approximate: 256 MiB.
        package var pictureByteCount = 256 << 20

        package init() {}
    }

    private struct State {
        var connection: CacheConnection?
        var reported: Set<String> = []
        var wasDamaged = false
    }

    let path: String
    let gateway: String
    let limits: Limits
    private let onProblem: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// Returns the default path of a store's cache file.
    package static func path(beside store: String) -> String { store + ".cache" }

    /// Opens or creates the file. `onProblem` gets problems for the operator, now and later; a failed opening is only
    /// reported.
    package init(
        path: String,
        gateway: String,
        limits: Limits = Limits(),
        onProblem: @escaping @Sendable (String) -> Void
    ) {
        self.path = path
        self.gateway = gateway
        self.limits = limits
        self.onProblem = onProblem
        state.withLock { state in openFirst(&state) }
        perform { [limits] db in
            try Self.trim("answers", to: limits.answerByteCount, in: db)
            try Self.trim("pictures", to: limits.pictureByteCount, in: db)
            try db.execute("PRAGMA incremental_vacuum")
        }
    }

    deinit { state.withLock { $0.connection }?.abandon() }

    package var isOpen: Bool { state.withLock { $0.connection != nil } }

    /// Closes it after all pending writes. Later writes are dropped.
    package func close() async {
        let connection = state.withLock { state in
            defer { state.connection = nil }
            return state.connection
        }
        guard let connection else { return }
        await withCheckedContinuation { continuation in
            connection.queue.async { _ in continuation.resume() }
        }
        do { try connection.close() } catch { report("\(error)") }
    }

    func perform(_ work: @escaping @Sendable (Database) throws -> Void) {
        guard let queue else { return }
        queue.async { [self] db in
            _ = attempt(on: queue) { try limited(db) { db in try db.committed { try work(db) } } }
        }
    }

    /// Runs work in a transaction, unless it begins its own. Nil if it fails.
    func query<Value: Sendable>(
        beginsTransaction: Bool = true,
        _ work: @escaping @Sendable (Database) throws -> Value?
    ) async -> Value? {
        guard let queue else { return nil }
        return await withCheckedContinuation { continuation in
            queue.async { [self] db in
                let value = attempt(on: queue) {
                    try limited(db) { db in beginsTransaction ? try db.committed { try work(db) } : try work(db) }
                }
                continuation.resume(returning: value)
            }
        }
    }

    /// Runs after all queued work.
    func performNow(_ work: (Database) throws -> Void) -> Bool {
        guard let queue else { return false }
        return attempt(on: queue) { try queue.sync { db in try limited(db, work) } } != nil
    }

    /// A statement that takes longer reads a tree that has no end: the file is damaged.
    private func limited<Value>(_ db: Database, _ work: (Database) throws -> Value) throws -> Value {
        do {
            return try db.limitingTime(to: Database.readingTime(of: path), work)
        } catch let error as DatabaseError where error.failure == .interrupted {
            throw DatabaseError.damaged("a statement did not end")
        }
    }

    private func attempt<Value>(on queue: DatabaseQueue, _ work: () throws -> Value?) -> Value? {
        do {
            return try work()
        } catch {
            failed(error, queue)
            return nil
        }
    }

    private var queue: DatabaseQueue? { state.withLock { $0.connection?.queue } }

    private func openFirst(_ state: inout State) {
        do {
            state.connection = try CacheConnection(path)
        } catch let error as DatabaseError where error.failure.isDamage {
            replace(&state, error)
        } catch {
            report("nothing is stored in the cache \(path): \(CacheFile.reason(error))", &state)
        }
    }

    /// Runs on the queue's own thread.
    private func failed(_ error: any Error, _ queue: DatabaseQueue) {
        state.withLock { state in
            // Work that was queued for a replaced file fails too.
            guard state.connection?.queue === queue else { return }
            if let error = error as? DatabaseError, error.failure.isDamage { return replace(&state, error) }
            report("the cache \(path) cannot be used now: \(CacheFile.reason(error))", &state)
        }
    }

    private func replace(_ state: inout State, _ error: DatabaseError) {
        state.connection?.abandon()
        state.connection = nil
        // After a second time the disk is probably faulty.
        guard !state.wasDamaged else {
            return report("the cache \(path) was damaged repeatedly: nothing is stored anymore", &state)
        }
        state.wasDamaged = true
        let reason = CacheFile.reason(error)
        do {
            let outcome = try CacheConnection.setAside(path)
            state.connection = try CacheConnection(path)
            report("the cache \(path) was damaged (\(reason)), and is new now; the old one is \(outcome)", &state)
        } catch {
            report("the cache \(path) is damaged (\(reason)) and cannot be renamed: nothing is stored", &state)
        }
    }

    private func report(_ problem: String, _ state: inout State) {
        if state.reported.insert(problem).inserted { onProblem(problem) }
    }

    private func report(_ problem: String) { state.withLock { report(problem, &$0) } }

    /// SQL would reveal what people search for.
    private static func reason(_ error: any Error) -> String {
        guard let error = error as? DatabaseError else { return "\(error)" }
        return error.failure == .busy ? "another program holds it" : error.reason
    }

    // MARK: Rows

    /// Deletes the least recently used rows until the others cost at most `byteCount`.
    static func trim(_ table: String, to byteCount: Int, in db: Database) throws {
        var cost = try db.value("SELECT coalesce(sum(cost), 0) FROM \(table)", as: Int.self) ?? 0
        guard cost > byteCount else { return }
        let rows = try db.rows("SELECT rowid AS rowid, cost FROM \(table) ORDER BY last_use")
        var evicted: [Int64] = []
        while cost > byteCount, let row = try rows.next() {
            evicted.append(try row.read("rowid"))
            // The cost of a forged row may be any number. A row with a negative cost is deleted too.
            cost = cost.subtractingReportingOverflow(max(try row.read("cost"), 0)).partialValue
        }
        for id in evicted { try db.run("DELETE FROM \(table) WHERE rowid = ?", id) }
    }

    /// SQLite does not notice a flipped bit.
    static func digest(_ texts: [String], _ bytes: [UInt8]) -> Int64 {
        var hash = FNV1a()
        for text in texts {
            hash.combine(text.utf8)
            hash.combine(UInt8(0))
        }
        hash.combine(bytes)
        return Int64(bitPattern: hash.value)
    }
}

/// A connection to a cache file, which one server has open at a time. Otherwise two servers would count only their own
/// calls, and exceed the budget together.
struct CacheConnection: Sendable {
    let queue: DatabaseQueue
    private let lock: LockedFile

    /// Mode 0600, because the file reveals what people search for.
    init(_ path: String) throws {
        do {
            lock = try LockedFile(path, creating: true)
        } catch .isLocked {
            throw CacheFileError(description: "another server has it open")
        } catch {
            throw CacheConnection.notWritable
        }
        do {
            try CacheConnection.checkOwner(of: lock)
            // An existing file may have another mode.
            _ = fchmod(lock.descriptor, 0o600)
            var settings = Database.Settings()
            settings.busyTimeout = CacheConnection.busyTimeout
            queue = try DatabaseQueue(path, settings)
            do {
                try queue.sync { db in
                    try db.limitingTime(to: Database.readingTime(of: path)) { db in
                        try CacheConnection.setUp(db)
                        try CacheSchema.migrations.migrate(db)
                    }
                }
            } catch {
                try? queue.close()
                throw error
            }
        } catch {
            lock.close()
            throw error
        }
    }

    func close() throws {
        // SQLite's locks end when any descriptor of the file is closed, so close this one last.
        defer { lock.close() }
        try queue.close()
    }

    /// SQLite closes the file with the last reference to the queue.
    func abandon() { lock.close() }

    /// Read-only: opening for writing would change another program's file.
    private static func checkOwner(of file: LockedFile) throws {
        do {
            var settings = Database.Settings()
            settings.timeLimit = Database.readingTime(of: file.path)
            settings.isReadOnly = true
            settings.busyTimeout = busyTimeout
            let db = try Database(file.path, settings)
            try db.reading { try CacheSchema.check(db) }
        } catch let error as DatabaseError where error.failure.isDamage {
            guard file.mayBelong(to: CacheSchema.applicationID) else { throw CacheFileError.notACache }
            throw error
        }
    }

    /// In milliseconds.
    private static let busyTimeout: CInt = 5_000

    private static func setUp(_ db: Database) throws {
        // Lets the file shrink after a start with a lower limit. It takes effect only in an empty file.
        try db.execute("PRAGMA auto_vacuum = INCREMENTAL")
        try db.execute("PRAGMA journal_mode = WAL")
        // A checkpoint syncs the log, and the system does within half a minute. A crash of the process loses nothing; a
        // power loss loses at most half a minute. Pinned pictures are synced immediately.
        try db.execute("PRAGMA synchronous = NORMAL")
        try db.execute("PRAGMA journal_size_limit = \(16 << 20)")
    }

    private static let notWritable = CacheFileError(description: "it cannot be created or written")

    /// Renames a damaged file to `.damaged`, for inspection. If that name is taken, it removes the file.
    ///
    /// - Returns: The place of the file, in words for the operator.
    /// - Throws: `CacheFileError`.
    static func setAside(_ path: String) throws -> String {
        let damaged = path + ".damaged"
        let isTaken = access(damaged, F_OK) == 0
        guard (isTaken ? unlink(path) : rename(path, damaged)) == 0 else { throw notWritable }
        // SQLite would apply the damaged file's log to the new file.
        for suffix in ["-wal", "-shm", "-journal"] { unlink(path + suffix) }
        return isTaken ? "removed" : damaged
    }
}
