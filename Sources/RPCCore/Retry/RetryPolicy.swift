/// Which failed calls are sent again, and when.
///
/// UNAVAILABLE, and RESOURCE_EXHAUSTED of a server that says when to come back. Never after DEADLINE_EXCEEDED: the
/// caller's time is over. (AIP-194)
package struct RetryPolicy: Sendable, Hashable {
    /// How often a call is sent at most, the first time included.
    package var maximumAttempts: Int
    package var backoff: Backoff
    /// A server that says to come back later than this gets no second call: its caller should know, and not hang.
    package var longestPatience: Duration

    package init(
        maximumAttempts: Int = 5,
        backoff: Backoff = Backoff(),
        longestPatience: Duration = .seconds(10)
    ) {
        self.maximumAttempts = maximumAttempts
        self.backoff = backoff
        self.longestPatience = longestPatience
    }

    /// What is known of a call that failed.
    package struct Failure: Sendable {
        package var error: RPCError
        /// How often the call has been sent.
        package var attempts: Int
        /// Sending it twice does no more than sending it once, or the server cannot have seen it.
        package var isRepeatable: Bool
        /// What is left of the caller's time; nil is no limit.
        package var remaining: Duration?

        package init(error: RPCError, attempts: Int, isRepeatable: Bool, remaining: Duration?) {
            self.error = error
            self.attempts = attempts
            self.isRepeatable = isRepeatable
            self.remaining = remaining
        }
    }

    /// - Parameters:
    ///   - failure: The failure to judge.
    ///   - random: 0 to 1, drawn anew each time.
    /// - Returns: How long to wait before sending the call again; nil if it is not to be sent again. A wait that would
    ///   outlast the caller's time is not begun.
    package func delay(after failure: Failure, random: Double) -> Duration? {
        guard failure.isRepeatable, failure.attempts < maximumAttempts, RetryPolicy.isPassing(failure.error) else {
            return nil
        }
        var delay = backoff.delay(afterFailures: failure.attempts, random: random)
        if let asked = failure.error.retryDelay {
            guard asked <= longestPatience else { return nil }
            // Not before the server said, and not all at that moment.
            delay += asked
        }
        if let remaining = failure.remaining, delay >= remaining { return nil }
        return delay
    }

    /// Whether the same call may well succeed a little later.
    package static func isPassing(_ error: RPCError) -> Bool {
        switch error.code {
        case .unavailable: true
        case .resourceExhausted: error.retryDelay != nil
        default: false
        }
    }
}
