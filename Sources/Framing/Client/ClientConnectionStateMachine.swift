package import RPCCore

/// The client's side of one connection: the open calls, and the meaning of each frame.
///
///     active ──GoAway──▶ draining ──last call ended──▶ closed
///        └───────────────connection closed──────────────▲
package struct ClientConnectionStateMachine: ~Copyable {
    /// The number of calls that may be open at once until the server sends its limit. A plain ttrpc server never sends
    /// one, so it keeps this limit. gRPC's clients assume the same.
    package static let assumedStreamLimit = 100

    private enum State: ~Copyable {
        /// New calls may be opened. Moves to `draining` on GoAway or when ids run out.
        case active(ClientCalls)
        /// Open calls finish, new ones need another connection. Moves to `closed` after the last.
        case draining(ClientCalls)
        /// Terminal.
        case closed
    }

    private var state: State

    /// - Parameter firstStreamID: An odd id; other than 1 only in tests.
    package init(firstStreamID: StreamID = 1) {
        precondition(firstStreamID.isOdd, "a client's stream ids are odd")
        let calls = ClientCalls(nextStreamID: firstStreamID)
        self.init(calls.idsAreRunningOut ? .draining(calls) : .active(calls))
    }

    private init(_ state: consuming State) { self.state = state }

    /// Opens a call, if the connection can take it now.
    package mutating func openCall(_ kind: Method.Kind) -> CallOpening {
        switch consume self.state {
        case .active(var calls):
            guard !calls.isFull else {
                self = Self(.active(calls))
                return .wait
            }
            let id = calls.open(kind)
            if calls.idsAreRunningOut {
                self = Self(.draining(calls))
            } else {
                self = Self(.active(calls))
            }
            return .send(id)
        case .draining(let calls):
            self = Self(.draining(calls))
            return .refuse
        case .closed:
            self = Self(.closed)
            return .refuse
        }
    }

    /// The action that a frame asks for.
    package enum OnFrame: Sendable, Hashable {
        /// The Response of a unary call: decode it; the call is over.
        case finishCall(StreamID)
        /// The Response of a stream: decode it; the stream is over. A payload is its last message: servers of ttrpc 1.1
        /// answer every call with one Response.
        case finishStream(StreamID)
        /// A message of a stream. `isLast`: whether it was the last.
        case deliver(StreamID, isLast: Bool)
        /// The stream is over, with no message in this frame.
        case endStream(StreamID)
        /// The server broke the protocol on this call only. `isRunning`: whether the server goes on with the call, so that
        /// Cancel is sent.
        case failCall(StreamID, RPCError, isRunning: Bool)
        case readHello
        case readGoAway
        /// Send the data back in a Pong.
        case sendPong
        case ignore
    }

    package mutating func frameReceived(_ frame: Frame) -> OnFrame {
        updateCalls(otherwise: .ignore) { calls in calls.frameReceived(frame) }
    }

    /// Handles the header of a frame with more data than this side takes: its call fails, the others continue.
    package mutating func oversizedFrameReceived(_ header: FrameHeader, maximum: Int) -> OnFrame {
        let refusal = Refusal.frameTooLarge(byteCount: Int(header.length), maximum: maximum)
        return updateCalls(otherwise: .ignore) { calls in calls.oversizedFrameReceived(header, refusal) }
    }

    /// Notes the server's decoded Hello.
    ///
    /// - Parameter maximumStreams: The number of calls that it allows to be open at once; 0 is no limit.
    package mutating func helloReceived(maximumStreams: UInt32) {
        updateCalls(otherwise: ()) { calls in calls.limitReceived(maximumStreams) }
    }

    /// The action for a call that its caller abandons.
    package enum OnAbandon: Sendable, Hashable {
        /// Send Cancel: a plain ttrpc server ignores it, ours stops the call.
        case sendCancel
        /// The call was over already.
        case ignore
    }

    /// Ends a call that its caller no longer wants: cancelled, past its deadline, or its reader is gone.
    package mutating func callAbandoned(_ id: StreamID) -> OnAbandon {
        updateCalls(otherwise: .ignore) { calls in calls.end(id) == nil ? .ignore : .sendCancel }
    }

    /// Notes a decoded GoAway: this connection takes no new calls.
    ///
    /// - Parameter lastStreamID: The last call that the server will finish.
    /// - Returns: The calls after it. The server never started them, so they can be sent to another server.
    package mutating func goAwayReceived(lastStreamID: StreamID) -> [StreamID] {
        let dropped = updateCalls(otherwise: []) { calls in calls.endAll(after: lastStreamID) }
        switch consume self.state {
        case .active(let calls): self = Self(.draining(calls))
        case .draining(let calls): self = Self(.draining(calls))
        case .closed: self = Self(.closed)
        }
        return dropped
    }

    /// Whether the connection has no call and takes none, so that it can be closed.
    package var isFinished: Bool {
        switch self.state {
        case .active: false
        case .draining(let calls): calls.isEmpty
        case .closed: true
        }
    }

    /// Whether the connection takes new calls.
    package var acceptsCalls: Bool {
        switch self.state {
        case .active: true
        case .draining: false
        case .closed: false
        }
    }

    /// Notes that the connection is closed.
    ///
    /// - Returns: The calls that were open. It is not known whether the server has run them.
    package mutating func connectionClosed() -> [StreamID] {
        let open = updateCalls(otherwise: []) { calls in calls.endAll(after: 0) }
        self = Self(.closed)
        return open
    }

    /// Handles an event that means the same whether the connection drains or not.
    private mutating func updateCalls<Action>(
        otherwise actionWhenClosed: Action,
        _ update: (inout ClientCalls) -> Action
    ) -> Action {
        switch consume self.state {
        case .active(var calls):
            let action = update(&calls)
            self = Self(.active(calls))
            return action
        case .draining(var calls):
            let action = update(&calls)
            self = Self(.draining(calls))
            return action
        case .closed:
            self = Self(.closed)
            return actionWhenClosed
        }
    }
}
