package import Catalog
package import RPCCore

/// The retry policy of calls to a gateway.
package struct UpstreamRetry: Sendable, Hashable {
    /// The maximum number of attempts, the first included.
    package var maximumAttempts = 3
    package var backoff = Backoff(initial: .milliseconds(200), maximum: .seconds(2))
    /// The maximum delay. If a longer one is necessary, the caller gets the failure.
    package var longestWait = Duration.seconds(5)

    package init() {}

    /// Returns the delay before a retry.
    ///
    /// - Parameters:
    ///   - failure: The error of the call.
    ///   - attempt: The number of the failed attempt, from 1.
    ///   - budget: The retry budget of all calls, so that retries never multiply the load.
    ///   - timeLeft: The time until the latest deadline of the callers; nil if there is none.
    ///   - random: A random number, evenly distributed in 0..<1.
    /// - Returns: The delay; nil if the caller gets the failure.
    package func delay(
        after failure: SourceError,
        attempt: Int,
        budget: RetryBudget,
        timeLeft: Duration?,
        random: Double
    ) -> Duration? {
        guard failure.isWorthRetrying, attempt < maximumAttempts, budget.allowsRetry else { return nil }
        let delay = (failure.retryDelay ?? .zero) + backoff.delay(afterFailures: attempt, random: random)
        guard delay <= longestWait else { return nil }
        if let timeLeft, delay >= timeLeft { return nil }
        return delay
    }
}

extension SourceError {
    /// Whether the error is probably transient, and a retry costs the gateway little.
    fileprivate var isWorthRetrying: Bool {
        switch self {
        case .unreachable, .quota(retryAfter: _?): true
        case .unavailable(let status, _): [500, 502, 503, 504].contains(status)
        default: false
        }
    }
}
