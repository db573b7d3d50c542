package import NIOCore
package import NIOHPACK
package import RPCCore

/// The client's side of one HTTP/2 connection that carries gRPC calls: the open calls, and the meaning of each frame.
///
///     active ──GOAWAY, or ids run out──▶ draining
///        └────────connection closed─────────┴──▶ closed
///
/// HTTP/2 has found the frames to be well-formed. Those of streams without a call are late: the call was abandoned, or has
/// failed.
package struct GRPCClientStateMachine {
    /// The number of calls that may be open at once until the server's settings arrive. gRPC's clients assume the same.
    package static let assumedStreamLimit = 100
    /// The last stream id to use, at three quarters of the range: the connection is retired long before the ids end.
    private static let lastUsableID = StreamID(rawValue: 0x6000_0001)

    private enum Phase {
        /// New calls may be opened.
        case active
        /// Open calls finish, new ones need another connection.
        case draining
        case closed
    }

    private let limits: GRPCClientLimits
    private var phase = Phase.active
    private var nextStreamID: StreamID
    private var calls: [StreamID: GRPCClientCall] = [:]
    private var streamLimit: Int
    private var hasSettings = false

    /// - Parameters:
    ///   - limits: The limits of the connection.
    ///   - firstStreamID: An odd id; other than 1 only in tests.
    package init(_ limits: GRPCClientLimits, firstStreamID: StreamID = 1) {
        self.limits = limits
        self.nextStreamID = firstStreamID
        self.streamLimit = limits.heedsStreamLimit ? Self.assumedStreamLimit : .max
        if firstStreamID > Self.lastUsableID { phase = .draining }
    }

    /// Whether the connection has no call and takes none, so that it can be closed.
    package var isFinished: Bool { phase != .active && calls.isEmpty }

    // MARK: Calls

    /// Opens a call, if the connection can take it now.
    package mutating func openCall(_ kind: Method.Kind) -> CallOpening {
        guard phase == .active else { return .refuse }
        guard calls.count < streamLimit else { return .wait }
        let id = nextStreamID
        nextStreamID = StreamID(rawValue: id.rawValue + 2)
        calls[id] = GRPCClientCall(kind, limits)
        if nextStreamID > Self.lastUsableID { phase = .draining }
        return .send(id)
    }

    /// Ends a call that its caller no longer wants: cancelled, past its deadline, or its reader is gone.
    ///
    /// - Returns: Whether the server still works for it, so that the stream has to be reset.
    package mutating func callAbandoned(_ id: StreamID) -> Bool {
        calls.removeValue(forKey: id) != nil
    }

    /// Notes that the reader of a stream has taken messages.
    package mutating func messagesTaken(_ count: UInt32, byteCount: Int, on id: StreamID) {
        calls[id]?.release(byteCount + Int(count) * EnvelopeReader.prefixByteCount)
    }

    /// Returns the bytes to widen a stream's window by; 0 for none. It must be asked when a call was opened, and after each
    /// frame of DATA and each message that was taken.
    package mutating func widening(of id: StreamID) -> Int {
        calls[id]?.widening() ?? 0
    }

    // MARK: Frames of a call

    /// The action that a frame asks for.
    package enum OnFrame: Sendable, Hashable {
        /// The answer of a unary call, which is over.
        case answer(ByteBuffer)
        /// A message of a stream.
        case deliver(ByteBuffer)
        /// The stream is over.
        case end
        /// The call failed. `isRunning`: whether the server goes on with it, so that the stream has to be reset.
        case fail(RPCError, isRunning: Bool)
        /// The server has not begun the call, which is over: it can be sent again.
        case refused
        case ignore
    }

    package mutating func headersReceived(_ headers: HPACKHeaders, on id: StreamID, isEnd: Bool) -> OnFrame {
        close(id, if: calls[id]?.headersReceived(headers, isEnd: isEnd) ?? .ignore)
    }

    /// Takes the bytes of a DATA frame. Their messages are read with `nextMessage`.
    ///
    /// - Parameters:
    ///   - bytes: The bytes without padding.
    ///   - paddingByteCount: The bytes that the frame has besides, as flow control counts them.
    ///   - id: The stream.
    package mutating func dataReceived(_ bytes: ByteBuffer, paddingByteCount: Int, on id: StreamID) {
        calls[id]?.dataReceived(bytes, paddingByteCount: paddingByteCount)
    }

    /// Returns the action for the next message that has arrived; `ignore` if there is none.
    package mutating func nextMessage(on id: StreamID) -> OnFrame {
        close(id, if: calls[id]?.nextMessage() ?? .ignore)
    }

    /// Handles the end of a stream by a DATA frame, which is no end of a gRPC call.
    package mutating func dataEnded(on id: StreamID) -> OnFrame {
        close(id, if: calls[id]?.ended(nil) ?? .ignore)
    }

    /// Handles the end of a stream by a reset, from either side of HTTP/2.
    ///
    /// - Parameters:
    ///   - code: The error code of HTTP/2.
    ///   - id: The stream.
    /// - Returns: The end of the call; `ignore` if it is over.
    package mutating func streamReset(_ code: Int, on id: StreamID) -> OnFrame {
        guard calls.removeValue(forKey: id) != nil else { return .ignore }
        return code == Self.refusedStream ? .refused : .fail(.reset(code), isRunning: false)
    }

    private static let refusedStream = 7

    private mutating func close(_ id: StreamID, if action: OnFrame) -> OnFrame {
        switch action {
        case .answer, .end, .fail, .refused: calls[id] = nil
        case .deliver, .ignore: break
        }
        return action
    }

    // MARK: Frames of the connection

    /// Handles the server's settings.
    ///
    /// - Parameter maximumStreams: The number of calls that it allows to be open at once; nil if the settings do not say it.
    /// - Returns: The limit of open calls if these are the first settings, which show that the server has accepted the
    ///   connection; 0 is no limit.
    package mutating func settingsReceived(maximumStreams: Int?) -> UInt32? {
        let isFirst = !hasSettings
        hasSettings = true
        if limits.heedsStreamLimit {
            if let maximumStreams { streamLimit = maximumStreams } else if isFirst { streamLimit = .max }
        }
        return isFirst ? UInt32(clamping: maximumStreams ?? 0) : nil
    }

    /// Handles a GOAWAY: this connection takes no new calls.
    ///
    /// - Parameter lastStreamID: The last call that the server may have begun.
    /// - Returns: The calls after it. The server never began them, so they can be sent to another server.
    package mutating func goAwayReceived(lastStreamID: StreamID) -> [StreamID] {
        if phase == .active { phase = .draining }
        let dropped = calls.keys.filter { $0 > lastStreamID }.sorted()
        for id in dropped { calls[id] = nil }
        return dropped
    }

    /// Notes that the connection is closed, and with it all open calls.
    package mutating func connectionClosed() {
        phase = .closed
        calls = [:]
    }
}
