internal import Foundation
package import RPCCore
internal import Synchronization

/// Limits concurrent CPU-bound work, so that short requests are still answered. Waiting callers take turns
/// (`CallSlots`).
package final class SearchGate: Sendable {
    /// The gate of all catalogs of the process. At most half of the processors search.
    package static let shared = SearchGate(
        running: max(ProcessInfo.processInfo.activeProcessorCount / 2, 1),
        waiting: 1024,
        shares: CallerShares(named: 32, anonymous: 4)
    )

    private struct State {
        var slots: CallSlots
        var turns: [UInt64: Turn] = [:]
        var lastTicket: UInt64 = 0
    }

    private let maximumWaiting: Int
    private let state: Mutex<State>

    /// `running` is 1 or more. `shares` counts the running and waiting searches of one caller.
    package init(running: Int, waiting: Int, shares: CallerShares = .unlimited) {
        maximumWaiting = waiting
        let slots = CallSlots(maximumUnderWay: running, maximumWaiting: waiting, shares: shares)
        state = Mutex(State(slots: slots))
    }

    /// Runs it on a thread that is not an event loop's. The search must not block. Throws like `enter`.
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

    package var waitingCount: Int { state.withLock { $0.slots.waitingCount } }

    /// Resumes with nil when admitted, or with the reason of its refusal.
    private typealias Turn = CheckedContinuation<CatalogError?, Never>

    /// Call `leave` afterwards. Throws `.cancelled`, `.overloaded` if the queue is full, or `.shareSpent`.
    package func enter(_ caller: CallerID = .current) async throws(CatalogError) {
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        let refusal = await withTaskCancellationHandler {
            await withCheckedContinuation { (turn: Turn) in
                admit(ticket, of: caller, turn)
                // A cancellation before this point did not find the ticket in the queue.
                if Task.isCancelled { cancel(ticket) }
            }
        } onCancel: {
            cancel(ticket)
        }
        if let refusal { throw Task.isCancelled ? .cancelled : refusal }
    }

    private var overloaded: CatalogError { .overloaded(maximumSearches: maximumWaiting) }

    /// A displaced caller is refused in place of the new one.
    private func admit(_ ticket: UInt64, of caller: CallerID, _ turn: Turn) {
        let (decided, refusal) = state.withLock { state -> (Turn?, CatalogError?) in
            if let maximum = state.slots.fullShare(of: caller) { return (turn, .shareSpent(maximumSearches: maximum)) }
            guard state.slots.isFull else {
                state.slots.begin(caller)
                return (turn, nil)
            }
            switch state.slots.wait(ticket, of: caller) {
            case .refuse:
                return (turn, overloaded)
            case .wait:
                state.turns[ticket] = turn
                return (nil, nil)
            case .displace(let other):
                state.turns[ticket] = turn
                return (state.turns.removeValue(forKey: other), overloaded)
            }
        }
        decided?.resume(returning: refusal)
    }

    package func leave(_ caller: CallerID = .current) {
        let turn = state.withLock { state -> Turn? in
            state.slots.end(caller)
            guard let next = state.slots.next() else { return nil }
            state.slots.begin(next.caller)
            return state.turns.removeValue(forKey: next.ticket)
        }
        turn?.resume(returning: nil)
    }

    private func cancel(_ ticket: UInt64) {
        let turn = state.withLock { state in
            state.slots.withdraw(ticket) ? state.turns.removeValue(forKey: ticket) : nil
        }
        turn?.resume(returning: .cancelled)
    }
}
