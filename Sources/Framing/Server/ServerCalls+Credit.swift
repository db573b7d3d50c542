internal import NIOCore
internal import RPCCore

/// Credit for streams, and the time of a connection without calls.
extension ServerCalls {
    mutating func creditReceived(_ frame: Frame, now: NIODeadline) -> OnFrame {
        let id = frame.header.streamID
        // Credit for an unknown or ended call is ignored: it can cross the end of the stream.
        guard let grant = frame.credit, grant > 0, let index = index(of: id), !open[index].isStopping else {
            return lateFrameReceived(now: now)
        }
        return afterRateCheck(behavior.attendantFrameReceived(now: now), .grantCredit(id, grant))
    }

    var nextCheck: NIODeadline? { idleTimer?.nextCheck }

    mutating func check(now: NIODeadline) -> ServerConnectionStateMachine.OnCheck {
        guard idleTimer?.isExpired(now: now, hasCalls: !open.isEmpty) == true, let idleTimer else {
            return .continueConnection
        }
        return .endConnection(terminate(.idleTimeout(after: idleTimer.timeout)))
    }
}
