internal import Catalog
package import MarvelDomain
package import RPCCore

package struct UpstreamLimits: Sendable {
    package var maximumUnderWay = 8
    package var maximumWaiting = 256
    package var peer = SourceError.Peer.gateway
    package var retry = RetryPolicy(
        maximumAttempts: 3,
        backoff: Backoff(initial: .milliseconds(200), maximum: .seconds(2)),
        maximumDelay: .seconds(5)
    )

    package init() {}
}

/// Decides on every call to a gateway: admission, order and retries. `UpstreamCaller` carries out its decisions.
struct UpstreamGate: Sendable {
    typealias Ticket = UInt64

    /// Nil if the call begins now.
    struct Decision: Sendable, Hashable {
        let ticket: Ticket
        let refusal: SourceError?
    }

    struct Call: Sendable {
        var caller = CallerID.server
        var question: String?
        var start: Moment
    }

    private let limits: UpstreamLimits
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

    func status(at now: Moment) -> UpstreamStatus {
        UpstreamStatus(
            callsPerDay: budget?.callsPerDay,
            callsLeft: budget?.remaining(at: now),
            isPaused: budget?.block.map { $0.until > now } ?? false,
            isBreakerOpen: breaker.isOpen
        )
    }

    // MARK: Calls

    /// The decision is on this call, or on another one that it displaces.
    mutating func callWanted(_ ticket: Ticket, from caller: CallerID = .server, at now: Moment) -> [Decision] {
        guard slots.isFull else { return [begin(ticket, caller, at: now)] }
        let overloaded = SourceError.overloaded(maximumRequests: limits.maximumWaiting)
        return switch slots.wait(ticket, of: caller) {
        case .wait: []
        case .displace(let other): [Decision(ticket: other, refusal: overloaded)]
        case .refuse: [Decision(ticket: ticket, refusal: overloaded)]
        }
    }

    mutating func waitCancelled(_ ticket: Ticket) -> [Decision] {
        slots.withdraw(ticket) ? [Decision(ticket: ticket, refusal: .cancelled)] : []
    }

    /// Returns the decisions on waiting calls. `failure` is nil if the call was answered.
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
            budget?.answered(startedAt: call.start)
        case .quota(let delay):
            // The gateway works, but its quota is used up.
            breaker.succeeded()
            budget?.refused(retryAfter: delay, at: now)
        case .cancelled, .shutDown, .overloaded, .failed:
            breaker.abandoned(at: now)
            budget?.abandoned(startedAt: call.start, at: now)
        case let failure?:
            breaker.failed(failure, question: failure.isAboutOneAnswer ? call.question : nil, at: now)
            retries.failed()
            budget?.abandoned(startedAt: call.start, at: now)
            if failure.wasNotSent { budget?.giveBack(startedAt: call.start, for: call.caller) }
        }
    }

    // MARK: Retries

    /// Nil if the caller gets the failure. Attempts count from 1.
    func delay(after failure: SourceError, attempt: Int, timeLeft: Duration?, random: Double) -> Duration? {
        let retry = limits.retry
        guard failure.isWorthRetrying, attempt < retry.maximumAttempts, retries.allowsRetry else { return nil }
        let delay = (failure.retryDelay ?? .zero) + retry.backoff.delay(afterFailures: attempt, random: random)
        guard delay <= retry.maximumDelay else { return nil }
        if let timeLeft, delay >= timeLeft { return nil }
        return delay
    }
}

package struct UpstreamStatus: Sendable, Hashable {
    package let callsPerDay: Int?
    package let callsLeft: Int?
    /// The gateway refused a call for its own quota.
    package let isPaused: Bool
    package let isBreakerOpen: Bool
}

extension SourceError {
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

    /// A transient error, and a retry costs the gateway little.
    fileprivate var isWorthRetrying: Bool {
        switch self {
        case .unreachable, .quota(retryAfter: _?): true
        case .unavailable(let status, _): [500, 502, 503, 504].contains(status)
        default: false
        }
    }
}

/// Several consecutive failures stop all calls for a while, and then a single probe call follows.
///
///     closed ──failures──▶ open ──time──▶ probing ──answer──▶ closed
///                            ▲               │
///                            └────failure────┘
struct CircuitBreaker: Sendable, Hashable {
    private static let maximumFailures = 5
    /// It doubles with each failed probe.
    private static let firstRest = Duration.seconds(5)
    private static let longestRest = Duration.seconds(60)

    private enum State: Hashable {
        /// Each question counts as one failure, even if it fails often.
        case closed(failures: Int, questions: Set<String>)
        /// No calls until then. The first call after it changes the state to `probing`.
        case open(until: Moment, rest: Duration, SourceError)
        case probing(rest: Duration, SourceError)

        static let withoutFailures = State.closed(failures: 0, questions: [])
    }

    private let peer: SourceError.Peer
    private var state = State.withoutFailures

    init(peer: SourceError.Peer = .gateway) { self.peer = peer }

    /// Whether calls are refused, except perhaps a probe.
    var isOpen: Bool {
        switch state {
        case .closed: false
        case .open, .probing: true
        }
    }

    /// Returns the reason of a refusal.
    mutating func pass(at now: Moment) -> SourceError? {
        switch state {
        case .closed:
            return nil
        case .open(let until, let rest, let failure):
            guard until <= now else { return refusal(failure, for: until - now) }
            state = .probing(rest: rest, failure)
            return nil
        case .probing(_, let failure):
            return refusal(failure, for: .seconds(1))
        }
    }

    /// The gateway answered, even if it refused this one call.
    mutating func succeeded() { state = .withoutFailures }

    /// `question` is nil if the failure affects the whole gateway.
    mutating func failed(_ failure: SourceError, question: String? = nil, at now: Moment) {
        switch state {
        case .closed(let failures, var questions):
            if let question, !questions.insert(question).inserted { return }
            // Retries cannot help, because all calls use the same keys.
            if failure.isAboutCredentials {
                open(CircuitBreaker.longestRest, failure, at: now)
            } else if failures + 1 >= CircuitBreaker.maximumFailures {
                open(CircuitBreaker.firstRest, failure, at: now)
            } else {
                state = .closed(failures: failures + 1, questions: questions)
            }
        case .probing(let rest, _):
            open(min(rest * 2, CircuitBreaker.longestRest), failure, at: now)
        case .open:
            // The call began before the circuit opened.
            break
        }
    }

    mutating func abandoned(at now: Moment) {
        if case .probing(let rest, let failure) = state { state = .open(until: now, rest: rest, failure) }
    }

    private mutating func open(_ rest: Duration, _ failure: SourceError, at now: Moment) {
        state = .open(until: now + rest, rest: rest, failure)
    }

    private func refusal(_ failure: SourceError, for time: Duration) -> SourceError {
        failure.isAboutCredentials ? failure : .circuitOpen(lastFailure: failure.text(about: peer), retryAfter: time)
    }
}

extension SourceError {
    fileprivate var isAboutCredentials: Bool {
        switch self {
        case .credentials, .untrusted: true
        default: false
        }
    }
}
