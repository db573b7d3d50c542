package import RPCCore

/// The client's side of one connection: the open calls, and the meaning of each frame.
///
///     active ──GoAway──▶ draining ──last call ended──▶ finished
///        └───────────────connection closed──────────────▲
package struct ClientConnectionStateMachine: ~Copyable {
    /// A plain ttrpc server never sends a limit, so it keeps this one. gRPC's clients assume the same.
    package static let assumedStreamLimit = 100
    /// Three quarters of the range: the connection is retired long before the ids end.
    private static let lastUsableID = StreamID(rawValue: 0xC000_0001)

    private var nextStreamID: StreamID
    private var open: [StreamID: RPCMethod.Kind] = [:]
    private var limit = ClientConnectionStateMachine.assumedStreamLimit
    private var isGreeted = false
    package private(set) var isPongUnsent = false
    /// Open calls finish, and new ones need another connection.
    private var isDraining = false
    private var isClosed = false

    /// Odd; other than 1 only in tests.
    package init(firstStreamID: StreamID = 1) {
        precondition(firstStreamID.isOdd, "the stream id is even; a client must use odd ids")
        nextStreamID = firstStreamID
    }

    /// Until GoAway, the last usable id, or the end of the connection.
    package var acceptsCalls: Bool { !isDraining && !isClosed && nextStreamID <= Self.lastUsableID }

    /// The connection can be closed.
    package var isFinished: Bool { !acceptsCalls && open.isEmpty }

    package mutating func openCall(_ kind: RPCMethod.Kind) -> CallOpening {
        guard acceptsCalls else { return .refuse }
        guard open.count < limit else { return .wait }
        let id = nextStreamID
        nextStreamID = StreamID(rawValue: id.rawValue + 2)
        open[id] = kind
        return .send(id)
    }

    package enum OnAbandon: Sendable, Hashable {
        /// A plain ttrpc server ignores Cancel, ours stops the call.
        case sendCancel
        /// The call was already over.
        case ignore
    }

    package mutating func callAbandoned(_ id: StreamID) -> OnAbandon { end(id) == nil ? .ignore : .sendCancel }

    /// Returns the calls that were open. It is unknown whether the server has run them.
    package mutating func connectionClosed() -> [StreamID] {
        isClosed = true
        return endAll(after: 0)
    }

    package enum OnFrame: Sendable, Hashable {
        /// The Response of a unary call: decode it; the call is over.
        case finishCall(StreamID)
        /// The Response of a stream. A payload is its last message: servers of ttrpc 1.1 answer every call with one
        /// Response.
        case finishStream(StreamID)
        case deliver(StreamID, isLast: Bool)
        case endStream(StreamID)
        /// An error of this call only. If `isRunning`, the server continues the call, so Cancel is sent.
        case failCall(StreamID, RPCError, isRunning: Bool)
        case readHello
        case readGoAway
        /// Send the data back in a Pong; report with `pongSent` when it was sent.
        case sendPong
        case ignore
    }

    package mutating func frameReceived(_ frame: Frame) -> OnFrame {
        guard !isClosed else { return .ignore }
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
            // Only one Pong is queued for a server that does not read.
            guard frame.isPing, !isPongUnsent else { return .ignore }
            isPongUnsent = true
            return .sendPong
        default:
            return .ignore
        }
    }

    /// The next Ping is answered again.
    package mutating func pongSent() { isPongUnsent = false }

    private mutating func dataReceived(_ header: FrameHeader) -> OnFrame {
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

    /// Its call fails, the others continue.
    package mutating func oversizedFrameReceived(_ header: FrameHeader, maximum: Int) -> OnFrame {
        guard header.type == .response || header.type == .data else { return .ignore }
        return fail(header, Refusal.frameTooLarge(byteCount: Int(header.length), maximum: maximum).error)
    }

    private mutating func fail(_ header: FrameHeader, _ error: RPCError) -> OnFrame {
        let isEnd = header.type == .response || header.flags.contains(.remoteClosed)
        return end(header.streamID) == nil ? .ignore : .failCall(header.streamID, error, isRunning: !isEnd)
    }

    /// Calls beyond a limit lower than the assumed one stay open. 0 is no limit.
    package mutating func helloReceived(maximumStreams: UInt32) {
        limit = maximumStreams == 0 ? .max : Int(maximumStreams)
    }

    /// `lastStreamID` is the last call that the server will finish. Returns the calls after it: the server never
    /// started them, so they can be sent to another server.
    package mutating func goAwayReceived(lastStreamID: StreamID) -> [StreamID] {
        isDraining = true
        return endAll(after: lastStreamID)
    }

    @discardableResult
    private mutating func end(_ id: StreamID) -> RPCMethod.Kind? { open.removeValue(forKey: id) }

    private mutating func endAll(after id: StreamID) -> [StreamID] {
        let dropped = open.keys.filter { $0 > id }.sorted()
        for id in dropped { open[id] = nil }
        return dropped
    }
}

package enum CallOpening: Sendable, Hashable {
    case send(StreamID)
    /// The server's limit of open calls is reached: try again when one has ended.
    case wait
    case refuse
}
