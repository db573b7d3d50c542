package import NIOCore

/// A timer that finds a connection that nobody has used for a long time.
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

    /// Notes that a call, or another request, has ended.
    package mutating func noteUse(now: NIODeadline) { idleSince = now }

    /// Whether the connection was not used for the whole timeout. Then the next check is a timeout later, because a
    /// connection may need some time to end.
    package mutating func isExpired(now: NIODeadline, isInUse: Bool) -> Bool {
        guard nextCheck <= now else { return false }
        let end = (isInUse ? now : idleSince) + TimeAmount(timeout)
        nextCheck = end <= now ? now + TimeAmount(timeout) : end
        return end <= now
    }
}
