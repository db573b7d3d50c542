package import Catalog
package import RPCCore

/// The state machine that decides on every call to a gateway: whether it is made, when, and whether it is retried.
///
/// It has no clock and makes no calls. `UpstreamCaller` carries out its decisions.
package struct UpstreamGate: Sendable {
    package typealias Ticket = UInt64

    package struct Limits: Sendable {
        package var maximumUnderWay = 8
        package var maximumWaiting = 256
        /// The kind of server that is called, for messages.
        package var peer = SourceError.Peer.gateway
        package var breaker = CircuitBreaker.Limits()
        package var retry = UpstreamRetry()

        package init() {}
    }

    /// The decision on a call.
    package enum OnCall: Sendable, Hashable {
        case start
        /// The call waits. The decision follows when another call ends (`callEnded`).
        case wait
        /// Like `wait`, but the call displaces another one, whose caller has the most waiting calls.
        case displace(Ticket)
        case refuse(SourceError)
    }

    /// The outcome of a call.
    package enum Outcome: Sendable, Hashable {
        case answered
        case failed(SourceError)
    }

    private let limits: Limits
    /// The budget of calls; nil if calls are not counted.
    private var budget: CallBudget?
    private var breaker: CircuitBreaker
    private var slots: CallSlots
    private var retries = RetryBudget()
    /// The entries that the ledger has not received yet.
    private var entries: [CallLedgerEntry] = []

    package init(limits: Limits = Limits(), budget: CallBudget? = nil) {
        self.limits = limits
        self.budget = budget
        self.breaker = CircuitBreaker(limits: limits.breaker, peer: limits.peer)
        self.slots = CallSlots(maximumUnderWay: limits.maximumUnderWay, maximumWaiting: limits.maximumWaiting)
    }

    /// Returns the state of the gate, for an operator.
    package func status(at now: Moment) -> UpstreamStatus {
        let isPaused = budget?.block.map { $0.until > now } ?? false
        return UpstreamStatus(
            callsPerDay: budget?.callsPerDay,
            callsLeft: budget?.remaining(at: now),
            isPaused: isPaused,
            isBreakerOpen: breaker.isOpen
        )
    }

    package var waitingCount: Int { slots.waitingCount }
    package var peer: SourceError.Peer { limits.peer }

    // MARK: Calls

    package mutating func callWanted(_ ticket: Ticket, from caller: CallerID = .server, at now: Moment) -> OnCall {
        guard slots.isFull else { return begin(caller, at: now) }
        return switch slots.wait(ticket, of: caller) {
        case .wait: .wait
        case .displace(let other): .displace(other)
        case .refuse: .refuse(overloaded)
        }
    }

    /// The error of a call that finds the queue full.
    package var overloaded: SourceError { .overloaded(maximumRequests: limits.maximumWaiting) }

    /// Removes a cancelled call from the queue.
    ///
    /// - Returns: Whether it was in the queue; false if it was admitted already.
    package mutating func waitCancelled(_ ticket: Ticket) -> Bool { slots.withdraw(ticket) }

    /// Records the end of a call that was started.
    ///
    /// - Parameters:
    ///   - outcome: The outcome of the call.
    ///   - caller: The caller that made the call.
    ///   - question: The question, if a failure may be limited to its answer.
    ///   - start: The time at which the call was started.
    ///   - now: The current time.
    /// - Returns: The calls that wait no longer, and the decisions on them.
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

    /// Returns the delay before a retry of a failed call; nil if the caller gets the failure.
    package func delay(
        after failure: SourceError,
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

    // MARK: Sharing

    /// Makes the budget one that several servers share, if calls are counted.
    package mutating func share(as replica: Int64) { changeBudget { $0.share(as: replica) } }

    /// Whether an exchange with the other servers is worth while now.
    package func wantsExchange(at now: Moment) -> Bool { budget?.wantsExchange(at: now) ?? false }

    /// Makes the next exchange with the other servers; nil if the budget is not shared.
    package mutating func exchange(at now: Moment) -> CallExchange? { changeBudget { $0.exchange(at: now) } ?? nil }

    /// Makes the last exchange, which gives back the calls that are reserved.
    package mutating func lastExchange(at now: Moment) -> CallExchange? {
        changeBudget { $0.lastExchange(at: now) } ?? nil
    }

    /// Records the reply to an exchange.
    package mutating func exchanged(_ reply: CallExchange.Reply, _ exchange: CallExchange) {
        changeBudget { $0.exchanged(reply, exchange) }
    }

    /// Removes and returns the entries that the ledger has not received yet.
    package mutating func takeEntries() -> [CallLedgerEntry] {
        defer { entries = [] }
        return entries
    }

    // MARK: Outcomes

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
            // The gateway works, but its quota is spent.
            breaker.succeeded()
            changeBudget { $0.refused(retryAfter: delay, at: now) }
        case .failed(.cancelled), .failed(.shutDown), .failed(.overloaded), .failed(.failed):
            breaker.abandoned(at: now)
            changeBudget { $0.abandoned(at: now) }
        case .failed(.unreachable(let reason)):
            notSent(.unreachable(reason), call, at: now)
        case .failed(.untrusted(let reason)):
            notSent(.untrusted(reason), call, at: now)
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

    private mutating func failed(_ failure: SourceError, question: String? = nil, at now: Moment) {
        breaker.failed(failure, question: question, at: now)
        retries.failed()
        changeBudget { $0.abandoned(at: now) }
    }

    private mutating func notSent(_ failure: SourceError, _ call: Call, at now: Moment) {
        failed(failure, at: now)
        guard budget != nil else { return }
        changeBudget { $0.giveBack(startedAt: call.start, for: call.caller) }
        entries.append(.calls(minute: call.start.minute, change: -1))
    }

    /// Changes the budget, and adds an entry for the ledger if its pause has changed.
    ///
    /// - Returns: The result of `change`; nil if calls are not counted.
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

/// The state of the calls to a gateway, for an operator.
package struct UpstreamStatus: Sendable, Hashable {
    /// The maximum number of calls in any 24 hours; nil if calls are not counted.
    package let callsPerDay: Int?
    /// The number of calls that are left now, to all servers that share the budget; nil if calls are not counted.
    package let callsLeft: Int?
    /// Whether no call is made for a while, because the gateway refused one for its own quota.
    package let isPaused: Bool
    /// Whether no call is made for a while, because several have failed.
    package let isBreakerOpen: Bool
}
