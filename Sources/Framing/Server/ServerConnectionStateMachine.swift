package import NIOCore

/// The server's side of one connection: which calls are open, and what each frame means now.
///
///     active ──drain──▶ draining ──last call ended──▶ closed
///        └──────connection closed, or peer at fault──────▲
///
/// A plain peer knows no GoAway, so requests may come at any time: its connection goes on draining after the last call,
/// and refuses them, until whoever carries out the actions has heard nothing for long enough (`isIdle`).
///
/// It decides; it decodes no message, writes nothing and reads no clock. A frame's meaning comes back as `OnFrame`,
/// and whoever carries that out reports what became of it (`streamAccepted`, `callEnded`, `callFaulted`). Times that
/// events carry do not go back; one reading of the clock may serve for everything that one read brought in.
package struct ServerConnectionStateMachine: ~Copyable {
    private enum Phase {
        /// Accepting calls. Moves to `draining` when asked to stop, to `closed` with the connection.
        case active
        /// Finishing open calls, refusing new ones. Moves to `closed` after the last.
        case draining
        /// Terminal: every event is answered by an action that does nothing.
        case closed
    }

    private var phase = Phase.active
    /// Beside the phase and not in its cases: to move the calls out of a case and back in with every event took 80 ns of
    /// each call, measured, where the events themselves take 20. None are left once the phase is `closed`.
    private var calls: ServerCalls

    /// - Parameters:
    ///   - limits: What the peer may take.
    ///   - now: When the connection began.
    package init(limits: PeerLimits, now: NIODeadline) {
        calls = ServerCalls(limits: limits, now: now)
    }

    // MARK: Frames

    /// A whole frame arrived.
    package mutating func frameReceived(_ frame: Frame, now: NIODeadline) -> OnFrame {
        let refusal: Refusal?
        switch phase {
        case .active: refusal = nil
        case .draining: refusal = .draining
        case .closed: return .ignore
        }
        let action = calls.frameReceived(frame, refusingNew: refusal, now: now)
        if calls.isOver { close() }
        return action
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
        switch phase {
        case .active, .draining: calls.peer.speaksExtensions
        case .closed: false
        }
    }

    // MARK: Calls

    /// The call of a `startCall` runs now as a stream of messages, which credit limits.
    package mutating func streamAccepted(_ id: StreamID) {
        updateCalls(otherwise: ()) { calls in calls.limitByCredit(id) }
    }

    /// Whether `messageWanted` would let the stream send.
    package func hasCredit(on id: StreamID) -> Bool {
        switch phase {
        case .active, .draining: calls.hasCredit(id)
        case .closed: false
        }
    }

    /// A stream could send its next message.
    package mutating func messageWanted(on id: StreamID, now: NIODeadline) -> OnMessage {
        switch phase {
        case .active:
            return calls.spendCredit(id, now: now)
        case .draining:
            let action = calls.spendCredit(id, now: now)
            guard action == .waitForCredit else { return action }
            // It would not end by itself; its caller goes on elsewhere, from its page token or revision.
            calls.stop(id)
            return .failCall(.draining)
        case .closed:
            return .ignore
        }
    }

    /// The first message of a stream was written. It counts as sent from the next `flushed` on: a stream that is cancelled
    /// before was work that nobody wanted.
    package mutating func messageWritten(on id: StreamID) {
        updateCalls(otherwise: ()) { calls in calls.messageWritten(id) }
    }

    /// Notes that all written bytes were handed to the socket.
    package mutating func flushed() { calls.flushed() }

    /// The call's last frame is written while its handler still runs: its place stays taken until `callEnded`.
    package mutating func callAnswered(_ id: StreamID) {
        updateCalls(otherwise: ()) { calls in calls.stop(id) }
    }

    /// The call's last frame is written, or nothing is owed to it any more, and its handler has stopped.
    package mutating func callEnded(_ id: StreamID, now: NIODeadline) -> OnCallEnded {
        switch phase {
        case .active:
            calls.end(id, now: now)
            return .continueConnection
        case .draining:
            calls.end(id, now: now)
            guard calls.isEmpty, calls.peer.speaksExtensions else { return .continueConnection }
            close()
            return .closeConnection
        case .closed:
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

    /// When to call `check`; nil while nothing is awaited. Only `messageWanted` can bring it forward.
    package var nextCheck: NIODeadline? {
        switch phase {
        case .active, .draining: calls.nextCheck
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
        switch phase {
        case .active:
            let last = calls.lastStreamID
            let sendGoAway = calls.peer.speaksExtensions
            guard !calls.isEmpty || !sendGoAway else {
                close()
                return .closeConnection(lastStreamID: last, sendGoAway: sendGoAway)
            }
            phase = .draining
            return .finishCalls(lastStreamID: last, sendGoAway: sendGoAway)
        case .draining, .closed:
            return .ignore
        }
    }

    /// The stream id for a GoAway; nil unless the server is stopping.
    package var lastStreamIDWhileDraining: StreamID? {
        switch phase {
        case .draining: calls.lastStreamID
        case .active, .closed: nil
        }
    }

    /// Whether no call is open, nor any handler running.
    package var isIdle: Bool { calls.isEmpty }

    /// The connection is gone.
    ///
    /// - Returns: The calls that were open: stop them, nobody waits for their answers.
    package mutating func connectionClosed() -> [StreamID] {
        let open = calls.openIDs
        close()
        return open
    }

    private mutating func close() {
        phase = .closed
        calls.forgetAll()
    }

    /// Carries out an event that means the same whether the connection drains or not.
    private mutating func updateCalls<Action>(
        otherwise actionWhenClosed: Action,
        _ update: (inout ServerCalls) -> Action
    ) -> Action {
        switch phase {
        case .active, .draining:
            let action = update(&calls)
            if calls.isOver { close() }
            return action
        case .closed:
            return actionWhenClosed
        }
    }
}
