internal import RPCCore

/// The failures of a watch since its last event, and the decision which of them to report.
///
/// The end of a connection is not reported if another server takes the watch over. Nor is it if the same server returns
/// within a second. So the first such failures are hidden. It has no clock and no randomness.
struct WatchFailures: Sendable, Hashable {
    /// The maximum number of hidden failures in a row.
    static let maximumHidden = 3
    /// The longest hidden wait for the next attempt.
    static let maximumHiddenWait = Duration.seconds(1)

    /// The delay between attempts. It doubles with each failure, so that a restarted server is not overloaded.
    private static let backoff = Backoff(initial: .milliseconds(200), maximum: .seconds(15))

    private var count = 0
    /// Whether failures exist that were not reported.
    private(set) var areHidden = false

    enum Decision: Sendable, Hashable {
        /// The watch resumes after the delay, without a report.
        case resume(after: Duration)
        /// The reader is told, and the watch resumes after the delay.
        case report(retryDelay: Duration)
    }

    /// Counts a transient failure. `random` is a random number, uniform in 0..<1.
    mutating func decide(_ error: RPCError, hasBegun: Bool, random: Double) -> Decision {
        count += 1
        let backoff = Self.backoff.delay(afterFailures: count, random: random)
        let wasReported = count > 1 && !areHidden
        areHidden = hasBegun && !wasReported && count <= Self.maximumHidden && error.isEndOfConnection
        let delay = max(min(error.retryDelay ?? .zero, AddressBook.maximumSuspension), backoff)
        guard areHidden else { return .report(retryDelay: delay) }
        // A draining server's delay is for callers without another server. The client itself avoids that server.
        return .resume(after: error.reason == .serverUnreachable ? delay : backoff)
    }
}

extension RPCError {
    /// Whether the call's server died or is draining, so that another may take the call over; or whether all servers
    /// are unreachable, but the next attempt is soon.
    fileprivate var isEndOfConnection: Bool {
        switch reason {
        // The watch of a server that has hung was stale for as long as the server did not answer.
        case .connectionLost?: info?.metadata["unresponsive"] == nil
        case .callNotStarted?, .draining?: true
        case .serverUnreachable?: retryDelay.map { $0 <= WatchFailures.maximumHiddenWait } ?? false
        default: false
        }
    }
}
