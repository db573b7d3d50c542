package import Catalog
internal import RPCCore

/// The retry policy of a mirror for calls that failed. No caller waits for a mirror, so its waits can be long.
package struct MirrorRetryPolicy: Sendable, Hashable {
    package enum Decision: Sendable, Hashable {
        case wait(Duration)
        case giveUp
    }

    /// The number of consecutive failures after which a mirror gives up. They take about a quarter of an hour.
    package static let maximumFailures = 20
    private static let backoff = Backoff(initial: .milliseconds(250), maximum: .seconds(60))

    /// Whether the mirror waits for the call budget to be refilled.
    private let waitsForBudget: Bool
    private var failures = 0

    package init(waitsForBudget: Bool) { self.waitsForBudget = waitsForBudget }

    /// Decides what to do after a failed call. Immediate retries were made before.
    package mutating func failed(_ error: SourceError) -> Decision {
        switch error {
        case .budgetSpent(_, let delay), .shareSpent(_, _, let delay):
            return waitsForBudget ? .wait(delay) : .giveUp
        case .quota(let delay):
            return waitsForBudget
                ? .wait(min(max(delay ?? SourceError.quotaProbeInterval, .seconds(1)), SourceError.longestRetryDelay))
                : .giveUp
        case .credentials, .rejected, .notFound, .untrusted, .tooLarge, .cancelled, .shutDown, .failed:
            return .giveUp
        case .unavailable, .invalidReply, .unreachable, .interrupted, .timedOut, .circuitOpen, .overloaded,
            .budgetUnreachable:
            failures += 1
            guard failures < MirrorRetryPolicy.maximumFailures else { return .giveUp }
            // Only one mirror calls a gateway, so its delays need no jitter.
            let delay = MirrorRetryPolicy.backoff.delay(afterFailures: failures, random: 1)
            return .wait(min(max(error.retryDelay ?? .zero, delay), SourceError.longestRetryDelay))
        }
    }
}
