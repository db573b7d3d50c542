package import NIOCore

/// The count of a peer's pings that came too soon (gRFC A8, "Client-side Keepalive").
///
/// A ping is expected five minutes after the last one, or two hours after it without a call. After two that came
/// sooner, the third ends the connection. Sending clears the count: clients measure their bandwidth with pings while
/// they receive.
package struct PingStrikes: Sendable {
    private static let interval = TimeAmount.minutes(5)
    private static let intervalWithoutCalls = TimeAmount.hours(2)
    /// The number of pings that may come too soon.
    package static let maximum = 2

    private var last: NIODeadline?
    private var strikes = 0

    package init() {}

    /// Whether the ping ends the connection.
    package mutating func pinged(hasCalls: Bool, now: NIODeadline) -> Bool {
        let interval = hasCalls ? Self.interval : Self.intervalWithoutCalls
        guard let last, now < last + interval else {
            last = now
            return false
        }
        strikes += 1
        return strikes > Self.maximum
    }

    package mutating func sent() {
        last = nil
        strikes = 0
    }
}
