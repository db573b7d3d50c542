internal import MarvelDomain
internal import RPCCore
internal import Synchronization

/// Reads of a store that callers share: a caller that asks for a value that is being read waits for the same read.
///
/// A read is a task of its own, so that a caller whose task is cancelled ends its own wait and not the read. When the
/// last caller has left, the read is cancelled. It counts until it has ended, but nobody waits for it any more: the next
/// caller begins another one.
final class SharedLoads<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private typealias Waiter = CheckedContinuation<Result<Value, StoreError>, Never>
    private typealias ID = UInt64

    private struct Load {
        let id: ID
        var waiters: [(id: ID, answer: Waiter)]
        /// Nil until the task was started.
        var task: StartedTask?
    }

    private struct State {
        /// The reads that somebody waits for.
        var loads: [Key: Load] = [:]
        /// The number of reads that go on, also of cancelled ones.
        var count = 0
        var lastID: ID = 0
    }

    private enum OnJoin {
        case begin(ID)
        case wait
        case refuse
    }

    private let maximumCount: Int
    private let runtime: ProcessRuntime
    private let state = Mutex(State())

    /// - Parameters:
    ///   - maximumCount: The number of reads that may go on at once. Further ones are refused.
    ///   - runtime: The tasks of the process.
    init(maximumCount: Int, _ runtime: ProcessRuntime) {
        self.maximumCount = maximumCount
        self.runtime = runtime
    }

    /// The number of reads that are going on.
    var count: Int { state.withLock(\.count) }

    /// The number of callers that wait.
    var waitingCount: Int { state.withLock { $0.loads.values.reduce(0) { $0 + $1.waiters.count } } }

    /// Reads, or waits for a read that is going on.
    ///
    /// - Parameters:
    ///   - key: The thing to read.
    ///   - read: Reads it. The read of another caller may be taken in its place.
    /// - Returns: The result. It may be as old as the beginning of the other read.
    /// - Throws: `StoreError.overloaded`, `.cancelled` if the caller's task is cancelled, or the error of the read.
    func value(
        of key: Key,
        _ read: @escaping @Sendable () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { answer in
                switch state.withLock({ join(&$0, id, key, answer) }) {
                case .begin(let load): begin(load, key, read)
                case .wait: break
                case .refuse: answer.resume(returning: .failure(.overloaded))
                }
                // The handler below may have run before there was anything to leave.
                if Task.isCancelled { leave(id, key) }
            }
        } onCancel: {
            leave(id, key)
        }
        return try result.get()
    }

    private func join(_ state: inout State, _ id: ID, _ key: Key, _ answer: Waiter) -> OnJoin {
        if state.loads[key] != nil {
            state.loads[key]?.waiters.append((id, answer))
            return .wait
        }
        guard state.count < maximumCount else { return .refuse }
        state.count += 1
        // The number of its first caller names the read.
        state.loads[key] = Load(id: id, waiters: [(id, answer)])
        return .begin(id)
    }

    private func begin(
        _ id: ID,
        _ key: Key,
        _ read: @escaping @Sendable () async throws(StoreError) -> Value
    ) {
        let task = runtime.start { [self] in await run(id, key, read) }
        let isOver = state.withLock { state in
            guard state.loads[key]?.id == id else { return true }
            state.loads[key]?.task = task
            return false
        }
        // It has ended, or all callers have left.
        if isOver { task.cancel() }
    }

    private func run(_ id: ID, _ key: Key, _ read: @Sendable () async throws(StoreError) -> Value) async {
        let result: Result<Value, StoreError>
        do throws(StoreError) {
            result = .success(try await read())
        } catch {
            result = .failure(error)
        }
        let waiters = state.withLock { state in
            state.count -= 1
            guard state.loads[key]?.id == id else { return [] as [(id: ID, answer: Waiter)] }
            return state.loads.removeValue(forKey: key)?.waiters ?? []
        }
        for waiter in waiters { waiter.answer.resume(returning: result) }
    }

    private func leave(_ id: ID, _ key: Key) {
        let (waiter, task): (Waiter?, StartedTask?) = state.withLock { state in
            guard let index = state.loads[key]?.waiters.firstIndex(where: { $0.id == id }) else { return (nil, nil) }
            let waiter = state.loads[key]?.waiters.remove(at: index).answer
            guard state.loads[key]?.waiters.isEmpty == true else { return (waiter, nil) }
            return (waiter, state.loads.removeValue(forKey: key)?.task)
        }
        task?.cancel()
        waiter?.resume(returning: .failure(.cancelled))
    }
}
