package import NIOCore

/// The rule whether and when a failed call is sent again. (AIP-194; gRFC A6)
///
/// Only transient failures are retried, only if repeating the call does no harm, at most `maximumAttempts` times, and
/// never past the caller's deadline.
package struct RetryPolicy: Sendable, Hashable {
    /// The maximum number of attempts of a call, the first one included.
    package var maximumAttempts: Int
    package var backoff: Backoff
    /// The maximum wait before a retry. If the server asks for a longer one, the caller gets the error.
    package var maximumDelay: Duration

    package init(
        maximumAttempts: Int = 5,
        backoff: Backoff = Backoff(initial: .milliseconds(100), maximum: .seconds(2)),
        maximumDelay: Duration = .seconds(30)
    ) {
        self.maximumAttempts = maximumAttempts
        self.backoff = backoff
        self.maximumDelay = maximumDelay
    }

    /// The policy that attempts each call once.
    package static let never = RetryPolicy(maximumAttempts: 1)

    /// A failed call, reduced to the facts that the decision needs.
    package struct Failure: Sendable {
        package var error: RPCError
        /// The number of attempts so far, from 1.
        package var attempt: Int
        /// Whether sending the call twice has the same effect as sending it once.
        package var isRepeatable: Bool
        /// The caller's deadline; nil is none.
        package var deadline: NIODeadline?

        package init(_ error: RPCError, attempt: Int, isRepeatable: Bool, deadline: NIODeadline? = nil) {
            self.error = error
            self.attempt = attempt
            self.isRepeatable = isRepeatable
            self.deadline = deadline
        }
    }

    /// The decision for a failed call.
    package enum Decision: Sendable, Hashable {
        case retry(at: NIODeadline)
        /// The caller gets the error.
        case giveUp
    }

    /// Decides whether a failed call is retried.
    ///
    /// - Parameters:
    ///   - failure: The call and its error.
    ///   - budget: The retry budget of all calls. A call that the server never saw spends nothing of it.
    ///   - now: The time.
    ///   - random: A random number, evenly distributed in 0..<1.
    /// - Returns: The time of the retry, or to give up.
    package func decide(
        _ failure: Failure,
        budget: RetryBudget,
        now: NIODeadline,
        random: @autoclosure () -> Double
    ) -> Decision {
        let error = failure.error
        guard error.isTransient, failure.attempt < maximumAttempts else { return .giveUp }
        if error.mayHaveReachedServer {
            guard failure.isRepeatable, budget.allowsRetry else { return .giveUp }
        }
        // The server's delay is the minimum; the random part spreads callers that were given the same delay.
        let asked = max(error.retryDelay ?? .zero, .zero)
        let delay = asked + backoff.delay(afterFailures: failure.attempt, random: random())
        guard delay <= maximumDelay else { return .giveUp }
        let time = now + TimeAmount(delay)
        return mayWait(until: time, failure.deadline) ? .retry(at: time) : .giveUp
    }

    /// Returns whether a call that was not sent yet should wait for a connection.
    ///
    /// - Parameters:
    ///   - attempts: The number of failed connection attempts during which it waited.
    ///   - time: The time of the next attempt.
    ///   - deadline: The call's deadline.
    ///   - now: The time.
    /// - Returns: false if the call should fail now.
    package func waits(
        afterAttempts attempts: Int,
        for time: NIODeadline,
        deadline: NIODeadline?,
        now: NIODeadline
    ) -> Bool {
        max(attempts, 1) < maximumAttempts && time - now <= TimeAmount(maximumDelay) && mayWait(until: time, deadline)
    }

    private func mayWait(until time: NIODeadline, _ deadline: NIODeadline?) -> Bool {
        guard let deadline else { return true }
        return time < deadline
    }
}

extension RPCError {
    /// Whether the same call is expected to succeed a little later. DEADLINE_EXCEEDED is not transient, because the
    /// caller's time is over. RESOURCE_EXHAUSTED is transient only if it comes with a retry delay.
    package var isTransient: Bool {
        switch code {
        case .unavailable: true
        case .resourceExhausted: retryDelay != nil
        default: false
        }
    }
}

/// A budget that keeps retries from multiplying the load on a failing service. (gRFC A6, "Throttling Retry Attempts")
///
/// It holds ten tokens. A failure takes one token, a success gives back a tenth, and at five tokens or fewer nothing is
/// retried. So a service that fails for all its callers gets each call once, and calls to one that fails now and then
/// are retried.
package struct RetryBudget: Sendable, Hashable {
    // In tenths of a token, so that a hundred successes are exactly ten tokens.
    private static let maximum = 100
    private static let failure = 10
    private static let success = 1

    private var tenths = Self.maximum

    package init() {}

    package var allowsRetry: Bool { tenths > Self.maximum / 2 }

    /// Notes that a call failed in a way that could be retried, or that a connection was lost with its calls.
    package mutating func failed() {
        tenths = max(tenths - Self.failure, 0)
    }

    package mutating func succeeded() {
        if tenths < Self.maximum { tenths += Self.success }
    }
}

extension RPCError {
    /// The `ErrorInfo` key under which this side says whether the call can have reached a server: `no` or `maybe`.
    package static let reachedServerKey = "reached_server"

    /// Whether a server may have seen the call, and so may have carried it out in spite of the failure.
    ///
    /// False only if this side knows that none did: the call was never sent, or the server itself said that it did not
    /// process the call.
    public var mayHaveReachedServer: Bool {
        origin != .local || info?.metadata[Self.reachedServerKey] != "no"
    }

    /// Whether the server itself does not know whether it has made the change of the call.
    package var isOutcomeUnknown: Bool { reason == .storeOutcomeUnknown || reason == .editsOutcomeUnknown }
}
