internal import MarvelDomain

/// A circuit breaker: several consecutive failures stop all calls for a while, and then a single probe call follows.
///
///     closed ──failures──▶ open ──time──▶ probing ──answer──▶ closed
///                            ▲               │
///                            └────failure────┘
struct CircuitBreaker: Sendable, Hashable {
    private static let maximumFailures = 5
    /// The first time without calls. It doubles with each failed probe.
    private static let firstRest = Duration.seconds(5)
    private static let longestRest = Duration.seconds(60)

    private enum State: Hashable {
        /// Calls are made. Each question counts as one failure, even if it fails often.
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

    /// Returns the reason why the call is refused; nil if it is allowed.
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

    /// Records an answered call, even if the gateway refused this one call.
    mutating func succeeded() { state = .withoutFailures }

    /// Records a failure of the gateway. `question` is nil if the failure affects the whole gateway.
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
