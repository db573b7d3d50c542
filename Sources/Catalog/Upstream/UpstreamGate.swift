package import MarvelAPI
package import RPCCore

/// Decides over every call to a gateway: when it is made, and what its end means for those behind it.
///
/// Knows no clock and makes no call: `UpstreamCaller` does what it says.
package struct UpstreamGate: Sendable {
    package typealias Ticket = UInt64

    package struct Limits: Sendable {
        package var maximumUnderWay = 8
        package var maximumWaiting = 256
        /// The server that is called, as texts name it.
        package var peer = MarvelAPIError.Peer.gateway
        package var breaker = CircuitBreaker.Limits()
        package var retry = UpstreamRetry()

        package init() {}
    }

    package enum OnCall: Sendable, Hashable {
        case start
        /// Its turn is told with the end of another call.
        case wait
        /// The same, and that other call waits no longer: its caller fills most of the queue.
        case displace(Ticket)
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
        self.breaker = CircuitBreaker(limits: limits.breaker, peer: limits.peer)
        self.slots = CallSlots(maximumUnderWay: limits.maximumUnderWay, maximumWaiting: limits.maximumWaiting)
    }

    package var waitingCount: Int { slots.waitingCount }
    package var peer: MarvelAPIError.Peer { limits.peer }

    // MARK: Calls

    package mutating func callWanted(_ ticket: Ticket, from caller: CallerID = .server, at now: Moment) -> OnCall {
        guard slots.isFull else { return begin(caller, at: now) }
        return switch slots.wait(ticket, of: caller) {
        case .wait: .wait
        case .displace(let other): .displace(other)
        case .refuse: .refuse(overloaded)
        }
    }

    /// The failure of a call that finds the queue full.
    package var overloaded: MarvelAPIError { .overloaded(maximumRequests: limits.maximumWaiting) }

    /// Whoever waited for its turn no longer wants it.
    ///
    /// - Returns: false if its turn has come already.
    package mutating func waitCancelled(_ ticket: Ticket) -> Bool { slots.withdraw(ticket) }

    /// A call that was started has ended.
    ///
    /// - Parameters:
    ///   - outcome: How.
    ///   - caller: Whose it was.
    ///   - question: What was asked, if other questions may be answered where this one is not.
    ///   - start: When it was started.
    ///   - now: The time.
    /// - Returns: Whose turn it is now, and what is decided for them.
    package mutating func callEnded(
        _ outcome: Outcome,
        of caller: CallerID = .server,
        question: String? = nil,
        startedAt start: Moment,
        at now: Moment
    ) -> [(ticket: Ticket, decision: OnCall)] {
        slots.end(caller)
        learn(from: outcome, Call(caller: caller, question: question, start: start), at: now)
        var released: [(ticket: Ticket, decision: OnCall)] = []
        while !slots.isFull, let next = slots.next() {
            released.append((next.ticket, begin(next.caller, at: now)))
        }
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

    /// A call that has ended.
    private struct Call {
        var caller: CallerID
        var question: String?
        var start: Moment
    }

    private mutating func begin(_ caller: CallerID, at now: Moment) -> OnCall {
        if let refusal = breaker.pass(at: now) { return .refuse(refusal) }
        if let refusal = changeBudget({ $0.take(for: caller, at: now) }) ?? nil {
            breaker.abandoned(at: now)
            return .refuse(refusal)
        }
        if budget != nil { entries.append(.calls(minute: now.minute, change: 1)) }
        slots.begin(caller)
        return .start
    }

    private mutating func learn(from outcome: Outcome, _ call: Call, at now: Moment) {
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
            neverAsked(.unreachable(reason), call, at: now)
        case .failed(.untrusted(let reason)):
            neverAsked(.untrusted(reason), call, at: now)
        case .failed(.invalidReply(let reason)):
            failed(.invalidReply(reason), question: call.question, at: now)
        case .failed(.tooLarge(let maximum)):
            failed(.tooLarge(maximumByteCount: maximum), question: call.question, at: now)
        case .failed(let failure):
            failed(failure, at: now)
        }
    }

    private mutating func succeeded() {
        breaker.succeeded()
        retries.succeeded()
        changeBudget { $0.answered() }
    }

    private mutating func failed(_ failure: MarvelAPIError, question: String? = nil, at now: Moment) {
        breaker.failed(failure, question: question, at: now)
        retries.failed()
        changeBudget { $0.abandoned(at: now) }
    }

    private mutating func neverAsked(_ failure: MarvelAPIError, _ call: Call, at now: Moment) {
        failed(failure, at: now)
        guard budget != nil else { return }
        changeBudget { $0.giveBack(to: call.start.minute, for: call.caller) }
        entries.append(.calls(minute: call.start.minute, change: -1))
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
