internal import NIOCore

/// What a peer has done that a well made client does not do, or not so often. Each answer is why to end the connection,
/// or nil.
struct PeerConduct {
    /// What a call pays for in advance: Credit behind the request, the half-close, a Cancel. One of each can also
    /// cross the call's end on its way.
    private static let framesPerCall = 3

    private var cancels: RateLimit
    private var faults: RateLimit
    private var controlFrames: RateLimit
    private let maximumGlitches: Int
    private var glitches = 0
    /// Frames that belong to calls and messages, and may come though they change nothing: the Credit for a message
    /// that was the last of its stream, a Cancel that crossed the answer. Calls and messages pay for them, so they
    /// can never be a flood of their own.
    private var prepaidFrames = 0

    init(_ limits: PeerLimits) {
        cancels = limits.cancels
        faults = limits.faults
        controlFrames = limits.controlFrames
        maximumGlitches = limits.maximumGlitches
    }

    mutating func callStarted() { prepaidFrames &+= Self.framesPerCall }

    mutating func messageSent() { prepaidFrames &+= 1 }

    /// A call was cancelled before a message of it was handed to the socket: work was asked for that nobody wanted.
    /// (CVE-2023-44487)
    mutating func earlyCancelReceived(now: NIODeadline) -> ConnectionError? {
        cancels.isExceeded(now: now) ? .tooMany(.cancels, limit: cancels.count) : nil
    }

    /// A stream ended by a fault of the peer. (CVE-2025-8671)
    mutating func faulted(isGlitch: Bool = false, now: NIODeadline) -> ConnectionError? {
        if isGlitch {
            guard glitches < maximumGlitches else { return .tooMany(.glitches, limit: maximumGlitches) }
            glitches += 1
        }
        return faults.isExceeded(now: now) ? .tooMany(.faults, limit: faults.count) : nil
    }

    /// A frame that a call or a message may bring with it.
    mutating func attendantFrameReceived(now: NIODeadline) -> ConnectionError? {
        guard prepaidFrames > 0 else { return controlFrameReceived(now: now) }
        prepaidFrames -= 1
        return nil
    }

    /// A frame that costs us and not the peer. (CVE-2019-9512, CVE-2019-9515)
    mutating func controlFrameReceived(now: NIODeadline) -> ConnectionError? {
        controlFrames.isExceeded(now: now) ? .tooMany(.controlFrames, limit: controlFrames.count) : nil
    }
}
