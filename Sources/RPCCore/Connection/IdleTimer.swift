package import NIOCore

/// A timer that finds a connection without an open call for a long time.
///
/// It is checked once per `timeout` while calls are made, so a call costs no timer.
package struct IdleTimer: Sendable {
    package let timeout: Duration
    private var idleSince: NIODeadline
    package private(set) var nextCheck: NIODeadline

    package init(timeout: Duration, now: NIODeadline) {
        self.timeout = timeout
        self.idleSince = now
        self.nextCheck = now + TimeAmount(timeout)
    }

    package mutating func lastCallEnded(now: NIODeadline) {
        idleSince = now
    }

    /// Whether the connection had no call for the whole timeout. Then the next check is a timeout later, because a
    /// connection may need some time to end.
    package mutating func isExpired(now: NIODeadline, hasCalls: Bool) -> Bool {
        guard nextCheck <= now else { return false }
        let end = (hasCalls ? now : idleSince) + TimeAmount(timeout)
        nextCheck = end <= now ? now + TimeAmount(timeout) : end
        return end <= now
    }
}
