internal import Foundation
internal import RPCCore
internal import Synchronization

/// Lets few of the searches that take long run at a time: a thousand clients that ask at once wait for each other, and
/// what is answered at once goes on between them. Callers take turns (`CallSlots`).
final class SearchGate: Sendable {
    /// For all catalogs of the process, for they share its processors: half of them search at most.
    static let shared = SearchGate(running: max(ProcessInfo.processInfo.activeProcessorCount / 2, 1), waiting: 1024)

    private struct State {
        var slots: CallSlots
        var turns: [UInt64: CheckedContinuation<Bool, Never>] = [:]
        var lastTicket: UInt64 = 0
    }

    private let maximumWaiting: Int
    private let state: Mutex<State>

    /// - Parameters:
    ///   - running: How many searches may run at a time, at least 1.
    ///   - waiting: How many more may wait for it.
    init(running: Int, waiting: Int) {
        maximumWaiting = waiting
        state = Mutex(State(slots: CallSlots(maximumUnderWay: running, maximumWaiting: waiting)))
    }

    /// Searches when it is this one's turn, on a thread that is no event loop's.
    ///
    /// - Parameter search: Runs without waiting for anything.
    /// - Returns: What it found.
    /// - Throws: `.cancelled`; `.overloaded` if too many wait already.
    func run<Found: Sendable>(
        _ search: @Sendable () throws(CatalogError) -> Found
    ) async throws(CatalogError) -> Found {
        let caller = CallerID.current
        try await enter(caller)
        defer { leave(caller) }
        return try await withTaskExecutorPreference(globalConcurrentExecutor) { () async throws(CatalogError) in
            try search()
        }
    }

    var waitingCount: Int { state.withLock { $0.slots.waitingCount } }

    private typealias Turn = CheckedContinuation<Bool, Never>

    private enum Admission {
        case now
        case later
        /// As `later`, and that search waits no longer.
        case inPlaceOf(Turn?)
        case never
    }

    /// Waits for a place; who has got one gives it back with `leave`.
    ///
    /// - Throws: `.cancelled`; `.overloaded` if too many wait already.
    func enter(_ caller: CallerID = .current) async throws(CatalogError) {
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        let mayRun = await withTaskCancellationHandler {
            await withCheckedContinuation { turn in
                switch admit(ticket, of: caller, turn) {
                case .now: turn.resume(returning: true)
                case .never: turn.resume(returning: false)
                case .inPlaceOf(let other): other?.resume(returning: false)
                case .later: break
                }
                // Whoever cancelled before this one waited has not found it there.
                if Task.isCancelled { cancel(ticket) }
            }
        } onCancel: {
            cancel(ticket)
        }
        guard mayRun else { throw Task.isCancelled ? .cancelled : .overloaded(maximumSearches: maximumWaiting) }
    }

    private func admit(_ ticket: UInt64, of caller: CallerID, _ turn: Turn) -> Admission {
        state.withLock { state in
            guard state.slots.isFull else {
                state.slots.begin(caller)
                return .now
            }
            switch state.slots.wait(ticket, of: caller) {
            case .refuse:
                return .never
            case .wait:
                state.turns[ticket] = turn
                return .later
            case .displace(let other):
                state.turns[ticket] = turn
                return .inPlaceOf(state.turns.removeValue(forKey: other))
            }
        }
    }

    /// The one that ends hands its place to the one whose turn it is.
    func leave(_ caller: CallerID = .current) {
        let turn = state.withLock { state -> Turn? in
            state.slots.end(caller)
            guard let next = state.slots.next() else { return nil }
            state.slots.begin(next.caller)
            return state.turns.removeValue(forKey: next.ticket)
        }
        turn?.resume(returning: true)
    }

    private func cancel(_ ticket: UInt64) {
        let turn = state.withLock { state in
            state.slots.withdraw(ticket) ? state.turns.removeValue(forKey: ticket) : nil
        }
        turn?.resume(returning: false)
    }
}
