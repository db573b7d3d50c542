package import MarvelAPI
internal import RPCCore

/// Decides over every call to a gateway: when it is made, and what its end means for those behind it.
///
/// Knows no clock and makes no call: `UpstreamCaller` does what it says.
package struct UpstreamGate: Sendable {
    package typealias Ticket = UInt64

    package struct Limits: Sendable {
        package var maximumUnderWay = 8
        package var maximumWaiting = 256
        package var breaker = CircuitBreaker.Limits()
        package var retry = UpstreamRetry()

        package init() {}
    }

    package enum OnCall: Sendable, Hashable {
        case start
        /// Its turn is told with the end of another call.
        case wait
        case refuse(MarvelAPIError)
    }

    /// How a call ended.
    package enum Outcome: Sendable, Hashable {
        case answered
        case failed(MarvelAPIError)
    }

    private let limits: Limits
    /// Nil: calls are not counted.
    private var budget: CallBudget?
    private var breaker: CircuitBreaker
    private var slots: CallSlots
    private var retries = RetryBudget()
    /// What the ledger has to be told.
    private var entries: [CallLedgerEntry] = []

    package init(limits: Limits = Limits(), budget: CallBudget? = nil) {
        self.limits = limits
        self.budget = budget
        self.breaker = CircuitBreaker(limits: limits.breaker)
        self.slots = CallSlots(maximumUnderWay: limits.maximumUnderWay, maximumWaiting: limits.maximumWaiting)
    }

    package var waitingCount: Int { slots.waitingCount }

    // MARK: Calls

    package mutating func callWanted(_ ticket: Ticket, at now: Moment) -> OnCall {
        guard slots.isFull else { return begin(at: now) }
        guard slots.wait(ticket) else { return .refuse(.overloaded(maximumRequests: limits.maximumWaiting)) }
        return .wait
    }

    /// Whoever waited for its turn no longer wants it.
    ///
    /// - Returns: false if its turn has come already.
    package mutating func waitCancelled(_ ticket: Ticket) -> Bool { slots.withdraw(ticket) }

    /// A call that was started has ended.
    ///
    /// - Parameters:
    ///   - outcome: How.
    ///   - start: When it was started.
    ///   - now: The time.
    /// - Returns: Whose turn it is now, and what is decided for them.
    package mutating func callEnded(
        _ outcome: Outcome,
        startedAt start: Moment,
        at now: Moment
    ) -> [(ticket: Ticket, decision: OnCall)] {
        slots.end()
        learn(from: outcome, startedAt: start, at: now)
        var released: [(ticket: Ticket, decision: OnCall)] = []
        while !slots.isFull, let ticket = slots.next() { released.append((ticket, begin(at: now))) }
        return released
    }

    /// Whether the call is made again; nil: its caller gets the failure.
    package func delay(
        after failure: MarvelAPIError,
        attempt: Int,
        deadline: Moment?,
        at now: Moment,
        random: Double
    ) -> Duration? {
        limits.retry.delay(
            after: failure,
            attempt: attempt,
            budget: retries,
            timeLeft: deadline.map { $0 - now },
            random: random
        )
    }

    /// What the ledger has not been told yet.
    package mutating func takeEntries() -> [CallLedgerEntry] {
        defer { entries = [] }
        return entries
    }

    // MARK: Judgement

    private mutating func begin(at now: Moment) -> OnCall {
        if let refusal = breaker.pass(at: now) { return .refuse(refusal) }
        if let refusal = changeBudget({ $0.take(at: now) }) ?? nil {
            breaker.abandoned(at: now)
            return .refuse(refusal)
        }
        if budget != nil { entries.append(.calls(minute: now.minute, change: 1)) }
        slots.begin()
        return .start
    }

    private mutating func learn(from outcome: Outcome, startedAt start: Moment, at now: Moment) {
        switch outcome {
        case .answered, .failed(.notFound), .failed(.rejected):
            succeeded()
        case .failed(.quota(let delay)):
            // It works, and has had enough.
            breaker.succeeded()
            changeBudget { $0.refused(retryAfter: delay, at: now) }
        case .failed(.cancelled), .failed(.shutDown), .failed(.overloaded), .failed(.failed):
            breaker.abandoned(at: now)
            changeBudget { $0.abandoned(at: now) }
        case .failed(.unreachable(let reason)):
            neverAsked(.unreachable(reason), startedAt: start, at: now)
        case .failed(.untrusted(let reason)):
            neverAsked(.untrusted(reason), startedAt: start, at: now)
        case .failed(let failure):
            failed(failure, at: now)
        }
    }

    private mutating func succeeded() {
        breaker.succeeded()
        retries.succeeded()
        changeBudget { $0.answered() }
    }

    private mutating func failed(_ failure: MarvelAPIError, at now: Moment) {
        breaker.failed(failure, at: now)
        retries.failed()
        changeBudget { $0.abandoned(at: now) }
    }

    private mutating func neverAsked(_ failure: MarvelAPIError, startedAt start: Moment, at now: Moment) {
        failed(failure, at: now)
        guard budget != nil else { return }
        changeBudget { $0.giveBack(to: start.minute) }
        entries.append(.calls(minute: start.minute, change: -1))
    }

    /// - Returns: Nil if calls are not counted.
    @discardableResult
    private mutating func changeBudget<Value>(_ change: (inout CallBudget) -> Value) -> Value? {
        guard var changed = budget else { return nil }
        let before = changed.block
        let value = change(&changed)
        if changed.block != before { entries.append(.block(changed.block)) }
        budget = changed
        return value
    }
}
