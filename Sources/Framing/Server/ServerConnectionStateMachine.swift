/// The server's side of one connection: which calls are open, and what each frame means now.
///
///     active ──drain──▶ draining ──last call ended──▶ closed
///        └──────────────connection closed───────────────▲
///
/// It decides; it decodes no message, writes nothing and knows no clock. A frame's meaning comes back as `OnFrame`,
/// and whoever carries that out reports what became of it (`callAccepted`, `callEnded`).
package struct ServerConnectionStateMachine: ~Copyable {
    private enum State: ~Copyable {
        /// Accepting calls. Moves to `draining` when asked to stop, to `closed` with the connection.
        case active(ServerCalls)
        /// Finishing open calls, refusing new ones. Moves to `closed` after the last.
        case draining(ServerCalls)
        /// Terminal: every event is answered by an action that does nothing.
        case closed
    }

    private var state: State

    /// - Parameter maximumStreams: Calls that may be open at once; one more is refused.
    package init(maximumStreams: Int = 128) {
        self.init(.active(ServerCalls(maximumStreams: maximumStreams)))
    }

    private init(_ state: consuming State) { self.state = state }

    /// What a frame asks for.
    package enum OnFrame: Sendable, Hashable {
        /// Decode the request, look its method up, and report with `callAccepted` or `callEnded`.
        ///
        /// `wantsStream` is false when the caller expects one Response whatever the method (flags 0).
        case startCall(StreamID, wantsStream: Bool)
        /// Stop the call and send nothing more on its stream.
        case stopCall(StreamID)
        /// Stop the call and answer it with the refusal's status.
        case failCall(StreamID, Refusal)
        /// A call that waited for credit may go on.
        case resumeCall(StreamID)
        /// Answer on this stream with the refusal's status; the connection and its calls go on.
        case refuse(StreamID, Refusal)
        /// Decode the Hello and report with `helloReceived`.
        case readHello
        /// Send the data back in a Pong.
        case sendPong
        /// Nothing to do: a frame this side does not know or need, or one that lost a race.
        case ignore
    }

    /// A whole frame arrived.
    package mutating func frameReceived(_ frame: Frame) -> OnFrame {
        switch consume self.state {
        case .active(var calls):
            let action = calls.frameReceived(frame)
            self = Self(.active(calls))
            return action
        case .draining(var calls):
            let action = calls.frameReceived(frame, refusingNew: .draining)
            self = Self(.draining(calls))
            return action
        case .closed:
            self = Self(.closed)
            return .ignore
        }
    }

    /// A frame's header arrived with more data than this side takes. (PROTOCOL.md, "Data Length")
    package mutating func oversizedFrameReceived(_ header: FrameHeader, maximum: Int) -> OnFrame {
        let refusal = Refusal.frameTooLarge(byteCount: Int(header.length), maximum: maximum)
        return updateCalls(otherwise: .ignore) { calls in calls.oversizedFrameReceived(header, refusal) }
    }

    package enum OnHello: Sendable, Hashable {
        /// The peer speaks the extensions: send our own Hello.
        case sendHello
        case ignore
    }

    /// The Hello that `readHello` asked for was decoded.
    ///
    /// - Parameter initialCredit: Messages that each stream may carry before the first Credit; 0 means no limit.
    /// - Returns: Whether to answer.
    package mutating func helloReceived(initialCredit: UInt32) -> OnHello {
        updateCalls(otherwise: .ignore) { calls in
            calls.peer = .extended(initialCredit: initialCredit)
            return .sendHello
        }
    }

    /// The call of a `startCall` runs now as a stream of messages, which credit limits.
    package mutating func streamAccepted(_ id: StreamID) {
        updateCalls(otherwise: ()) { calls in calls.limitByCredit(id) }
    }

    package enum OnMessage: Sendable, Hashable {
        /// Make the next message and send it: its credit is spent.
        case send
        /// Make nothing: `resumeCall` comes when there is credit.
        case waitForCredit
        /// The call is over.
        case ignore
    }

    /// A stream could send its next message.
    package mutating func messageWanted(on id: StreamID) -> OnMessage {
        updateCalls(otherwise: .ignore) { calls in calls.spendCredit(id) }
    }

    package enum OnCallEnded: Sendable, Hashable {
        case continueConnection
        /// The last call of a draining connection is answered.
        case closeConnection
    }

    /// The call's last frame is written, or nothing is owed to it any more.
    package mutating func callEnded(_ id: StreamID) -> OnCallEnded {
        switch consume self.state {
        case .active(var calls):
            calls.end(id)
            self = Self(.active(calls))
            return .continueConnection
        case .draining(var calls):
            calls.end(id)
            guard calls.isEmpty else {
                self = Self(.draining(calls))
                return .continueConnection
            }
            self = Self(.closed)
            return .closeConnection
        case .closed:
            self = Self(.closed)
            return .continueConnection
        }
    }

    package enum OnDrain: Sendable, Hashable {
        /// Tell the peer, if it speaks the extensions, and wait for the open calls.
        case finishCalls(lastStreamID: StreamID, sendGoAway: Bool)
        /// Nothing is open. Tell the peer and close.
        case closeConnection(lastStreamID: StreamID, sendGoAway: Bool)
        case ignore
    }

    /// The server is stopping.
    package mutating func drain() -> OnDrain {
        switch consume self.state {
        case .active(let calls):
            let last = calls.lastStreamID
            let sendGoAway = calls.peer.speaksExtensions
            guard !calls.isEmpty else {
                self = Self(.closed)
                return .closeConnection(lastStreamID: last, sendGoAway: sendGoAway)
            }
            self = Self(.draining(calls))
            return .finishCalls(lastStreamID: last, sendGoAway: sendGoAway)
        case .draining(let calls):
            self = Self(.draining(calls))
            return .ignore
        case .closed:
            self = Self(.closed)
            return .ignore
        }
    }

    /// The connection is gone.
    ///
    /// - Returns: The calls that were open: stop them, nobody waits for their answers.
    package mutating func connectionClosed() -> [StreamID] {
        let open = updateCalls(otherwise: []) { calls in calls.openIDs }
        self = Self(.closed)
        return open
    }

    /// Carries out an event that means the same whether the connection drains or not.
    private mutating func updateCalls<Action>(
        otherwise actionWhenClosed: Action,
        _ update: (inout ServerCalls) -> Action
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
