internal import HTTPCalls
internal import NIOCore
internal import NIOHTTP2
internal import RPCCore
internal import RPCTransport

/// The limits for frames that cost the server and not the peer.
///
/// The HTTP/2 handler has limits of its own. Above them it tells the peer that none of its calls ran, so that clients run
/// them again; the limits here are reached first, and name the last call.
extension HTTP2Connection {
    /// The frames that a DATA frame allows: updates of both windows, and an answered ping.
    private static let framesPerData = 3
    /// The bytes of DATA for which a further frame is allowed: some clients give back windows in small steps.
    private static let bytesPerFrame = 1024

    /// Notes the bytes that have arrived, before their frames are decoded.
    ///
    /// - Parameters:
    ///   - found: The frames in them.
    ///   - isInsideFrame: Whether they end inside a frame.
    func bytesReceived(_ found: FrameScanner.Found, isInsideFrame: Bool) {
        guard !isClosing else { return }
        now = .now()
        if found.hasEnd || !isInsideFrame { frameDeadline = nil }
        if isInsideFrame, frameDeadline == nil {
            frameDeadline = now + TimeAmount(server.configuration.limits.frameTimeout)
            armTimer()
        }
        for _ in 0..<found.headers { behavior.callStarted() }
        for _ in 0..<found.controlFrames {
            if let error = behavior.allowedFrameReceived(now: now) { return end(because: error) }
        }
        for _ in 0..<found.unknown {
            counters.count(.frameIgnored)
            if let error = behavior.controlFrameReceived(now: now) { return end(because: error) }
        }
    }

    /// Allows the control frames with which a peer answers DATA.
    func allowControlFrames(for byteCount: Int) {
        behavior.messageSent(allowing: Self.framesPerData + byteCount / Self.bytesPerFrame)
    }

    /// Notes that a peer has reset a stream whose call was not answered.
    func wasCancelled(_ stream: HTTP2Stream) {
        counters.count(.cancelReceived)
        guard !stream.hasSentHead, let error = behavior.earlyCancelReceived(now: now) else { return }
        end(because: error)
    }

    /// Notes that the HTTP/2 handler has reset a stream, because its peer broke the protocol there.
    func resetByHandler(_ id: StreamID) {
        guard let stream = streams[id] else { return faultCount += 1 }
        // This side's own resets are sent for answered streams only.
        guard !stream.isAnswered else { return }
        stream.isFaulty = true
        faultCount += 1
    }

    /// Counts the faults since the last time. They are noted during a write, when nothing can be written.
    func countFaults() {
        for _ in 0..<faultCount {
            counters.count(.streamError)
            if let error = behavior.faulted(isGlitch: true, now: now) { return end(because: error) }
        }
        faultCount = 0
    }

    /// Counts a request that only a broken client sends.
    func countMalformedRequest() {
        counters.count(.malformedRequest)
        if let error = behavior.faulted(now: now) { end(because: error) }
    }
}

extension ServerEvent {
    /// The event for an error with which the HTTP/2 handler ended a connection.
    init(endOfConnection error: any Error) {
        self =
            switch error {
            case is NIOHTTP2Errors.ExcessiveRSTFrames: .tooManyCancels
            case is NIOHTTP2Errors.ExcessiveStreamErrors: .tooManyFaults
            case is NIOHTTP2Errors.ExcessiveControlFrames, is NIOHTTP2Errors.ExcessiveEmptyDataFrames,
                is NIOHTTP2Errors.ExcessiveContinuationFrames, is NIOHTTP2Errors.ExcessiveOutboundFrameBuffering:
                .tooManyControlFrames
            case is NIOHTTP2Errors.BadClientMagic: .foreignUnknown
            default: .protocolError
            }
    }
}
