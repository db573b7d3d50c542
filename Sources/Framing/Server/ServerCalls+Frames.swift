internal import NIOCore
internal import RPCCore

/// The meaning of each frame for the calls, and the rate limits for its kind.
extension ServerCalls {
    mutating func frameReceived(_ frame: Frame, refusingNew refusal: Refusal? = nil, now: NIODeadline) -> OnFrame {
        let header = frame.header
        let isFirst = noteFrame()
        switch header.type {
        case .request:
            return requestReceived(header, refusal, now: now)
        case .data:
            return dataReceived(header, now: now)
        case .hello where isFirst && header.streamID == .connection:
            return .readHello
        case .cancel where peer.speaksExtensions:
            return cancelReceived(header.streamID, now: now)
        case .credit where peer.speaksExtensions:
            return creditReceived(frame, now: now)
        case .ping where peer.speaksExtensions && frame.isPing:
            return pingReceived(now: now)
        default:
            // A late Hello, an extension of a peer that sent no Hello, or a type that no client sends.
            return afterRateCheck(behavior.controlFrameReceived(now: now), .ignore)
        }
    }

    mutating func oversizedFrameReceived(_ header: FrameHeader, _ refusal: Refusal, now: NIODeadline) -> OnFrame {
        noteFrame()
        let id = header.streamID
        switch header.type {
        case .request:
            if let wrong = claim(id) { return refuse(id, wrong, now: now) }
            return refuseNew(id, refusal, now: now)
        case .data:
            guard let index = index(of: id), !open[index].isStopping else { fallthrough }
            return fail(index, refusal, now: now)
        default:
            return afterRateCheck(behavior.controlFrameReceived(now: now), .ignore)
        }
    }

    /// Marks the peer as plain with its first frame. A valid Hello changes that later.
    ///
    /// - Returns: Whether this is the first frame.
    @discardableResult
    private mutating func noteFrame() -> Bool {
        guard case .unknown = peer else { return false }
        peer = .plain
        return true
    }

    private mutating func dataReceived(_ header: FrameHeader, now: NIODeadline) -> OnFrame {
        let id = header.streamID
        guard id.isOdd else { return refuse(id, .evenStreamID, now: now) }
        guard let index = index(of: id) else {
            return ended.contains(id) ? lateFrameReceived(now: now) : refuse(id, .inactiveStream, now: now)
        }
        guard !open[index].isStopping else { return lateFrameReceived(now: now) }
        // No method here takes more than its request. A client may half-close without a message.
        guard header.flags.contains(.noData), header.length == 0 else {
            return fail(index, .unexpectedData, now: now)
        }
        return afterRateCheck(behavior.allowedFrameReceived(now: now), .done)
    }

    private mutating func cancelReceived(_ id: StreamID, now: NIODeadline) -> OnFrame {
        // A Cancel can cross the answer on its way.
        guard let index = index(of: id), !open[index].isStopping else { return lateFrameReceived(now: now) }
        if !hasSentMessage(open[index]), let error = behavior.earlyCancelReceived(now: now) {
            return .endConnection(terminate(error))
        }
        stop(index)
        return .stopCall(id)
    }

    /// A held request was withdrawn: the same as a Cancel of a call that has just begun.
    mutating func requestWithdrawn(now: NIODeadline) -> OnFrame {
        afterRateCheck(behavior.earlyCancelReceived(now: now), .done)
    }

    private mutating func creditReceived(_ frame: Frame, now: NIODeadline) -> OnFrame {
        let id = frame.header.streamID
        // Credit for an unknown or ended call is ignored: it can cross the end of the stream.
        guard let grant = frame.credit, grant > 0, let index = index(of: id), !open[index].isStopping else {
            return lateFrameReceived(now: now)
        }
        return afterRateCheck(behavior.allowedFrameReceived(now: now), .grantCredit(id, grant))
    }

    private mutating func pingReceived(now: NIODeadline) -> OnFrame {
        if let error = behavior.controlFrameReceived(now: now) { return .endConnection(terminate(error)) }
        // Only one Pong is queued for a peer that does not read.
        guard !isPongUnsent else { return .ignore }
        isPongUnsent = true
        return .sendPong
    }

    mutating func lateFrameReceived(now: NIODeadline) -> OnFrame {
        afterRateCheck(behavior.allowedFrameReceived(now: now), .ignore)
    }

    mutating func afterRateCheck(_ error: ConnectionError?, _ action: OnFrame) -> OnFrame {
        guard let error else { return action }
        return .endConnection(terminate(error))
    }
}
