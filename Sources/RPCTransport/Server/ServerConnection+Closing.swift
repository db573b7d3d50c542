internal import Framing
internal import Logging
internal import NIOCore
internal import RPCCore
internal import WireMessages

/// The timers of a connection that comes to its end.
struct ConnectionEnding {
    /// Fires when a plain peer may have been silent for long enough.
    var quietCheck: LoopTimer?
    /// Since when no call was open, as of the last check.
    var quietSince: NIODeadline?
    /// When a plain peer without a call is closed, whether it is silent or not.
    var quietLimit = NIODeadline.distantFuture
    /// Fires when a peer has had its time to close its side.
    var linger: LoopTimer?
    /// Bytes that were received and thrown away after the last answer.
    var discardedBytes = 0

    /// More of them, and a connection that is over is closed at once.
    static let maximumDiscardedBytes = 1 << 20

    func cancel() {
        quietCheck?.cancel()
        linger?.cancel()
    }
}

/// The ways a connection ends: by its peer, by its peer's fault, or because the server stops.
extension ServerConnection {
    /// The peer sends nothing more. It may have gone, or only closed its side: what it asked for is still answered, also a
    /// stream whose first message takes work. Any other stream that would have to wait ends with a status: to close the
    /// connection is the only way in which a plain client can cancel.
    func inputClosed() {
        now = .now()
        isInputClosed = true
        // After the last answer: nothing is left to be done but this.
        if ending.linger != nil { return context.close(promise: nil) }
        for (id, call) in calls where call.style == .stream && !isReady(call) {
            if call.task == nil || call.hasWrittenMessage { interrupt(id, .inputClosed) }
        }
        turnEnded()
    }

    /// After a half-close: all that was asked for is answered.
    func closeIfFinished() {
        if calls.isEmpty, held.isEmpty { closeAfterFlush() }
    }

    // MARK: The server stops

    /// Open calls finish, new ones are refused.
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
            if !sendGoAway { waitForQuiet() }
        case .closeConnection(let last, let sendGoAway):
            if sendGoAway { writeGoAway(after: last, reason: "DRAINING") }
            closeAfterFlush()
        case .ignore:
            break
        }
    }

    /// The time to finish is over: no call ends without a status.
    func endDrain() {
        guard !isClosing else { return }
        now = .now()
        for id in calls.keys { interrupt(id, .draining) }
        _ = machine.connectionClosed()
        closeAfterFlush()
    }

    /// A peer that is asked to go had not said Hello then.
    func helloAnswered() {
        guard let last = machine.lastStreamIDWhileDraining else { return }
        writeGoAway(after: last, reason: "DRAINING")
        if machine.isIdle { closeAfterFlush() }
    }

    /// A plain peer cannot be told that its calls are no longer taken, and one may be on its way. Each is answered with
    /// DRAINING until none has come for a while.
    private func waitForQuiet() {
        guard !isClosing else { return }
        let time = TimeAmount(configuration.drainQuietTime)
        ending.quietLimit = now + time * 5
        ending.quietSince = machine.isIdle ? now : nil
        checkQuiet(in: time)
    }

    private func checkQuiet(in time: TimeAmount) {
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        ending.quietCheck = LoopTimer(at: now + time, on: context.eventLoop, counters: counters) {
            connection.value.checkQuiet()
        }
    }

    private func checkQuiet() {
        guard !isClosing else { return }
        now = .now()
        if machine.isIdle, held.isEmpty {
            let wasQuiet = ending.quietSince.map { keepalive.lastReceived <= $0 } ?? false
            guard !wasQuiet, now < ending.quietLimit else {
                _ = machine.connectionClosed()
                return closeAfterFlush()
            }
            ending.quietSince = now
        } else {
            ending.quietSince = nil
        }
        checkQuiet(in: TimeAmount(configuration.drainQuietTime))
    }

    // MARK: The end

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
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        flushedBytes += outbound.byteCount
        let written = context.writeAndFlush(NIOAny(outbound.bytes))
        outbound.clear()
        written.whenComplete { _ in connection.value.lastAnswerWritten() }
        // A peer that does not read even this is not waited for longer than any other.
        watchdog.becameUnwritable(acknowledgedBytes: acknowledgedBytes, now: now)
        armTimer()
    }

    /// Closes this side, and then waits for the peer to close its own: whoever closes while bytes of the peer are on
    /// their way answers them with a reset, which can overtake the last answer.
    private func lastAnswerWritten() {
        guard !isClosed, !isInputClosed else { return context.close(promise: nil) }
        watchdog.becameWritable()
        context.close(mode: .output, promise: nil)
        guard !isClosed else { return }
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        let end = NIODeadline.now() + TimeAmount(configuration.lingerTimeout)
        ending.linger = LoopTimer(at: end, on: context.eventLoop, counters: counters) {
            connection.value.context.close(promise: nil)
        }
    }

    func receivedWhileClosing(_ byteCount: Int) {
        ending.discardedBytes += byteCount
        if ending.discardedBytes > ConnectionEnding.maximumDiscardedBytes { context.close(promise: nil) }
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
        ending.cancel()
    }

    private func stopCalls() {
        for call in calls.values { call.stop() }
        calls.removeAll()
        readyCalls.removeAll()
    }
}
