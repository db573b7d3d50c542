internal import GRDB
internal import Synchronization

/// What is kept on disk of a gateway's answers, of pictures, and of the calls that were made: one SQLite file.
///
/// A cache: whatever happens to it, the server goes on without what was lost, and says so. A damaged file is set aside
/// and a new one begun, at the start and later. No key and no signature gets in here.
package final class CacheFile: Sendable {
    package struct Limits: Sendable, Hashable {
        /// Of answers, about: 64 MiB.
        package var answerByteCount = 64 << 20
        /// Of pictures, about: 256 MiB.
        package var pictureByteCount = 256 << 20

        package init() {}
    }

    private struct State {
        var queue: DatabaseQueue?
        /// What the operator was told: each thing once.
        var told: Set<String> = []
        var damages = 0
    }

    /// A disk that damages file after file is not written to for ever.
    private static let maximumDamages = 3

    let path: String
    /// Its address without keys: answers and calls of another one are another's.
    let gateway: String
    let limits: Limits
    private let onProblem: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// Opens the file, or makes it.
    ///
    /// - Parameters:
    ///   - path: Where it is. Nil: nothing is kept.
    ///   - gateway: Whose answers are kept, by its address.
    ///   - limits: How much is kept.
    ///   - onProblem: Gets what the operator should know, now and later, also if nothing can be kept.
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
            try AnswersTable.trim(to: limits.answerByteCount, in: db)
            try CachedPicturesTable.trim(to: limits.pictureByteCount, in: db)
            try db.execute(sql: "PRAGMA incremental_vacuum")
        }
    }

    /// Whether anything is kept.
    package var isOpen: Bool { state.withLock { $0.queue != nil } }

    /// Ends when everything is written. Nothing is kept after it.
    package func close() async {
        let queue = state.withLock { state in
            defer { state.queue = nil }
            return state.queue
        }
        guard let queue else { return }
        await withCheckedContinuation { continuation in
            queue.asyncWriteWithoutTransaction { _ in continuation.resume() }
        }
        do { try queue.close() } catch { tell("\(error)") }
    }

    // MARK: Work

    /// Does something with the file behind what was asked for before, and returns at once.
    func perform(_ work: @escaping @Sendable (Database) throws -> Void) {
        guard let queue = state.withLock({ $0.queue }) else { return }
        queue.asyncWrite(work) { [self] _, result in
            if case .failure(let error) = result { failed(error, queue) }
        }
    }

    /// What the file has, behind what was asked for before; nil if there is none, or if it cannot be read.
    func look<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value?) async -> Value? {
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

    // MARK: Trouble

    private func openFirst(_ state: inout State) {
        do {
            state.queue = try CacheConnection.open(path)
        } catch let error as DatabaseError where error.isDamage {
            replace(&state, error)
        } catch {
            tell("nothing is kept in the cache \(path): \(CacheFile.reason(error))", &state)
        }
    }

    /// Called on the queue's own thread.
    private func failed(_ error: any Error, _ queue: DatabaseQueue) {
        state.withLock { state in
            // The work that waited behind the one that failed fails too.
            guard state.queue === queue else { return }
            if let error = error as? DatabaseError, error.isDamage { return replace(&state, error) }
            tell("the cache \(path) is of no use for now: \(CacheFile.reason(error))", &state)
        }
    }

    private func replace(_ state: inout State, _ error: DatabaseError) {
        state.queue = nil
        state.damages += 1
        guard state.damages <= CacheFile.maximumDamages else {
            return tell("the cache \(path) was damaged again and again: nothing is kept any more", &state)
        }
        let reason = CacheFile.reason(error)
        do {
            try CacheConnection.setAside(path)
            state.queue = try CacheConnection.open(path)
            tell("the cache \(path) was damaged (\(reason)); it is set aside as \(path).damaged", &state)
        } catch {
            tell("the cache \(path) is damaged (\(reason)) and cannot be set aside: nothing is kept", &state)
        }
    }

    private func tell(_ problem: String, _ state: inout State) {
        if state.told.insert(problem).inserted { onProblem(problem) }
    }

    private func tell(_ problem: String) { state.withLock { tell(problem, &$0) } }

    /// Without SQL, which would say what people looked for.
    private static func reason(_ error: any Error) -> String {
        guard let error = error as? DatabaseError else { return "\(error)" }
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED: return "another server has it open"
        default: return error.message ?? "\(error.resultCode)"
        }
    }
}

extension DatabaseError {
    /// The file is not what was written. A missing table is no slip of this program: it made all of them.
    fileprivate var isDamage: Bool {
        switch resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH: true
        default: false
        }
    }
}
