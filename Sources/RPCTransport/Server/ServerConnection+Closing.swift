internal import Framing
internal import Logging
internal import NIOCore
internal import RPCCore
internal import WireMessages

/// The state of a connection that is about to close: its timers, and the bytes that it discarded.
struct ClosingState {
    /// Fires when a plain peer may have been silent for long enough.
    var quietCheck: LoopTimer?
    /// The time since which no call was open, at the last check.
    var quietSince: NIODeadline?
    /// The time at which a plain peer without a call is closed, whether it is silent or not.
    var quietLimit = NIODeadline.distantFuture
    /// Fires when the peer's time to close its side is over.
    var linger: LoopTimer?
    /// The bytes that were received and discarded after the last answer.
    var discardedBytes = 0

    /// The maximum of discarded bytes. Above it a closing connection is closed at once.
    static let maximumDiscardedBytes = 1 << 20

    func cancel() {
        quietCheck?.cancel()
        linger?.cancel()
    }
}

/// The end of a connection: by its peer, by its peer's fault, or because the server stops.
extension ServerConnection {
    /// Handles the end of the peer's input. The peer may have closed the connection, or only its side: its requests are
    /// still answered, also a stream whose first message takes work. Any other stream that would have to wait ends with
    /// a status, because closing the connection is the only way in which a plain client can cancel.
    func inputClosed() {
        now = .now()
        isInputClosed = true
        // The last answer is sent, so only the close is left.
        if closingState.linger != nil { return context.close(promise: nil) }
        calls.runner.inputClosed()
        turnEnded()
    }

    /// Closes a half-closed connection once all its requests are answered.
    func closeIfFinished() {
        if calls.runner.isEmpty, held.isEmpty { closeAfterFlush() }
    }

    // MARK: The server stops

    /// Begins to drain: open calls finish, new ones are refused.
    func drainBegins() {
        now = .now()
        switch machine.drain() {
        case .finishCalls(let last, let sendGoAway):
            if sendGoAway { writeGoAway(after: last, reason: ErrorReason.draining.rawValue) }
            calls.runner.drain()
            turnEnded()
            if !sendGoAway { waitForQuiet() }
        case .closeConnection(let last, let sendGoAway):
            if sendGoAway { writeGoAway(after: last, reason: ErrorReason.draining.rawValue) }
            closeAfterFlush()
        case .ignore:
            break
        }
    }

    /// Ends the drain: its time is over. Every open call ends with a status.
    func drainEnds() {
        guard !isClosing else { return }
        now = .now()
        calls.runner.endDrain()
        calls.performActions(on: self)
        _ = machine.connectionClosed()
        closeAfterFlush()
    }

    /// Sends the GoAway to a peer that had not sent Hello when the drain began.
    func helloAnswered() {
        guard let last = machine.lastStreamIDWhileDraining else { return }
        writeGoAway(after: last, reason: ErrorReason.draining.rawValue)
        if machine.isIdle { closeAfterFlush() }
    }

    /// Waits until a plain peer sends no more calls. It knows no GoAway, and a call may be under way. Each call is
    /// answered with DRAINING until none has arrived for a while.
    private func waitForQuiet() {
        guard !isClosing else { return }
        let time = TimeAmount(configuration.drainQuietTime)
        closingState.quietLimit = now + time * 5
        closingState.quietSince = machine.isIdle ? now : nil
        checkQuiet(in: time)
    }

    private func checkQuiet(in time: TimeAmount) {
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        closingState.quietCheck = LoopTimer(at: now + time, on: context.eventLoop, counters: counters) {
            connection.value.checkQuiet()
        }
    }

    private func checkQuiet() {
        guard !isClosing else { return }
        now = .now()
        if machine.isIdle, held.isEmpty {
            let wasQuiet = closingState.quietSince.map { keepalive.lastReceived <= $0 } ?? false
            guard !wasQuiet, now < closingState.quietLimit else {
                _ = machine.connectionClosed()
                return closeAfterFlush()
            }
            closingState.quietSince = now
        } else {
            closingState.quietSince = nil
        }
        checkQuiet(in: TimeAmount(configuration.drainQuietTime))
    }

    // MARK: The end

    /// Ends the connection because of the peer's faults. The peer gets a GoAway if it knows that frame, and its calls
    /// stop.
    func end(because error: ConnectionError) { end(machine.end(because: error)) }

    func end(_ termination: ServerConnectionStateMachine.ConnectionTermination) {
        guard !isClosing else { return }
        note(termination.error)
        if let last = termination.goAwayAfter { writeGoAway(after: last, reason: termination.error.reason) }
        stopCalls()
        closeAfterFlush()
    }

    /// Tells a peer that speaks HTTP the port for that, and closes.
    func answerHTTP() {
        note(.notThisProtocol(.http))
        _ = machine.connectionClosed()
        outbound.writeAnswerToHTTP(port: server.port(of: "http"))
        closeAfterFlush()
    }

    private func writeGoAway(after last: StreamID, reason: String) {
        let message = GoAwayMessage(lastStreamID: last.rawValue, reason: reason, retryAfter: .seconds(1))
        outbound.writeToConnection(.goAway, message.encoded())
    }

    func closeAfterFlush() {
        guard !isClosing else { return }
        isClosing = true
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        delivery.sent(outbound.byteCount)
        let written = context.writeAndFlush(NIOAny(outbound.bytes))
        outbound.clear()
        written.whenComplete { _ in connection.value.lastAnswerWritten() }
        frameDeadline = nil
        delivery.lastBytesSent(now: now)
        armTimer()
    }

    /// Closes this side, and then waits for the peer to close its own. If this side closed while bytes of the peer
    /// arrive, the kernel would answer them with a reset, which can overtake the last answer.
    private func lastAnswerWritten() {
        guard !isClosed, !isInputClosed else { return context.close(promise: nil) }
        delivery.lastBytesWritten()
        context.close(mode: .output, promise: nil)
        guard !isClosed else { return }
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        let end = NIODeadline.now() + TimeAmount(configuration.lingerTimeout)
        closingState.linger = LoopTimer(at: end, on: context.eventLoop, counters: counters) {
            connection.value.context.close(promise: nil)
        }
    }

    func receivedWhileClosing(_ byteCount: Int) {
        closingState.discardedBytes += byteCount
        if closingState.discardedBytes > ClosingState.maximumDiscardedBytes { context.closeAtOnce() }
    }

    func close(because error: ConnectionError) {
        if !isClosing { note(error) }
        isClosing = true
        context.closeAtOnce()
    }

    /// Closes the connection after a fatal read or write error: the peer is gone.
    func close(because error: any Error) {
        isClosing = true
        server.logger.debug("connection lost", metadata: ["error": "\(error)"])
        context.close(promise: nil)
    }

    private func note(_ error: ConnectionError) {
        counters.count(ServerEvent(error))
        server.logger.debug("connection closed", metadata: ["error": "\(error)"])
    }

    /// Notes that the channel is closed, by either side: nobody waits for the running calls.
    func closed() {
        isClosing = true
        isClosed = true
        _ = machine.connectionClosed()
        stopCalls()
        giveBackShares()
        timer?.cancel()
        timer = nil
        closingState.cancel()
    }

    private func stopCalls() {
        calls.connectionClosed(on: self)
    }
}
