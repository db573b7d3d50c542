package import NIOCore

/// Decides whether a failed call is sent again, and when. (AIP-194; gRFC A6)
///
/// Only what is expected to go away by itself is retried, only where a second time does no harm, never without end and
/// never past the time that the caller gave.
package struct RetryPolicy: Sendable, Hashable {
    /// How often a call is tried, the first time included.
    package var maximumAttempts: Int
    package var backoff: Backoff
    /// No call is held back longer than this without a word to its caller, even if the server asks for it.
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

    /// Every call is tried once.
    package static let never = RetryPolicy(maximumAttempts: 1)

    /// A call that failed, as far as the decision goes.
    package struct Failure: Sendable {
        package var error: RPCError
        /// Tries so far, from 1.
        package var attempt: Int
        /// Sending the call twice does no more than sending it once.
        package var isRepeatable: Bool
        /// The caller's; nil is none.
        package var deadline: NIODeadline?

        package init(_ error: RPCError, attempt: Int, isRepeatable: Bool, deadline: NIODeadline? = nil) {
            self.error = error
            self.attempt = attempt
            self.isRepeatable = isRepeatable
            self.deadline = deadline
        }
    }

    package enum Decision: Sendable, Hashable {
        case retry(at: NIODeadline)
        /// The caller gets the error.
        case giveUp
    }

    /// - Parameters:
    ///   - failure: The call and its error.
    ///   - budget: What the failures of other calls leave to spend. A call that the server never saw spends nothing.
    ///   - now: The time.
    ///   - random: Evenly distributed in 0..<1.
    /// - Returns: What becomes of the call.
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
        // What the server asks for is the least; chance spreads those who were asked for the same.
        let asked = max(error.retryDelay ?? .zero, .zero)
        let delay = asked + backoff.delay(afterFailures: failure.attempt, random: random())
        guard delay <= maximumDelay else { return .giveUp }
        let time = now + TimeAmount(delay)
        return mayWait(until: time, failure.deadline) ? .retry(at: time) : .giveUp
    }

    /// Whether a call that was not sent yet waits for a connection, which cannot be had at once.
    ///
    /// - Parameters:
    ///   - attempts: How often it waited for one in vain.
    ///   - time: When the next is tried.
    ///   - deadline: The call's.
    ///   - now: The time.
    /// - Returns: false if the caller is better told now.
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
    /// Whether the same call is expected to work a little later. After DEADLINE_EXCEEDED the caller's time is over,
    /// and a limit without a time to come back at is none that passes by itself.
    package var isTransient: Bool {
        switch code {
        case .unavailable: true
        case .resourceExhausted: retryDelay != nil
        default: false
        }
    }
}
