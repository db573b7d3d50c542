internal import HTTPFraming
internal import NIOCore
internal import RPCCore

/// The limits for frames that cost the server and not the peer.
extension HTTP2Connection {
    /// The frames that a DATA frame allows: updates of both windows, and an answered ping.
    private static let framesPerData = 3
    /// The bytes of DATA for which a further frame is allowed: some clients give back windows in small steps.
    private static let bytesPerFrame = 1024

    /// Sets the time for a frame that has begun to arrive.
    ///
    /// - Parameter isNew: Whether it began behind another one that ended with the same read.
    func noteIncompleteFrame(isNew: Bool) {
        guard !isClosing else { return }
        guard frames.isInsideFrame else { return frameDeadline = nil }
        if isNew { frameDeadline = nil }
        guard frameDeadline == nil else { return }
        frameDeadline = now + TimeAmount(life.server.configuration.limits.frameTimeout)
    }

    func countControlFrame() {
        if let error = behavior.allowedFrameReceived(now: now) { end(because: error) }
    }

    func countUnknownFrame() {
        counters.count(.frameIgnored)
        if let error = behavior.controlFrameReceived(now: now) { end(because: error) }
    }

    /// Allows the control frames with which a peer answers DATA.
    func allowControlFrames(for written: WrittenFrames) {
        let count = Self.framesPerData * written.dataCount + written.dataByteCount / Self.bytesPerFrame
        if count > 0 { behavior.messageSent(allowing: count) }
    }

    func resetByPeer(_ id: StreamID) {
        let progress = calls.runner.progress(of: id)
        guard !isClosing, abandon(id) else { return }
        counters.count(.cancelReceived)
        guard progress != .open(hasSentMessage: true) else { return }
        if let error = behavior.earlyCancelReceived(now: now) { end(because: error) }
    }

    /// Stops the call of a stream that was reset because its peer broke the protocol.
    func resetBecauseOfFault(_ id: StreamID) {
        abandon(id)
        countFault()
    }

    func countFault() {
        counters.count(.streamError)
        if let error = behavior.faulted(isGlitch: true, now: now) { end(because: error) }
    }

    func countMalformedRequest() {
        counters.count(.malformedRequest)
        if let error = behavior.faulted(now: now) { end(because: error) }
    }
}

extension ServerEvent {
    init(_ fault: ConnectionFault) {
        self =
            switch fault.kind {
            case .foreign: .foreignUnknown
            case .broken: .protocolError
            case .flood: .tooManyControlFrames
            }
    }
}
