internal import NIOCore

/// Finds the connection on which no call was open for a long time.
///
/// It looks once per `timeout` while calls are made, so that a call costs it no timer.
struct IdleTimer {
    let timeout: Duration
    private var idleSince: NIODeadline
    /// When to look next.
    private(set) var nextCheck: NIODeadline

    init(timeout: Duration, now: NIODeadline) {
        self.timeout = timeout
        self.idleSince = now
        self.nextCheck = now + TimeAmount(timeout)
    }

    mutating func lastCallEnded(now: NIODeadline) {
        idleSince = now
    }

    /// - Returns: Whether the connection was without a call for the whole time.
    mutating func isExpired(now: NIODeadline, hasCalls: Bool) -> Bool {
        guard nextCheck <= now else { return false }
        nextCheck = (hasCalls ? now : idleSince) + TimeAmount(timeout)
        return nextCheck <= now
    }
}
