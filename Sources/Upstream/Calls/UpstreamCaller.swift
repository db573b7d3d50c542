package import Catalog
internal import RPCCore
internal import Synchronization

/// A caller of one gateway or picture host, with admission by a gate, retries, and counters.
package final class UpstreamCaller: Sendable {
    private typealias Decision = CheckedContinuation<UpstreamGate.OnCall, Never>

    private struct State {
        var gate: UpstreamGate
        var lastTicket: UpstreamGate.Ticket = 0
        var waiting: [UpstreamGate.Ticket: Decision] = [:]
        var notices = FailureNotices()
        /// The exchanges with other servers; nil if the budget is not shared.
        var exchanger: CallExchanger?
    }

    /// The facts about a call that the gate needs.
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
    ///   - gate: The gate that decides on each call.
    ///   - ledger: The durable record of calls; nil if there is none.
    ///   - clock: The clock and the source of random numbers.
    ///   - counts: The counters of calls.
    ///   - onFailure: Called for failures, of each kind once a minute.
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

    /// The state of the calls now, for an operator.
    package var status: UpstreamStatus {
        let now = clock.now()
        return state.withLock { $0.gate.status(at: now) }
    }

    /// Makes a call, and retries it after transient failures. It counts as a call of `CallerID.current`.
    ///
    /// - Parameters:
    ///   - question: The question, if a failure may be limited to its answer. However often the question fails, it
    ///     counts as one failure of the gateway.
    ///   - deadline: Returns the latest deadline of the callers. It is called before each retry.
    ///   - ask: Sends one request.
    /// - Returns: The result of `ask`.
    /// - Throws: The last error of `ask`, or the reason why it was not called; `.cancelled` when the task is cancelled.
    package func call<Value: Sendable>(
        question: String? = nil,
        deadline: @Sendable () -> Moment?,
        _ ask: @Sendable () async throws(SourceError) -> Value
    ) async throws(SourceError) -> Value {
        let call = Call(caller: CallerID.current, question: question)
        var attempt = 1
        while true {
            do throws(SourceError) {
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
        _ ask: @Sendable () async throws(SourceError) -> Value
    ) async throws(SourceError) -> Value {
        try await begin(call.caller)
        counts.count(.call)
        let start = clock.now()
        do throws(SourceError) {
            let value = try await ask()
            ended(.answered, call, startedAt: start)
            return value
        } catch {
            ended(.failed(error), call, startedAt: start)
            failed(error)
            throw error
        }
    }

    // MARK: Sharing

    /// Makes the budget one that several servers share, and reserves the first calls of it.
    ///
    /// - Parameters:
    ///   - ledger: The place where the budget is shared.
    ///   - replica: The number of this server, which no other process has.
    package func share(in ledger: any SharedCallLedger, as replica: Int64) async {
        let exchanger = CallExchanger(ledger, clock: clock) { [weak self, clock] in
            self?.change { $0.gate.exchange(at: clock.now()) }
        } onEnd: { [weak self] exchange, reply in
            self?.change { state in if let reply { state.gate.exchanged(reply, exchange) } }
        } wantsAnother: { [weak self, clock] in
            self?.state.withLock { $0.gate.wantsExchange(at: clock.now()) } ?? false
        }
        state.withLock { state in
            state.gate.share(as: replica)
            state.exchanger = exchanger
        }
        await exchanger.run()
    }

    /// Gives the calls that are reserved and not made back to the other servers. No call is made after it.
    package func stopSharing() async {
        guard let exchanger = state.withLock(\.exchanger) else { return }
        await exchanger.stop { [clock] in change { $0.gate.lastExchange(at: clock.now()) } }
    }

    // MARK: Admission

    /// Waits until the call may be made. If no call is reserved for it, it waits for an exchange first.
    private func begin(_ caller: CallerID) async throws(SourceError) {
        while case .refuse(let failure) = await decision(on: caller) {
            if failure.isForWantOfReservation, let exchanger = state.withLock(\.exchanger), await exchanger.exchange() {
                continue
            }
            counts.count(.refused)
            throw failure
        }
    }

    private func decision(on caller: CallerID) async -> UpstreamGate.OnCall {
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                enter(ticket, caller, continuation)
                // The handler below may have run before there was anything to cancel.
                if Task.isCancelled { cancel(ticket) }
            }
        } onCancel: {
            cancel(ticket)
        }
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

    private func failed(_ error: SourceError) {
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

    /// Changes the state, and passes new entries to the ledger within the lock, so that their order is kept. Then an
    /// exchange with other servers begins, if one is worth while.
    private func change<Value>(_ body: (inout State) -> Value) -> Value {
        let now = clock.now()
        let (value, exchanger) = state.withLock { state in
            let value = body(&state)
            let entries = state.gate.takeEntries()
            if !entries.isEmpty { ledger?.note(entries) }
            return (value, state.gate.wantsExchange(at: now) ? state.exchanger : nil)
        }
        exchanger?.start()
        return value
    }
}

extension SourceError {
    /// Whether a call was refused because none is reserved for it.
    fileprivate var isForWantOfReservation: Bool {
        if case .budgetUnreachable = self { true } else { false }
    }
}
