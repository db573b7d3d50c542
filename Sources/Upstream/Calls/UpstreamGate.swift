internal import Catalog
package import MarvelDomain
package import RPCCore

/// The limits of calls to one gateway or picture host.
package struct UpstreamLimits: Sendable {
    package var maximumUnderWay = 8
    package var maximumWaiting = 256
    /// The kind of server that is called, for messages.
    package var peer = SourceError.Peer.gateway
    package var retry = RetryPolicy(
        maximumAttempts: 3,
        backoff: Backoff(initial: .milliseconds(200), maximum: .seconds(2)),
        maximumDelay: .seconds(5)
    )

    package init() {}
}

/// The state machine that decides on every call to a gateway: whether it is made, when, and whether it is retried.
///
/// It has no clock and makes no calls. `UpstreamCaller` carries out its decisions.
struct UpstreamGate: Sendable {
    typealias Ticket = UInt64

    /// The decision on a call that wanted to begin.
    struct Decision: Sendable, Hashable {
        let ticket: Ticket
        /// The reason why the call may not be made; nil if it begins now.
        let refusal: SourceError?
    }

    /// A call that has ended.
    struct Call: Sendable {
        var caller = CallerID.server
        /// The question, if a failure may be limited to its answer.
        var question: String?
        /// The time at which the call was started.
        var start: Moment
    }

    private let limits: UpstreamLimits
    /// The budget of calls; nil if calls are not counted.
    private var budget: CallBudget?
    private var breaker: CircuitBreaker
    private var slots: CallSlots
    private var retries = RetryBudget()

    init(limits: UpstreamLimits = UpstreamLimits(), budget: CallBudget? = nil) {
        self.limits = limits
        self.budget = budget
        self.breaker = CircuitBreaker(peer: limits.peer)
        self.slots = CallSlots(maximumUnderWay: limits.maximumUnderWay, maximumWaiting: limits.maximumWaiting)
    }

    /// Returns the state of the gate, for an operator.
    func status(at now: Moment) -> UpstreamStatus {
        UpstreamStatus(
            callsPerDay: budget?.callsPerDay,
            callsLeft: budget?.remaining(at: now),
            isPaused: budget?.block.map { $0.until > now } ?? false,
            isBreakerOpen: breaker.isOpen
        )
    }

    var waitingCount: Int { slots.waitingCount }
    var peer: SourceError.Peer { limits.peer }

    // MARK: Calls

    /// Records that a call wants to begin. If no slot is free, it waits, and its decision follows later.
    ///
    /// - Returns: The decisions that are made now: on this call, or on another one that it displaces from the queue.
    mutating func callWanted(_ ticket: Ticket, from caller: CallerID = .server, at now: Moment) -> [Decision] {
        guard slots.isFull else { return [begin(ticket, caller, at: now)] }
        let overloaded = SourceError.overloaded(maximumRequests: limits.maximumWaiting)
        return switch slots.wait(ticket, of: caller) {
        case .wait: []
        case .displace(let other): [Decision(ticket: other, refusal: overloaded)]
        case .refuse: [Decision(ticket: ticket, refusal: overloaded)]
        }
    }

    /// Removes a cancelled call from the queue. Returns nothing if it was decided on already.
    mutating func waitCancelled(_ ticket: Ticket) -> [Decision] {
        slots.withdraw(ticket) ? [Decision(ticket: ticket, refusal: .cancelled)] : []
    }

    /// Records the end of a call that was started.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - failure: The error of the call; nil if it was answered.
    ///   - now: The current time.
    /// - Returns: The decisions on calls that wait no longer.
    mutating func callEnded(_ call: Call, _ failure: SourceError?, at now: Moment) -> [Decision] {
        slots.end(call.caller)
        learn(from: failure, of: call, at: now)
        var decisions: [Decision] = []
        while !slots.isFull, let next = slots.next() {
            decisions.append(begin(next.ticket, next.caller, at: now))
        }
        return decisions
    }

    private mutating func begin(_ ticket: Ticket, _ caller: CallerID, at now: Moment) -> Decision {
        if let refusal = breaker.pass(at: now) { return Decision(ticket: ticket, refusal: refusal) }
        if let refusal = budget?.take(for: caller, at: now) {
            breaker.abandoned(at: now)
            return Decision(ticket: ticket, refusal: refusal)
        }
        slots.begin(caller)
        return Decision(ticket: ticket, refusal: nil)
    }

    private mutating func learn(from failure: SourceError?, of call: Call, at now: Moment) {
        switch failure {
        case nil, .notFound, .rejected:
            breaker.succeeded()
            retries.succeeded()
            budget?.answered()
        case .quota(let delay):
            // The gateway works, but its quota is spent.
            breaker.succeeded()
            budget?.refused(retryAfter: delay, at: now)
        case .cancelled, .shutDown, .overloaded, .failed:
            breaker.abandoned(at: now)
            budget?.abandoned(at: now)
        case let failure?:
            breaker.failed(failure, question: failure.isAboutOneAnswer ? call.question : nil, at: now)
            retries.failed()
            budget?.abandoned(at: now)
            if failure.wasNotSent { budget?.giveBack(startedAt: call.start, for: call.caller) }
        }
    }

    // MARK: Retries

    /// Returns the delay before a retry of a failed call.
    ///
    /// - Parameters:
    ///   - failure: The error of the call.
    ///   - attempt: The number of the failed attempt, from 1.
    ///   - timeLeft: The time until the latest deadline of the callers; nil if there is none.
    ///   - random: A random number, evenly distributed in 0..<1.
    /// - Returns: The delay; nil if the caller gets the failure.
    func delay(after failure: SourceError, attempt: Int, timeLeft: Duration?, random: Double) -> Duration? {
        let retry = limits.retry
        guard failure.isWorthRetrying, attempt < retry.maximumAttempts, retries.allowsRetry else { return nil }
        let delay = (failure.retryDelay ?? .zero) + retry.backoff.delay(afterFailures: attempt, random: random)
        guard delay <= retry.maximumDelay else { return nil }
        if let timeLeft, delay >= timeLeft { return nil }
        return delay
    }
}

/// The state of the calls to a gateway, for an operator.
package struct UpstreamStatus: Sendable, Hashable {
    /// The maximum number of calls in any 24 hours; nil if calls are not counted.
    package let callsPerDay: Int?
    /// The number of calls that are left now; nil if calls are not counted.
    package let callsLeft: Int?
    /// Whether no call is made for a while, because the gateway refused one for its own quota.
    package let isPaused: Bool
    /// Whether no call is made for a while, because several have failed.
    package let isBreakerOpen: Bool
}

extension SourceError {
    /// Whether the failure may be limited to the answer to one question.
    fileprivate var isAboutOneAnswer: Bool {
        switch self {
        case .invalidReply, .tooLarge: true
        default: false
        }
    }

    /// Whether the failure proves that no request reached the gateway.
    fileprivate var wasNotSent: Bool {
        switch self {
        case .unreachable, .untrusted: true
        default: false
        }
    }

    /// Whether the error is probably transient, and a retry costs the gateway little.
    fileprivate var isWorthRetrying: Bool {
        switch self {
        case .unreachable, .quota(retryAfter: _?): true
        case .unavailable(let status, _): [500, 502, 503, 504].contains(status)
        default: false
        }
    }
}
