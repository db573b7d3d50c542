internal import GRDB
internal import SQLiteFiles
internal import Synchronization

/// A cache on disk of a gateway's answers, of pictures, and of the calls that were made: one SQLite file.
///
/// If the file fails, the server continues without the lost data, and logs it. A damaged file is renamed and replaced
/// by a new one, at the start and later. The file never contains keys or signatures.
package final class CacheFile: Sendable {
    package struct Limits: Sendable, Hashable {
        /// The approximate maximum size of answers: 64 MiB.
        package var answerByteCount = 64 << 20
        /// The approximate maximum size of pictures: 256 MiB.
        package var pictureByteCount = 256 << 20

        package init() {}
    }

    private struct State {
        var queue: DatabaseQueue?
        /// The problems that were reported, so that each is reported once.
        var reported: Set<String> = []
        var damages = 0
    }

    /// The number of damaged files after which no new file is created, because the disk is probably faulty.
    private static let maximumDamages = 3

    let path: String
    /// The gateway's address without keys. It separates the answers and calls of different gateways.
    let gateway: String
    let limits: Limits
    private let onProblem: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// Opens the file, or creates it.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - gateway: The address of the gateway whose answers are kept.
    ///   - limits: The maximum sizes.
    ///   - onProblem: Called with problems for the operator, now and later, also if the file cannot be opened.
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
            try db.execute(sql: "PRAGMA incremental_vacuum")
        }
    }

    /// Whether the file is open. If it is not, nothing is kept.
    package var isOpen: Bool { state.withLock { $0.queue != nil } }

    /// Closes the file after everything is written. Nothing is kept afterwards.
    package func close() async {
        let queue = state.withLock { state in
            defer { state.queue = nil }
            return state.queue
        }
        guard let queue else { return }
        await withCheckedContinuation { continuation in
            queue.asyncWriteWithoutTransaction { _ in continuation.resume() }
        }
        do { try queue.close() } catch { report("\(error)") }
    }

    // MARK: Work

    /// Enqueues a write, and returns at once.
    func perform(_ work: @escaping @Sendable (Database) throws -> Void) {
        guard let queue = state.withLock({ $0.queue }) else { return }
        queue.asyncWrite(work) { [self] _, result in
            if case .failure(let error) = result { failed(error, queue) }
        }
    }

    /// Enqueues a query, and returns its result; nil if there is none, or if the file cannot be read.
    func query<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value?) async -> Value? {
        guard let queue = state.withLock({ $0.queue }) else { return nil }
        return await withCheckedContinuation { continuation in
            queue.asyncWrite(work) { [self] _, result in
                switch result {
                case .success(let value):
                    continuation.resume(returning: value)
                case .failure(let error):
                    failed(error, queue)
                    continuation.resume(returning: nil)
                }
            }
        }
    }

    // MARK: Failures

    private func openFirst(_ state: inout State) {
        do {
            state.queue = try CacheConnection.open(path)
        } catch let error as DatabaseError where error.failure.isDamage {
            replace(&state, error)
        } catch {
            report("nothing is kept in the cache \(path): \(CacheFile.reason(error))", &state)
        }
    }

    /// Handles an error of enqueued work. It is called on the queue's own thread.
    private func failed(_ error: any Error, _ queue: DatabaseQueue) {
        state.withLock { state in
            // Work that was enqueued on a file that was replaced since then fails too.
            guard state.queue === queue else { return }
            if let error = error as? DatabaseError, error.failure.isDamage { return replace(&state, error) }
            report("the cache \(path) cannot be used now: \(CacheFile.reason(error))", &state)
        }
    }

    private func replace(_ state: inout State, _ error: DatabaseError) {
        state.queue = nil
        state.damages += 1
        guard state.damages <= CacheFile.maximumDamages else {
            return report("the cache \(path) was damaged again and again: nothing is kept any more", &state)
        }
        let reason = CacheFile.reason(error)
        do {
            try CacheConnection.setAside(path)
            state.queue = try CacheConnection.open(path)
            report("the cache \(path) was damaged (\(reason)); it is set aside as \(path).damaged", &state)
        } catch {
            report("the cache \(path) is damaged (\(reason)) and cannot be set aside: nothing is kept", &state)
        }
    }

    private func report(_ problem: String, _ state: inout State) {
        if state.reported.insert(problem).inserted { onProblem(problem) }
    }

    private func report(_ problem: String) { state.withLock { report(problem, &$0) } }

    /// Describes an error without SQL, which would show what people search for.
    private static func reason(_ error: any Error) -> String {
        guard let error = error as? DatabaseError else { return "\(error)" }
        return error.failure == .busy ? "another server has it open" : error.reason
    }
}
