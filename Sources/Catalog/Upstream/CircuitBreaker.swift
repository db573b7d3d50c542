package import MarvelAPI

/// Leaves a gateway alone that failed several times in a row, and then tries it with a single call.
///
///     closed ──failures──▶ open ──time──▶ probing ──answer──▶ closed
///                            ▲               │
///                            └────failure────┘
package struct CircuitBreaker: Sendable, Hashable {
    package struct Limits: Sendable, Hashable {
        /// In a row.
        package var failures = 5
        /// Doubles with each probe that fails.
        package var rest = Duration.seconds(5)
        package var longestRest = Duration.seconds(60)

        package init() {}
    }

    private enum State: Hashable {
        /// Calls pass. A question that failed counts once, however often it is asked.
        case closed(failures: Int, questions: Set<String>)
        /// No call passes before that moment. Moves to `probing` with the first one after it.
        case open(until: Moment, rest: Duration, MarvelAPIError)
        /// One call is under way and decides.
        case probing(rest: Duration, MarvelAPIError)

        static let withoutFailures = State.closed(failures: 0, questions: [])
    }

    private let limits: Limits
    private let peer: MarvelAPIError.Peer
    private var state = State.withoutFailures

    /// - Parameters:
    ///   - limits: When it opens, and for how long.
    ///   - peer: The server that is called, as texts name it.
    package init(limits: Limits = Limits(), peer: MarvelAPIError.Peer = .gateway) {
        self.limits = limits
        self.peer = peer
    }

    /// Whether a call may be made now.
    ///
    /// - Returns: The reason why not.
    package mutating func pass(at now: Moment) -> MarvelAPIError? {
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

    /// The gateway answered, if only with a refusal of this one call.
    package mutating func succeeded() { state = .withoutFailures }

    /// A call failed by the gateway's fault.
    ///
    /// - Parameters:
    ///   - failure: How.
    ///   - question: What was asked, if the fault may lie in that one answer alone; nil: it lies in the gateway.
    ///   - now: The time.
    package mutating func failed(_ failure: MarvelAPIError, question: String? = nil, at now: Moment) {
        switch state {
        case .closed(let failures, var questions):
            if let question, !questions.insert(question).inserted { return }
            // No later call will have other keys.
            if failure.isAboutCredentials {
                open(limits.longestRest, failure, at: now)
            } else if failures + 1 >= limits.failures {
                open(limits.rest, failure, at: now)
            } else {
                state = .closed(failures: failures + 1, questions: questions)
            }
        case .probing(let rest, _):
            open(min(rest * 2, limits.longestRest), failure, at: now)
        case .open:
            // It began before the circuit was opened.
            break
        }
    }

    /// A call ended without telling anything of the gateway.
    package mutating func abandoned(at now: Moment) {
        if case .probing(let rest, let failure) = state { state = .open(until: now, rest: rest, failure) }
    }

    private mutating func open(_ rest: Duration, _ failure: MarvelAPIError, at now: Moment) {
        state = .open(until: now + rest, rest: rest, failure)
    }

    private func refusal(_ failure: MarvelAPIError, for time: Duration) -> MarvelAPIError {
        failure.isAboutCredentials ? failure : .circuitOpen(lastFailure: failure.text(about: peer), retryAfter: time)
    }
}

extension MarvelAPIError {
    fileprivate var isAboutCredentials: Bool {
        switch self {
        case .credentials, .untrusted: true
        default: false
        }
    }
}
