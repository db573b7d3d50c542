package import NIOCore

/// The counts of a peer's faults and rate-limited behavior. Each function returns the error that ends the connection,
/// if any.
package struct PeerBehavior {
    /// The frames without effect that a call allows: Credit after the request, the half-close, a Cancel. Each can cross
    /// the call's end.
    private static let framesPerCall = 3

    private var cancels: RateLimit
    private var faults: RateLimit
    private var controlFrames: RateLimit
    private let maximumGlitches: Int
    private var glitches = 0
    /// The remaining number of allowed frames without effect, such as a Credit for a stream's last message. Calls and
    /// messages bound it, so they cannot become a flood.
    private var allowedFrames = 0

    package init(_ limits: PeerLimits) {
        cancels = limits.cancels
        faults = limits.faults
        controlFrames = limits.controlFrames
        maximumGlitches = limits.maximumGlitches
    }

    package mutating func callStarted() { allowedFrames &+= Self.framesPerCall }

    /// Allows for the peer's frames without effect in answer to a sent message.
    package mutating func messageSent(allowing frames: Int = 1) { allowedFrames &+= frames }

    package mutating func earlyCancelReceived(now: NIODeadline) -> ConnectionError? {
        cancels.isExceeded(now: now) ? .tooManyCancels(cancels.count) : nil
    }

    package mutating func faulted(isGlitch: Bool = false, now: NIODeadline) -> ConnectionError? {
        if isGlitch {
            guard glitches < maximumGlitches else { return .tooManyGlitches(maximumGlitches) }
            glitches += 1
        }
        return faults.isExceeded(now: now) ? .tooManyFaults(faults.count) : nil
    }

    package mutating func allowedFrameReceived(now: NIODeadline) -> ConnectionError? {
        guard allowedFrames > 0 else { return controlFrameReceived(now: now) }
        allowedFrames -= 1
        return nil
    }

    /// Counts a frame that costs the server and not the peer (CVE-2019-9512, CVE-2019-9515).
    package mutating func controlFrameReceived(now: NIODeadline) -> ConnectionError? {
        controlFrames.isExceeded(now: now) ? .tooManyControlFrames(controlFrames.count) : nil
    }
}

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
