internal import MarvelDomain
internal import SQLiteFiles
internal import Synchronization

/// A cache of a gateway's answers, pictures and call counts: one SQLite file. It also contains the pictures of
/// favorites, which are pinned: no limit evicts them.
///
/// If the file fails, the server logs it and continues without the data. At any time, a damaged file is renamed and
/// replaced by a new one with its intact pinned pictures. The file never contains keys or signatures.
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
        /// The reported problems, each reported once.
        var reported: Set<String> = []
        var damages = 0
    }

    /// After this many damaged files no new file is created: the disk is probably faulty.
    private static let maximumDamages = 3

    let path: String
    let gateway: String
    let limits: Limits
    private let onProblem: @Sendable (String) -> Void
    private let state = Mutex(State())

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
            try GatewayAnswersTable.trim(to: limits.answerByteCount, in: db)
            try CachedPicturesTable.trim(to: limits.pictureByteCount, in: db)
            try db.execute("PRAGMA incremental_vacuum")
        }
    }

    deinit { state.withLock { $0.connection }?.abandon() }

    package var isOpen: Bool { state.withLock { $0.connection != nil } }

    /// Closes the file after all pending writes. Later writes are dropped.
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
            do { try db.committed { try work(db) } } catch { failed(error, queue) }
        }
    }

    /// Runs a query; nil without a result, or if the file cannot be read.
    func query<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value?) async -> Value? {
        guard let queue else { return nil }
        return await withCheckedContinuation { continuation in
            queue.async { [self] db in
                do {
                    let value = try db.committed { try work(db) }
                    continuation.resume(returning: value)
                } catch {
                    failed(error, queue)
                    continuation.resume(returning: nil)
                }
            }
        }
    }

    /// Enqueues work that begins its own transactions. `then` gets whether it succeeded.
    func performAlone(
        _ work: @escaping @Sendable (Database) throws -> Void,
        then: @escaping @Sendable (Bool) -> Void
    ) {
        guard let queue else { return then(false) }
        queue.async { [self] db in
            do {
                try work(db)
                then(true)
            } catch {
                failed(error, queue)
                then(false)
            }
        }
    }

    /// Runs such work after all queued work, and returns whether it succeeded.
    func performNow(_ work: (Database) throws -> Void) -> Bool {
        guard let queue else { return false }
        do {
            try queue.sync(work)
            return true
        } catch {
            failed(error, queue)
            return false
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

    /// Handles an error of queued work, on the queue's own thread.
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
        state.damages += 1
        guard state.damages <= CacheFile.maximumDamages else {
            return report("the cache \(path) was damaged repeatedly: nothing is stored anymore", &state)
        }
        let reason = CacheFile.reason(error)
        do {
            let damaged = try CacheConnection.setAside(path)
            let connection = try CacheConnection(path)
            state.connection = connection
            report("the cache \(path) was damaged (\(reason)); renamed to \(damaged)", &state)
            // It may take long, so not under the lock.
            connection.queue.async { [self] db in rescuePinned(from: damaged, into: db) }
        } catch {
            report("the cache \(path) is damaged (\(reason)) and cannot be renamed: nothing is stored", &state)
        }
    }

    /// Copies the intact pinned pictures from the damaged file, as far as SQLite can read it.
    private func rescuePinned(from damaged: String, into db: Database) {
        var count = 0
        var batch = PictureBatch { pictures in
            try PinnedPicturesTable.insert(pictures, in: db)
            count += pictures.count
        }
        var problems: [any Error] = []
        var isWhole = true
        do { isWhole = try PinnedPicturesCopy.read(damaged) { try batch.add($0) } } catch { problems.append(error) }
        do { try batch.flush() } catch { problems.append(error) }
        let problem = problems.first.map { ": \(CacheFile.reason($0))" } ?? ""
        isWhole = isWhole && problems.isEmpty
        if count > 0 || !isWhole {
            let rest = isWhole ? "" : ", some may be missing\(problem)"
            report("pictures of favorites restored from \(damaged): \(count)\(rest)")
        }
    }

    private func report(_ problem: String, _ state: inout State) {
        if state.reported.insert(problem).inserted { onProblem(problem) }
    }

    private func report(_ problem: String) { state.withLock { report(problem, &$0) } }

    /// Describes an error without SQL, which would reveal what people search for.
    private static func reason(_ error: any Error) -> String {
        guard let error = error as? DatabaseError else { return "\(error)" }
        return error.failure == .busy ? "another program holds it" : error.reason
    }
}
