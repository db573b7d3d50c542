package import MarvelDomain
internal import RPCCore
internal import Synchronization

package final class UpstreamCaller: Sendable {
    private struct State {
        var gate: UpstreamGate
        var lastTicket: UpstreamGate.Ticket = 0
        var waiting: [UpstreamGate.Ticket: CheckedContinuation<SourceError?, Never>] = [:]
    }

    private let clock: UpstreamClock
    private let counts: UpstreamCounts
    private let peer: SourceError.Peer
    private let onFailure: @Sendable (String) -> Void
    private let state: Mutex<State>

    /// `onFailure` gets the text of each failure. Without a budget, calls are not counted.
    package init(
        limits: UpstreamLimits = UpstreamLimits(),
        budget: CallBudget? = nil,
        clock: UpstreamClock,
        counts: UpstreamCounts = UpstreamCounts(),
        onFailure: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.clock = clock
        self.counts = counts
        self.peer = limits.peer
        self.onFailure = onFailure
        self.state = Mutex(State(gate: UpstreamGate(limits: limits, budget: budget)))
    }

    package var status: UpstreamStatus {
        let now = clock.now()
        return state.withLock { $0.gate.status(at: now) }
    }

    /// Retries transient failures. Repeated failures of one `question` count as one failure of the gateway. `timeLeft`
    /// returns the time until the latest deadline of the callers.
    package func call<Value: Sendable>(
        question: String? = nil,
        timeLeft: @Sendable () -> Duration?,
        _ ask: @Sendable () async throws(SourceError) -> Value
    ) async throws(SourceError) -> Value {
        var attempt = 1
        while true {
            do throws(SourceError) {
                return try await callOnce(question, ask)
            } catch {
                let (left, random) = (timeLeft(), clock.random())
                let delay = state.withLock { state in
                    state.gate.delay(after: error, attempt: attempt, timeLeft: left, random: random)
                }
                guard let delay else { throw error }
                do { try await clock.sleep(delay) } catch { throw .cancelled }
                attempt += 1
            }
        }
    }

    private func callOnce<Value: Sendable>(
        _ question: String?,
        _ ask: @Sendable () async throws(SourceError) -> Value
    ) async throws(SourceError) -> Value {
        let caller = CallerID.current
        if let refusal = await refusal(of: caller) {
            counts.count(.refused)
            throw refusal
        }
        counts.count(.call)
        let call = UpstreamGate.Call(caller: caller, question: question, start: clock.now())
        do throws(SourceError) {
            let value = try await ask()
            decide { gate in gate.callEnded(call, nil, at: clock.now()) }
            return value
        } catch {
            decide { gate in gate.callEnded(call, error, at: clock.now()) }
            failed(error)
            throw error
        }
    }

    private func refusal(of caller: CallerID) async -> SourceError? {
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { $0.waiting[ticket] = continuation }
                decide { gate in gate.callWanted(ticket, from: caller, at: clock.now()) }
                // The handler below may have run before there was anything to cancel.
                if Task.isCancelled { decide { $0.waitCancelled(ticket) } }
            }
        } onCancel: {
            decide { $0.waitCancelled(ticket) }
        }
    }

    private func decide(_ change: (inout UpstreamGate) -> [UpstreamGate.Decision]) {
        let decided = state.withLock { state in
            change(&state.gate).map { (state.waiting.removeValue(forKey: $0.ticket), $0.refusal) }
        }
        for (continuation, refusal) in decided { continuation?.resume(returning: refusal) }
    }

    private func failed(_ error: SourceError) {
        guard error.isFailure else { return }
        counts.count(.failed)
        onFailure(error.text(about: peer))
    }
}

package final class UpstreamCounts: Sendable {
    package enum Event: Int, Sendable, CaseIterable {
        case hit
        case stale
        case call
        case refused
        case failed
    }

    private let counts = InlineArray<5, Atomic<Int>> { _ in Atomic(0) }
    private let waiters = Atomic(0)

    package init() {}

    package subscript(event: Event) -> Int { counts[event.rawValue].load(ordering: .relaxed) }

    package var waiting: Int { waiters.load(ordering: .relaxed) }

    func count(_ event: Event) { counts[event.rawValue].wrappingAdd(1, ordering: .relaxed) }
    func waitersChanged(by change: Int) { waiters.wrappingAdd(change, ordering: .relaxed) }
}

extension SourceError {
    /// False for an answer or a cancellation.
    fileprivate var isFailure: Bool {
        switch self {
        case .notFound, .cancelled, .shutDown: false
        default: true
        }
    }
}
