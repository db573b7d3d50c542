internal import RPCCore

/// The failures of a watch since its last event, and the decision which of them its reader learns of.
///
/// A connection that ends is no news if another server takes the watch over, or the same one is back within a second. So
/// the first failures of connections are hidden. It is a value without a clock and without randomness.
struct WatchFailures: Sendable, Hashable {
    /// The maximum number of failures in a row that are hidden.
    static let maximumHidden = 3
    /// The maximum wait for the next attempt to reach a server that is hidden.
    static let maximumHiddenWait = Duration.seconds(1)

    /// The delay between attempts. It doubles with each failure, so that a restarted server is not overloaded.
    private static let backoff = Backoff(initial: .milliseconds(200), maximum: .seconds(15))

    private var count = 0
    /// Whether the reader knows nothing of the failures, and there are some.
    private(set) var areHidden = false

    enum Decision: Sendable, Hashable {
        /// The watch resumes after the delay; the reader learns nothing.
        case resume(after: Duration)
        /// The reader is told, and the watch resumes after the delay.
        case report(retryDelay: Duration)
    }

    /// Counts a failure.
    ///
    /// - Parameters:
    ///   - error: The error, which is transient.
    ///   - hasBegun: Whether the reader has an event.
    ///   - random: A random number, evenly distributed in 0..<1.
    /// - Returns: Whether the reader is told, and the delay before the next attempt.
    mutating func decide(_ error: RPCError, hasBegun: Bool, random: Double) -> Decision {
        count += 1
        let backoff = Self.backoff.delay(afterFailures: count, random: random)
        let wasReported = count > 1 && !areHidden
        areHidden = hasBegun && !wasReported && count <= Self.maximumHidden && error.isEndOfConnection
        let delay = max(error.retryDelay ?? .zero, backoff)
        guard areHidden else { return .report(retryDelay: delay) }
        // The delay that a stopping server asks for is for callers without another server. The client itself stays away
        // from that server.
        return .resume(after: error.reason == .serverUnreachable ? delay : backoff)
    }
}

extension RPCError {
    /// Whether the server of the call died, or sends its callers away, so that another server may take the call over; or
    /// whether all servers are out of reach, but soon to be tried again.
    fileprivate var isEndOfConnection: Bool {
        switch reason {
        case .connectionLost?, .callNotStarted?, .draining?: true
        case .serverUnreachable?: retryDelay.map { $0 <= WatchFailures.maximumHiddenWait } ?? false
        default: false
        }
    }
}
