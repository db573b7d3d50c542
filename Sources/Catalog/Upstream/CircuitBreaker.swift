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
        /// Calls pass.
        case closed(failures: Int)
        /// No call passes before that moment. Moves to `probing` with the first one after it.
        case open(until: Moment, rest: Duration, MarvelAPIError)
        /// One call is under way and decides.
        case probing(rest: Duration, MarvelAPIError)
    }

    private let limits: Limits
    private var state = State.closed(failures: 0)

    package init(limits: Limits = Limits()) { self.limits = limits }

    /// Whether a call may be made now.
    ///
    /// - Returns: The reason why not.
    package mutating func pass(at now: Moment) -> MarvelAPIError? {
        switch state {
        case .closed:
            return nil
        case .open(let until, let rest, let failure):
            guard until <= now else { return CircuitBreaker.refusal(failure, for: until - now) }
            state = .probing(rest: rest, failure)
            return nil
        case .probing(_, let failure):
            return CircuitBreaker.refusal(failure, for: .seconds(1))
        }
    }

    /// The gateway answered, if only with a refusal of this one call.
    package mutating func succeeded() { state = .closed(failures: 0) }

    /// A call failed by the gateway's fault.
    package mutating func failed(_ failure: MarvelAPIError, at now: Moment) {
        switch state {
        case .closed(let failures):
            // No later call will have other keys.
            if failure.isAboutCredentials {
                open(limits.longestRest, failure, at: now)
            } else if failures + 1 >= limits.failures {
                open(limits.rest, failure, at: now)
            } else {
                state = .closed(failures: failures + 1)
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

    private static func refusal(_ failure: MarvelAPIError, for time: Duration) -> MarvelAPIError {
        failure.isAboutCredentials ? failure : .resting(lastFailure: failure.description, retryAfter: time)
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
