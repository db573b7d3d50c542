internal import Foundation
internal import Synchronization

/// Lets few of the searches that take long run at a time: a thousand clients that ask at once wait for each other, and
/// what is answered at once goes on between them.
final class SearchGate: Sendable {
    /// For all catalogs of the process, for they share its processors: half of them search at most.
    static let shared = SearchGate(running: max(ProcessInfo.processInfo.activeProcessorCount / 2, 1), waiting: 1024)

    private struct State {
        var running = 0
        /// In the order in which they came.
        var waiting: [(id: UInt64, turn: CheckedContinuation<Bool, Never>)] = []
        var lastID: UInt64 = 0
    }

    private let maximumRunning: Int
    private let maximumWaiting: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - running: How many searches may run at a time, at least 1.
    ///   - waiting: How many more may wait for it.
    init(running: Int, waiting: Int) {
        maximumRunning = running
        maximumWaiting = waiting
    }

    /// Searches when it is this one's turn, on a thread that is no event loop's.
    ///
    /// - Parameter search: Runs without waiting for anything.
    /// - Returns: What it found.
    /// - Throws: `.cancelled`; `.overloaded` if too many wait already.
    func run<Found: Sendable>(
        _ search: @Sendable () throws(CatalogError) -> Found
    ) async throws(CatalogError) -> Found {
        try await enter()
        defer { leave() }
        return try await withTaskExecutorPreference(globalConcurrentExecutor) { () async throws(CatalogError) in
            try search()
        }
    }

    var waitingCount: Int { state.withLock { $0.waiting.count } }

    private enum Admission {
        case now
        case later
        case never
    }

    /// Waits for a place; who has got one gives it back with `leave`.
    ///
    /// - Throws: `.cancelled`; `.overloaded` if too many wait already.
    func enter() async throws(CatalogError) {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let mayRun = await withTaskCancellationHandler {
            await withCheckedContinuation { turn in
                switch admit(id, turn) {
                case .now: turn.resume(returning: true)
                case .never: turn.resume(returning: false)
                // Whoever cancelled before this one waited has not found it there.
                case .later: if Task.isCancelled { cancel(id) }
                }
            }
        } onCancel: {
            cancel(id)
        }
        guard mayRun else { throw Task.isCancelled ? .cancelled : .overloaded(maximumSearches: maximumWaiting) }
    }

    private func admit(_ id: UInt64, _ turn: CheckedContinuation<Bool, Never>) -> Admission {
        state.withLock { state in
            if state.running < maximumRunning {
                state.running += 1
                return .now
            }
            guard state.waiting.count < maximumWaiting else { return .never }
            state.waiting.append((id, turn))
            return .later
        }
    }

    /// The one that ends hands its place to the one that has waited longest.
    func leave() {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard !state.waiting.isEmpty else {
                state.running -= 1
                return nil
            }
            return state.waiting.removeFirst().turn
        }
        next?.resume(returning: true)
    }

    private func cancel(_ id: UInt64) {
        let turn = state.withLock { state in
            state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0).turn }
        }
        turn?.resume(returning: false)
    }
}
