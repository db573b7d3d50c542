internal import Framing
internal import Logging
internal import NIOCore
internal import RPCCore
internal import WireMessages

/// How a connection ends: by its peer, by its peer's fault, or because the server stops.
extension ServerConnection {
    /// The peer sends nothing more. It may have gone, or only closed its side: what it asked for and needs no further
    /// word from it is still answered; a stream that would have to wait is not.
    func inputClosed() {
        now = .now()
        isInputClosed = true
        for (id, call) in calls where call.style == .stream && !isReady(call) { end(id) }
        turnEnded()
    }

    /// After a half-close: all that was asked for is answered.
    func closeIfFinished() {
        if calls.isEmpty, held.isEmpty { closeAfterFlush() }
    }

    /// The server stops: open calls finish, new ones are refused.
    func drain() {
        now = .now()
        switch machine.drain() {
        case .finishCalls(let last, let sendGoAway):
            if sendGoAway { writeGoAway(after: last, reason: "DRAINING") }
            // Watches and streams that wait for credit would not end by themselves.
            for (id, call) in calls where call.isWatch || (call.next != nil && !isReady(call)) {
                interrupt(id, .draining)
            }
            turnEnded()
        case .closeConnection(let last, let sendGoAway):
            if sendGoAway { writeGoAway(after: last, reason: "DRAINING") }
            closeAfterFlush()
        case .ignore:
            break
        }
    }

    /// The peer is at fault for good: it is told, if it knows the frame for that, and nothing it asked for goes on.
    func end(_ farewell: ServerConnectionStateMachine.Farewell) {
        guard !isClosing else { return }
        note(farewell.error)
        if let last = farewell.goAwayAfter { writeGoAway(after: last, reason: farewell.error.reason) }
        stopCalls()
        closeAfterFlush()
    }

    private func writeGoAway(after last: StreamID, reason: String) {
        let message = GoAwayMessage(
            lastStreamID: last.rawValue,
            reason: reason,
            retryAfter: .seconds(1),
            alternatives: []
        )
        outbound.writeToConnection(.goAway, message.encoded())
    }

    func closeAfterFlush() {
        guard !isClosing else { return }
        isClosing = true
        let context = NIOLoopBound(context, eventLoop: context.eventLoop)
        let written = context.value.writeAndFlush(NIOAny(outbound.bytes))
        outbound.clear()
        written.whenComplete { _ in context.value.close(promise: nil) }
        // A peer that does not read even this is not waited for longer than any other.
        watchdog.becameUnwritable(queuedBytes: queuedBytes, now: now)
        armTimer()
    }

    func close(because error: ConnectionError) {
        if !isClosing { note(error) }
        isClosing = true
        context.close(promise: nil)
    }

    /// A fatal read or write error: the peer is gone.
    func close(because error: any Error) {
        isClosing = true
        server.logger.debug("connection lost", metadata: ["error": "\(error)"])
        context.close(promise: nil)
    }

    private func note(_ error: ConnectionError) {
        counters.count(ServerEvent(error))
        server.logger.debug("connection closed", metadata: ["error": "\(error)"])
    }

    /// The channel is closed, whoever closed it: nobody waits for what its calls still do.
    func closed() {
        isClosing = true
        isClosed = true
        _ = machine.connectionClosed()
        stopCalls()
        giveBackShares()
        timer?.cancel()
        timer = nil
    }

    private func stopCalls() {
        for call in calls.values { call.stop() }
        calls.removeAll()
        readyCalls.removeAll()
    }
}
