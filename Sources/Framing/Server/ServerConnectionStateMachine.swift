package import NIOCore

/// The server's side of one connection: which calls are open, and what each frame means now.
///
///     active ──drain──▶ draining ──last call ended──▶ closed
///        └──────connection closed, or peer at fault──────▲
///
/// It decides; it decodes no message, writes nothing and reads no clock. A frame's meaning comes back as `OnFrame`,
/// and whoever carries that out reports what became of it (`streamAccepted`, `callEnded`, `callFaulted`). Times that
/// events carry do not go back; one reading of the clock may serve for everything that one read brought in.
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

    /// - Parameters:
    ///   - limits: What the peer may take.
    ///   - now: When the connection began.
    package init(limits: PeerLimits, now: NIODeadline) {
        self.init(.active(ServerCalls(limits: limits, now: now)))
    }

    private init(_ state: consuming State) { self.state = state }

    // MARK: Frames

    /// A whole frame arrived.
    package mutating func frameReceived(_ frame: Frame, now: NIODeadline) -> OnFrame {
        switch consume self.state {
        case .active(var calls):
            let action = calls.frameReceived(frame, now: now)
            self = calls.isOver ? Self(.closed) : Self(.active(calls))
            return action
        case .draining(var calls):
            let action = calls.frameReceived(frame, refusingNew: .draining, now: now)
            self = calls.isOver ? Self(.closed) : Self(.draining(calls))
            return action
        case .closed:
            self = Self(.closed)
            return .ignore
        }
    }

    /// A frame's header arrived with more data than this side takes. (PROTOCOL.md, "Data Length")
    package mutating func oversizedFrameReceived(_ header: FrameHeader, maximum: Int, now: NIODeadline) -> OnFrame {
        let refusal = Refusal.frameTooLarge(byteCount: Int(header.length), maximum: maximum)
        return updateCalls(otherwise: .ignore) { calls in calls.oversizedFrameReceived(header, refusal, now: now) }
    }

    /// A request was cancelled before it was given to `frameReceived`: it had to wait, see `HeldRequests`.
    package mutating func requestWithdrawn(now: NIODeadline) -> OnFrame {
        updateCalls(otherwise: .ignore) { calls in calls.requestWithdrawn(now: now) }
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

    /// The Pong that `sendPong` asked for has left: the next Ping is answered again.
    package mutating func pongSent() {
        updateCalls(otherwise: ()) { calls in calls.isPongUnsent = false }
    }

    /// Whether the peer said Hello, and so sees our extensions.
    package var peerSpeaksExtensions: Bool {
        switch self.state {
        case .active(let calls): calls.peer.speaksExtensions
        case .draining(let calls): calls.peer.speaksExtensions
        case .closed: false
        }
    }

    // MARK: Calls

    /// The call of a `startCall` runs now as a stream of messages, which credit limits.
    package mutating func streamAccepted(_ id: StreamID) {
        updateCalls(otherwise: ()) { calls in calls.limitByCredit(id) }
    }

    /// A stream could send its next message.
    package mutating func messageWanted(on id: StreamID, now: NIODeadline) -> OnMessage {
        switch consume self.state {
        case .active(var calls):
            let action = calls.spendCredit(id, now: now)
            self = Self(.active(calls))
            return action
        case .draining(var calls):
            var action = calls.spendCredit(id, now: now)
            if action == .waitForCredit {
                // It would not end by itself; its caller goes on elsewhere, from its page token or revision.
                calls.stop(id)
                action = .failCall(.draining)
            }
            self = Self(.draining(calls))
            return action
        case .closed:
            self = Self(.closed)
            return .ignore
        }
    }

    /// The call's last frame is written while its handler still runs: its place stays taken until `callEnded`.
    package mutating func callAnswered(_ id: StreamID) {
        updateCalls(otherwise: ()) { calls in calls.stop(id) }
    }

    /// The call's last frame is written, or nothing is owed to it any more, and its handler has stopped.
    package mutating func callEnded(_ id: StreamID, now: NIODeadline) -> OnCallEnded {
        switch consume self.state {
        case .active(var calls):
            calls.end(id, now: now)
            self = Self(.active(calls))
            return .continueConnection
        case .draining(var calls):
            calls.end(id, now: now)
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

    /// As `callEnded`, of a call that ended by a fault of its peer which only decoding could show.
    package mutating func callFaulted(_ id: StreamID, now: NIODeadline) -> OnCallEnded {
        let farewell = updateCalls(otherwise: nil) { calls in calls.callFaulted(now: now) }
        if let farewell { return .endConnection(farewell) }
        return callEnded(id, now: now)
    }

    // MARK: Time

    /// When to call `check`; nil while nothing is awaited. It moves only in a later direction but for `messageWanted`.
    package var nextCheck: NIODeadline? {
        switch self.state {
        case .active(let calls): calls.nextCheck
        case .draining(let calls): calls.nextCheck
        case .closed: nil
        }
    }

    /// Whether something has been waiting for the peer too long.
    package mutating func check(now: NIODeadline) -> OnCheck {
        updateCalls(otherwise: .continueConnection) { calls in calls.check(now: now) }
    }

    // MARK: The end

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
            self = calls.isOver ? Self(.closed) : Self(.active(calls))
            return action
        case .draining(var calls):
            let action = update(&calls)
            self = calls.isOver ? Self(.closed) : Self(.draining(calls))
            return action
        case .closed:
            self = Self(.closed)
            return actionWhenClosed
        }
    }
}
