package import MarvelAPI

/// What a mirror does when its gateway gives no answer. Nobody waits for it, so it can wait long.
package struct MirrorPatience: Sendable, Hashable {
    package enum OnFailure: Sendable, Hashable {
        case wait(Duration)
        case giveUp
    }

    /// In a row, which then have taken a quarter of an hour.
    package static let maximumFailures = 20

    /// Whether it waits until calls may be made again.
    private let waitsForBudget: Bool
    private var failures = 0

    package init(waitsForBudget: Bool) { self.waitsForBudget = waitsForBudget }

    /// There was no answer, and what was worth trying at once was tried.
    package mutating func failed(_ error: MarvelAPIError) -> OnFailure {
        switch error {
        case .budgetSpent(_, let delay), .shareSpent(_, _, let delay):
            return waitsForBudget ? .wait(delay) : .giveUp
        case .quota(let delay):
            return waitsForBudget
                ? .wait(min(max(delay ?? CallBudget.probeInterval, .seconds(1)), CallBudget.longestWait)) : .giveUp
        case .credentials, .rejected, .notFound, .untrusted, .tooLarge, .cancelled, .shutDown, .failed:
            return .giveUp
        case .unavailable, .invalidReply, .unreachable, .interrupted, .timedOut, .circuitOpen, .overloaded:
            failures += 1
            guard failures < MirrorPatience.maximumFailures else { return .giveUp }
            let backoff = min(Duration.milliseconds(250) * (1 << min(failures - 1, 8)), .seconds(60))
            return .wait(min(max(error.retryDelay ?? .zero, backoff), CallBudget.longestWait))
        }
    }
}
