package import Logging
internal import Synchronization

/// Each text is logged when it comes first, and then at most once per interval, with the number of its repeats.
package final class ProblemLog: Sendable {
    private struct LoggedProblem {
        var loggedAt: ContinuousClock.Instant
        var repeats = 0
    }

    /// Above it, further texts are counted as one until the interval of an earlier one is over.
    private static let maximumTexts = 64
    private static let furtherText = "further problems"

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
        guard let (text, repeats) = problemToLog(text) else { return }
        var metadata: Logger.Metadata = ["problem": "\(text)"]
        if repeats > 0 { metadata["repeats"] = .stringConvertible(repeats) }
        logger.error(message, metadata: metadata)
    }

    /// The repeats since the text's last line; nil if nothing is to be logged now.
    private func problemToLog(_ text: String) -> (text: String, repeats: Int)? {
        let now = ContinuousClock.now
        return known.withLock { known in
            var text = text
            if known[text] == nil, known.count >= Self.maximumTexts {
                known = known.filter { now - $0.value.loggedAt < interval }
                if known.count >= Self.maximumTexts { text = Self.furtherText }
            }
            if let entry = known[text], now - entry.loggedAt < interval {
                known[text]?.repeats += 1
                return nil
            }
            let repeats = known[text]?.repeats ?? 0
            known[text] = LoggedProblem(loggedAt: now)
            return (text, repeats)
        }
    }
}
