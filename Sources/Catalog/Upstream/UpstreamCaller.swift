package import MarvelAPI
internal import RPCCore
internal import Synchronization

/// Makes the calls to a gateway: when the gate lets them, again where that may help, and counted.
package final class UpstreamCaller: Sendable {
    private typealias Decision = CheckedContinuation<UpstreamGate.OnCall, Never>

    private struct State {
        var gate: UpstreamGate
        var lastTicket: UpstreamGate.Ticket = 0
        var waiting: [UpstreamGate.Ticket: Decision] = [:]
        var notices = FailureNotices()
    }

    /// A call as the gate has to know it.
    private struct Call {
        var caller: CallerID
        var question: String?
    }

    private let clock: UpstreamClock
    private let ledger: (any CallLedger)?
    private let counts: UpstreamCounts
    private let onFailure: @Sendable (UpstreamFailure) -> Void
    private let state: Mutex<State>

    /// - Parameters:
    ///   - gate: What decides.
    ///   - ledger: Is told of calls that count.
    ///   - clock: Time and chance.
    ///   - counts: What is reported.
    ///   - onFailure: Is told of failures, of each kind once a minute.
    package init(
        gate: UpstreamGate = UpstreamGate(),
        ledger: (any CallLedger)? = nil,
        clock: UpstreamClock,
        counts: UpstreamCounts = UpstreamCounts(),
        onFailure: @escaping @Sendable (UpstreamFailure) -> Void = { _ in }
    ) {
        self.clock = clock
        self.ledger = ledger
        self.counts = counts
        self.onFailure = onFailure
        self.state = Mutex(State(gate: gate))
    }

    /// Makes a call, and makes it again where its failure is likely to pass. It counts as one of `CallerID.current`.
    ///
    /// - Parameters:
    ///   - question: What is asked, if other questions may be answered where this one is not: however often it fails, that
    ///     counts once against the gateway.
    ///   - deadline: When the last of those who want the answer will have gone; asked when it matters.
    ///   - ask: One request.
    /// - Returns: What `ask` returned.
    /// - Throws: What `ask` threw last, or why it was not called; `.cancelled` when the task is cancelled.
    package func call<Value: Sendable>(
        question: String? = nil,
        deadline: @Sendable () -> Moment?,
        _ ask: @Sendable () async throws(MarvelAPIError) -> Value
    ) async throws(MarvelAPIError) -> Value {
        let call = Call(caller: CallerID.current, question: question)
        var attempt = 1
        while true {
            do throws(MarvelAPIError) {
                return try await callOnce(call, ask)
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
        _ call: Call,
        _ ask: @Sendable () async throws(MarvelAPIError) -> Value
    ) async throws(MarvelAPIError) -> Value {
        try await begin(call.caller)
        counts.count(.call)
        let start = clock.now()
        do throws(MarvelAPIError) {
            let value = try await ask()
            ended(.answered, call, startedAt: start)
            return value
        } catch {
            ended(.failed(error), call, startedAt: start)
            failed(error)
            throw error
        }
    }

    // MARK: Turns

    private func begin(_ caller: CallerID) async throws(MarvelAPIError) {
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        let decision = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                enter(ticket, caller, continuation)
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

    private func enter(_ ticket: UpstreamGate.Ticket, _ caller: CallerID, _ continuation: Decision) {
        let now = clock.now()
        let decided: (continuation: Decision?, decision: UpstreamGate.OnCall) = change { state in
            let decision = state.gate.callWanted(ticket, from: caller, at: now)
            switch decision {
            case .start, .refuse:
                return (continuation, decision)
            case .wait:
                state.waiting[ticket] = continuation
                return (nil, decision)
            case .displace(let other):
                state.waiting[ticket] = continuation
                return (state.waiting.removeValue(forKey: other), .refuse(state.gate.overloaded))
            }
        }
        decided.continuation?.resume(returning: decided.decision)
    }

    private func cancel(_ ticket: UpstreamGate.Ticket) {
        let continuation = state.withLock { state in
            state.gate.waitCancelled(ticket) ? state.waiting.removeValue(forKey: ticket) : nil
        }
        continuation?.resume(returning: .refuse(.cancelled))
    }

    private func ended(_ outcome: UpstreamGate.Outcome, _ call: Call, startedAt start: Moment) {
        let now = clock.now()
        let released = change { state in
            state.gate
                .callEnded(outcome, of: call.caller, question: call.question, startedAt: start, at: now)
                .map { (state.waiting.removeValue(forKey: $0.ticket), $0.decision) }
        }
        for (continuation, decision) in released { continuation?.resume(returning: decision) }
    }

    private func failed(_ error: MarvelAPIError) {
        guard error.isFailure else { return }
        counts.count(.failed)
        let now = clock.now()
        let failure: UpstreamFailure? = state.withLock { state in
            let peer = state.gate.peer
            return state.notices.failed(error.text(about: peer), at: now)
                .map { UpstreamFailure(peer: peer, error: error, count: $0) }
        }
        if let failure { onFailure(failure) }
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
