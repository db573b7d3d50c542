package import Logging
internal import Synchronization

/// Each text is logged when it comes first, and then at most once per interval, with the number of its repeats.
package final class ProblemLog: Sendable {
    private struct LoggedProblem {
        var loggedAt: ContinuousClock.Instant
        var repeats = 0
    }

    /// Above it, all texts are forgotten.
    private static let maximumTexts = 64

    private let message: Logger.Message
    private let logger: Logger
    private let interval: Duration
    private let known = Mutex<[String: LoggedProblem]>([:])

    /// `interval` is the minimum time between two lines with the same text.
    package init(_ message: Logger.Message, _ logger: Logger, interval: Duration = .seconds(10)) {
        self.message = message
        self.logger = logger
        self.interval = interval
    }

    package func report(_ text: String) {
        guard let repeats = repeatsToLog(text) else { return }
        var metadata: Logger.Metadata = ["problem": "\(text)"]
        if repeats > 0 { metadata["repeats"] = .stringConvertible(repeats) }
        logger.error(message, metadata: metadata)
    }

    /// Counts since the text's last line; nil if the text is not to be logged now.
    private func repeatsToLog(_ text: String) -> Int? {
        let now = ContinuousClock.now
        return known.withLock { known in
            if let entry = known[text], now - entry.loggedAt < interval {
                known[text]?.repeats += 1
                return nil
            }
            let repeats = known[text]?.repeats ?? 0
            if known.count >= Self.maximumTexts { known.removeAll() }
            known[text] = LoggedProblem(loggedAt: now)
            return repeats
        }
    }
}
