package import MarvelAPI
internal import Synchronization

/// Makes the calls to a gateway: when the gate lets them, again where that may help, and counted.
package final class UpstreamCaller: Sendable {
    private typealias Decision = CheckedContinuation<UpstreamGate.OnCall, Never>

    private struct State {
        var gate: UpstreamGate
        var lastTicket: UpstreamGate.Ticket = 0
        var waiting: [UpstreamGate.Ticket: Decision] = [:]
    }

    private let clock: UpstreamClock
    private let ledger: (any CallLedger)?
    private let counts: UpstreamCounts
    private let state: Mutex<State>

    /// - Parameters:
    ///   - gate: What decides.
    ///   - ledger: Is told of calls that count.
    ///   - clock: Time and chance.
    ///   - counts: What is reported.
    package init(
        gate: UpstreamGate = UpstreamGate(),
        ledger: (any CallLedger)? = nil,
        clock: UpstreamClock,
        counts: UpstreamCounts = UpstreamCounts()
    ) {
        self.clock = clock
        self.ledger = ledger
        self.counts = counts
        self.state = Mutex(State(gate: gate))
    }

    /// Makes a call, and makes it again where its failure is likely to pass.
    ///
    /// - Parameters:
    ///   - deadline: When the last of those who want the answer will have gone; asked when it matters.
    ///   - ask: One request.
    /// - Returns: What `ask` returned.
    /// - Throws: What `ask` threw last, or why it was not called; `.cancelled` when the task is cancelled.
    package func call<Value: Sendable>(
        deadline: @Sendable () -> Moment?,
        _ ask: @Sendable () async throws(MarvelAPIError) -> Value
    ) async throws(MarvelAPIError) -> Value {
        var attempt = 1
        while true {
            do throws(MarvelAPIError) {
                return try await callOnce(ask)
            } catch {
                let (deadline, now, random) = (deadline(), clock.now(), clock.random())
                let delay = state.withLock { state in
                    state.gate.delay(after: error, attempt: attempt, deadline: deadline, at: now, random: random)
                }
                guard let delay else { throw error }
                do { try await clock.sleep(delay) } catch { throw .cancelled }
                attempt += 1
            }
        }
    }

    private func callOnce<Value: Sendable>(
        _ ask: @Sendable () async throws(MarvelAPIError) -> Value
    ) async throws(MarvelAPIError) -> Value {
        try await begin()
        counts.count(.call)
        let start = clock.now()
        do throws(MarvelAPIError) {
            let value = try await ask()
            ended(.answered, startedAt: start)
            return value
        } catch {
            ended(.failed(error), startedAt: start)
            throw error
        }
    }

    // MARK: Turns

    private func begin() async throws(MarvelAPIError) {
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        let decision = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                enter(ticket, continuation)
                // The handler below may have run before there was anything to cancel.
                if Task.isCancelled { cancel(ticket) }
            }
        } onCancel: {
            cancel(ticket)
        }
        guard case .refuse(let failure) = decision else { return }
        counts.count(.refused)
        throw failure
    }

    private func enter(_ ticket: UpstreamGate.Ticket, _ continuation: Decision) {
        let now = clock.now()
        let decision = change { state in
            let decision = state.gate.callWanted(ticket, at: now)
            if case .wait = decision { state.waiting[ticket] = continuation }
            return decision
        }
        if decision != .wait { continuation.resume(returning: decision) }
    }

    private func cancel(_ ticket: UpstreamGate.Ticket) {
        let continuation = state.withLock { state in
            state.gate.waitCancelled(ticket) ? state.waiting.removeValue(forKey: ticket) : nil
        }
        continuation?.resume(returning: .refuse(.cancelled))
    }

    private func ended(_ outcome: UpstreamGate.Outcome, startedAt start: Moment) {
        let now = clock.now()
        let released = change { state in
            state.gate.callEnded(outcome, startedAt: start, at: now)
                .map { (state.waiting.removeValue(forKey: $0.ticket), $0.decision) }
        }
        for (continuation, decision) in released { continuation?.resume(returning: decision) }
    }

    /// The ledger is told under the lock, so that it hears of things in their order.
    private func change<Value>(_ body: (inout State) -> Value) -> Value {
        state.withLock { state in
            let value = body(&state)
            let entries = state.gate.takeEntries()
            if !entries.isEmpty { ledger?.note(entries) }
            return value
        }
    }
}
