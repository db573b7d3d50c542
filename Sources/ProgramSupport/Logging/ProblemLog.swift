package import Logging
internal import Synchronization

/// A log of problems that may come with every call: each text is logged when it first comes, and then once in a while with
/// the number of times that it came.
package final class ProblemLog: Sendable {
    private struct Known {
        var loggedAt: ContinuousClock.Instant
        /// Times that it came and was not logged.
        var repeats = 0
    }

    /// Different texts that are kept apart; more, and all are forgotten.
    private static let maximumTexts = 64

    private let message: Logger.Message
    private let logger: Logger
    private let interval: Duration
    private let known = Mutex<[String: Known]>([:])

    /// - Parameters:
    ///   - message: The message of every line.
    ///   - logger: Gets the lines, at error level.
    ///   - interval: The time between two lines with the same text, at least.
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

    /// - Returns: Times that the text came since its last line; nil if it is not to be logged now.
    private func repeatsToLog(_ text: String) -> Int? {
        let now = ContinuousClock.now
        return known.withLock { known in
            if let entry = known[text], now - entry.loggedAt < interval {
                known[text]?.repeats += 1
                return nil
            }
            let repeats = known[text]?.repeats ?? 0
            if known.count >= Self.maximumTexts { known.removeAll() }
            known[text] = Known(loggedAt: now)
            return repeats
        }
    }
}
