package import MarvelAPI
package import RPCCore

/// Whether a call to a gateway is made again, and after how long.
package struct UpstreamRetry: Sendable, Hashable {
    /// How often a call is made, the first time included.
    package var maximumAttempts = 3
    package var backoff = Backoff(initial: .milliseconds(200), maximum: .seconds(2))
    /// A longer wait is the caller's to decide on.
    package var longestWait = Duration.seconds(5)

    package init() {}

    /// - Parameters:
    ///   - failure: Why the call failed.
    ///   - attempt: How often it was made, from 1.
    ///   - budget: What the failures of other calls leave to spend, so that retries never multiply the load.
    ///   - timeLeft: Until the last caller has gone; nil: they have time.
    ///   - random: Evenly distributed in 0..<1.
    /// - Returns: How long to wait before the next; nil: the caller gets the failure.
    package func delay(
        after failure: MarvelAPIError,
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

extension MarvelAPIError {
    /// What is expected to pass, and costs the gateway little: RELIABILITY U5.
    fileprivate var isWorthRetrying: Bool {
        switch self {
        case .unreachable, .quota(retryAfter: _?): true
        case .unavailable(let status, _): [500, 502, 503, 504].contains(status)
        default: false
        }
    }
}
