package import NIOCore

/// The counts of a peer's faults and rate-limited behavior. Each function returns the error to end the connection with,
/// or nil.
package struct PeerBehavior {
    /// The number of frames without effect that a call allows: Credit after the request, the half-close, a Cancel. Each
    /// of them can also cross the call's end.
    private static let framesPerCall = 3

    private var cancels: RateLimit
    private var faults: RateLimit
    private var controlFrames: RateLimit
    private let maximumGlitches: Int
    private var glitches = 0
    /// The number of frames without effect that the calls and messages so far still allow: the Credit for the last
    /// message of a stream, a Cancel that crossed the answer. They are bounded by the number of calls and messages, so
    /// they can never be a flood of their own.
    private var allowedFrames = 0

    package init(_ limits: PeerLimits) {
        cancels = limits.cancels
        faults = limits.faults
        controlFrames = limits.controlFrames
        maximumGlitches = limits.maximumGlitches
    }

    package mutating func callStarted() { allowedFrames &+= Self.framesPerCall }

    /// Notes that something was sent, which the peer answers with frames without effect.
    package mutating func messageSent(allowing frames: Int = 1) { allowedFrames &+= frames }

    /// Counts the Cancel of a call of which no message was handed to the socket: the work for it was wasted.
    /// (CVE-2023-44487)
    package mutating func earlyCancelReceived(now: NIODeadline) -> ConnectionError? {
        cancels.isExceeded(now: now) ? .tooMany(.cancels, limit: cancels.count) : nil
    }

    /// Counts a stream that ended by a fault of the peer. (CVE-2025-8671)
    package mutating func faulted(isGlitch: Bool = false, now: NIODeadline) -> ConnectionError? {
        if isGlitch {
            guard glitches < maximumGlitches else { return .tooMany(.glitches, limit: maximumGlitches) }
            glitches += 1
        }
        return faults.isExceeded(now: now) ? .tooMany(.faults, limit: faults.count) : nil
    }

    /// Counts a control frame of a kind that calls and messages allow.
    package mutating func allowedFrameReceived(now: NIODeadline) -> ConnectionError? {
        guard allowedFrames > 0 else { return controlFrameReceived(now: now) }
        allowedFrames -= 1
        return nil
    }

    /// Counts a frame that costs the server and not the peer. (CVE-2019-9512, CVE-2019-9515)
    package mutating func controlFrameReceived(now: NIODeadline) -> ConnectionError? {
        controlFrames.isExceeded(now: now) ? .tooMany(.controlFrames, limit: controlFrames.count) : nil
    }
}
