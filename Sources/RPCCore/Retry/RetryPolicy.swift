package import NIOCore

/// The rule whether and when a failed call is sent again (AIP-194; gRFC A6).
///
/// Only transient failures are retried, only if repeating is harmless, at most `maximumAttempts` times, and never past
/// the caller's deadline.
package struct RetryPolicy: Sendable, Hashable {
    package var maximumAttempts: Int
    package var backoff: Backoff
    /// The maximum wait before a retry. If the server requires more, the caller gets the error.
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

    package static let never = RetryPolicy(maximumAttempts: 1)

    package struct Failure: Sendable {
        package var error: RPCError
        package var attempt: Int
        package var isRepeatable: Bool
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
        case giveUp
    }

    /// Decides on a retry of a failed call. `budget` is shared by all calls; a call that the server never saw does not
    /// need it.
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
        // The server's delay is the minimum; the random part spreads callers with the same delay.
        let asked = max(error.retryDelay ?? .zero, .zero)
        let delay = asked + backoff.delay(afterFailures: failure.attempt, random: random())
        guard delay <= maximumDelay else { return .giveUp }
        let time = now + TimeAmount(delay)
        return mayWait(until: time, failure.deadline) ? .retry(at: time) : .giveUp
    }

    /// Whether an unsent call should wait for a connection; false if it should fail now. `attempts` counts the failed
    /// connection attempts during its wait. `time` is that of the next attempt.
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
    /// Whether the same call is expected to succeed later. DEADLINE_EXCEEDED is not transient, because the caller's
    /// time is over. RESOURCE_EXHAUSTED is transient only with a retry delay.
    package var isTransient: Bool {
        switch code {
        case .unavailable: true
        case .resourceExhausted: retryDelay != nil
        default: false
        }
    }
}

/// A budget that keeps retries from multiplying the load on a failing service (gRFC A6, "Throttling Retry Attempts").
///
/// It has ten tokens. A failure costs one token, and a success returns a tenth. At five tokens or fewer, retries stop.
/// So a failing service gets each call once, and occasional failures are retried.
package struct RetryBudget: Sendable, Hashable {
    // In tenths of a token, so that a hundred successes are exactly ten tokens.
    private static let maximum = 100
    private static let failure = 10
    private static let success = 1

    private var tenths = Self.maximum

    package init() {}

    package var allowsRetry: Bool { tenths > Self.maximum / 2 }

    package mutating func failed() {
        tenths = max(tenths - Self.failure, 0)
    }

    package mutating func succeeded() {
        if tenths < Self.maximum { tenths += Self.success }
    }
}

extension RPCError {
    /// The `ErrorInfo` key that tells whether the call can have reached a server: `no` or `maybe`.
    package static let reachedServerKey = "reached_server"

    /// Whether a server may have seen the call, and may have carried it out despite the failure.
    ///
    /// False only if the call was never sent, or the server said that it did not process the call.
    public var mayHaveReachedServer: Bool {
        origin != .local || info?.metadata[Self.reachedServerKey] != "no"
    }

    /// Whether the server does not know whether it made the change.
    package var isOutcomeUnknown: Bool { reason == .storeOutcomeUnknown || reason == .editsOutcomeUnknown }
}
