internal import NIOCore
internal import RPCCore

/// The open calls of one client connection and the rules for the frames that answer them.
struct ClientCalls {
    /// The last stream id to use, at three quarters of the range: the connection is retired long before the ids end.
    private static let lastUsableID = StreamID(rawValue: 0xC000_0001)

    private var nextStreamID: StreamID
    private var open: [StreamID: Method.Kind] = [:]
    /// The number of calls that the server allows to be open at once.
    private var limit = ClientConnectionStateMachine.assumedStreamLimit
    private var isGreeted = false

    init(nextStreamID: StreamID) { self.nextStreamID = nextStreamID }

    var isEmpty: Bool { open.isEmpty }
    var isFull: Bool { open.count >= limit }
    var idsAreRunningOut: Bool { nextStreamID > Self.lastUsableID }

    mutating func open(_ kind: Method.Kind) -> StreamID {
        let id = nextStreamID
        nextStreamID = StreamID(rawValue: id.rawValue + 2)
        open[id] = kind
        return id
    }

    mutating func frameReceived(_ frame: Frame) -> ClientConnectionStateMachine.OnFrame {
        let header = frame.header
        switch header.type {
        case .response:
            // A response can cross our Cancel: a call that is not open is over.
            return switch end(header.streamID) {
            case .unary?: .finishCall(header.streamID)
            case .serverStreaming?, .bidirectional?: .finishStream(header.streamID)
            case nil: .ignore
            }
        case .data:
            return dataReceived(header)
        case .hello:
            // A second Hello changes nothing.
            guard header.streamID == .connection, !isGreeted else { return .ignore }
            isGreeted = true
            return .readHello
        case .goAway:
            return header.streamID == .connection ? .readGoAway : .ignore
        case .ping:
            return frame.isPing ? .sendPong : .ignore
        default:
            return .ignore
        }
    }

    /// Sets the limit that the server sent; 0 is no limit. Calls beyond a limit lower than the assumed one stay open.
    mutating func limitReceived(_ maximumStreams: UInt32) {
        limit = maximumStreams == 0 ? .max : Int(maximumStreams)
    }

    private mutating func dataReceived(_ header: FrameHeader) -> ClientConnectionStateMachine.OnFrame {
        let id = header.streamID
        guard let kind = open[id] else { return .ignore }
        guard kind == .serverStreaming else {
            let message = "the server streamed the answer of a unary call"
            return fail(header, RPCError(.internalError, reason: .responseInvalid, message))
        }
        let isLast = header.flags.contains(.remoteClosed)
        if isLast { end(id) }
        guard header.flags.contains(.noData) else { return .deliver(id, isLast: isLast) }
        return isLast ? .endStream(id) : .ignore
    }

    mutating func oversizedFrameReceived(
        _ header: FrameHeader,
        _ refusal: Refusal
    ) -> ClientConnectionStateMachine.OnFrame {
        switch header.type {
        case .response, .data: fail(header, refusal.error)
        default: .ignore
        }
    }

    private mutating func fail(_ header: FrameHeader, _ error: RPCError) -> ClientConnectionStateMachine.OnFrame {
        let isEnd = header.type == .response || header.flags.contains(.remoteClosed)
        return end(header.streamID) == nil ? .ignore : .failCall(header.streamID, error, isRunning: !isEnd)
    }

    /// Ends a call.
    ///
    /// - Returns: Its kind; nil if it was over already.
    @discardableResult
    mutating func end(_ id: StreamID) -> Method.Kind? {
        open.removeValue(forKey: id)
    }

    mutating func endAll(after id: StreamID) -> [StreamID] {
        let dropped = open.keys.filter { $0 > id }.sorted()
        for id in dropped { open[id] = nil }
        return dropped
    }
}
