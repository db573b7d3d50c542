package import NIOCore
package import RPCCore

/// The server's side of one connection: the open calls, and the meaning of each frame.
///
///     active ──drain──▶ draining ──last call ended──▶ closed
///        └──────connection closed, or peer at fault──────▲
///
/// A plain peer knows no GoAway, so requests may arrive at any time. After the last call its connection stays draining
/// and refuses new ones. Its owner closes it when it has received nothing for long enough (`isIdle`).
///
/// The machine only decides: it decodes no message, writes nothing and reads no clock. It returns a frame's meaning as
/// `OnFrame`. The owner carries out that action and reports the result (`callEnded`, `callFaulted`). Times of events do
/// not go back; one reading of the clock may serve for all frames of one read.
package struct ServerConnectionStateMachine: ~Copyable {
    private enum Phase {
        case active
        case draining
        /// Terminal: every event is answered by an action that does nothing.
        case closed
    }

    private var phase = Phase.active
    /// Beside the phase and not in its cases: moving them out of a case and back took 80 ns of each call, the events
    /// themselves 20. Empty in phase `closed`.
    private var calls: ServerCalls

    /// - Parameters:
    ///   - limits: The limits for the peer.
    ///   - now: The time at which the connection began.
    package init(limits: PeerLimits, now: NIODeadline) {
        calls = ServerCalls(limits: limits, now: now)
    }

    // MARK: Frames

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

    /// A frame with more data than this side takes (ttrpc's PROTOCOL.md, "Data Length").
    package mutating func oversizedFrameReceived(_ header: FrameHeader, maximum: Int, now: NIODeadline) -> OnFrame {
        let refusal = Refusal.frameTooLarge(byteCount: Int(header.length), maximum: maximum)
        return updateCalls(otherwise: .ignore) { calls in calls.oversizedFrameReceived(header, refusal, now: now) }
    }

    /// For the Cancel of a request that waited in `HeldRequests` and so was not given to `frameReceived`.
    package mutating func requestWithdrawn(now: NIODeadline) -> OnFrame {
        updateCalls(otherwise: .ignore) { calls in calls.requestWithdrawn(now: now) }
    }

    /// Call it with the Hello that `readHello` requested.
    ///
    /// - Parameter initialCredit: The messages that each stream may carry before the first Credit; 0 means no limit.
    /// - Returns: Whether to send a Hello.
    package mutating func helloReceived(initialCredit: UInt32) -> OnHello {
        updateCalls(otherwise: .ignore) { calls in
            calls.peer = .extended(initialCredit: initialCredit)
            return .sendHello
        }
    }

    /// The next Ping is answered again.
    package mutating func pongSent() {
        updateCalls(otherwise: ()) { calls in calls.isPongUnsent = false }
    }

    package var peerSpeaksExtensions: Bool {
        switch phase {
        case .active, .draining: calls.peer.speaksExtensions
        case .closed: false
        }
    }

    // MARK: Calls

    /// The messages that a stream may send before the first Credit.
    package var initialCredit: CallCredit {
        switch calls.peer {
        case .extended(let credit) where credit > 0: .messages(credit)
        case .unknown, .plain, .extended: .unlimited
        }
    }

    /// Allows the peer a frame of Credit for the written message.
    package mutating func messageSent() {
        updateCalls(otherwise: ()) { calls in calls.behavior.messageSent() }
    }

    /// The first message of a stream was written. It counts as sent from the next `flushed` on: the work for a stream
    /// that is cancelled earlier was wasted.
    package mutating func messageWritten(on id: StreamID) {
        updateCalls(otherwise: ()) { calls in calls.messageWritten(id) }
    }

    package mutating func flushed() { calls.flushed() }

    /// The call's last frame is written while its handler still runs: it counts as open until `callEnded`.
    package mutating func callAnswered(_ id: StreamID) {
        updateCalls(otherwise: ()) { calls in calls.stop(id) }
    }

    /// The call's last frame is written, or no longer needed, and its handler has stopped.
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

    /// Like `callEnded`, but for a fault of the peer which only decoding could show.
    package mutating func callFaulted(_ id: StreamID, now: NIODeadline) -> OnCallEnded {
        let termination = updateCalls(otherwise: nil) { calls in calls.callFaulted(now: now) }
        if let termination { return .endConnection(termination) }
        return callEnded(id, now: now)
    }

    // MARK: Time

    package var nextCheck: NIODeadline? {
        switch phase {
        case .active, .draining: calls.nextCheck
        case .closed: nil
        }
    }

    package mutating func check(now: NIODeadline) -> OnCheck {
        updateCalls(otherwise: .continueConnection) { calls in calls.check(now: now) }
    }

    // MARK: The end

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

    /// Whether no call is open and no handler is running.
    package var isIdle: Bool { calls.isEmpty }

    /// - Returns: The calls that were open: stop them, because their answers are no longer needed.
    package mutating func connectionClosed() -> [StreamID] {
        let open = calls.openIDs
        close()
        return open
    }

    /// The peer is over a limit that is not one of frames.
    package mutating func end(because error: ConnectionError) -> ConnectionTermination { calls.terminate(error) }

    private mutating func close() {
        phase = .closed
        calls.forgetAll()
    }

    /// For an event that means the same whether the connection drains or not.
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
