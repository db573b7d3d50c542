internal import HTTPFraming
internal import Logging
internal import NIOCore
internal import RPCCore
internal import RPCTransport

/// The timer of a connection, and its end.
extension HTTP2Connection: TimedWire {
    var nextCheck: NIODeadline? {
        guard !isClosing else { return nil }
        // Without a list of them, which would be made with each turn.
        var first: NIODeadline?
        func consider(_ time: NIODeadline?) {
            if let time, first.map({ time < $0 }) ?? true { first = time }
        }
        if isKeptAlive { consider(keepalive.nextCheck) }
        consider(delivery.nextCheck)
        consider(idle?.nextCheck)
        consider(calls.runner.nextCheck)
        consider(incomplete.nextCheck)
        consider(pendingAnswers.nextCheck)
        consider(goAways.announcementEnd)
        consider(settingsDeadline)
        consider(frameDeadline)
        consider(stallCheck.nextCheck)
        consider(age?.nextCheck)
        return first
    }

    func timerFired() {
        now = .now()
        if let deadline = settingsDeadline ?? frameDeadline, deadline <= now {
            return close(because: .frameTimeout(after: server.configuration.limits.frameTimeout))
        }
        if let error = checkDelivery() { return close(because: error) }
        if let end = goAways.announcementEnd, end <= now { announcementEnded() }
        switch age?.check(now: now) {
        case .drain: drainBegins(because: "max_age")
        case .endDrain: return drainEnds()
        case nil: break
        }
        checkRequests()
        sendPendingAnswers()
        checkStalledStreams()
        calls.runner.timePassed(now: now)
        checkPeer()
        turnEnded()
    }

    /// Whether the peer may be sent a ping. One that does not read would get it too late, and has the write timeout.
    private var isKeptAlive: Bool { context.channel.isWritable && !delivery.isStalled }

    private func checkPeer() {
        switch isKeptAlive ? keepalive.check(now: now) : .nothing {
        case .nothing: break
        case .sendPing: frames.sendPing(now.uptimeNanoseconds)
        case .close(let error): return close(because: error)
        }
        // One with a stream is not idle: its peer may still have to take the answer.
        guard let timeout = idle?.timeout, idle?.isExpired(now: now, hasCalls: !streams.isEmpty) == true,
            !goAways.isDraining
        else { return }
        let error = ConnectionError.idleTimeout(after: timeout)
        counters.count(ServerEvent(error))
        note(error)
        drainBegins(because: "max_idle")
    }

    // MARK: Drains

    func drainBegins() { drainBegins(because: nil) }

    /// Begins to drain: tells the peer to begin no more calls, and takes those that it begins before it has read that.
    ///
    /// - Parameter reason: The reason that the peer is told (gRFC A9 names those of gRPC).
    func drainBegins(because reason: String?) {
        guard !isClosing else { return }
        now = .now()
        guard goAways.drainBegan(because: reason, now: now) else { return }
        frames.sendGoAway(lastStream: .highest, .noError, reason ?? "")
        frames.sendPing(Self.drainPing)
        calls.runner.drain()
        turnEnded()
    }

    /// Tells the peer which of its calls is the last that is answered. The connection closes when all have ended.
    func announcementEnded() {
        if goAways.announcementEnded() { sendGoAway(.noError, goAways.reason ?? "") }
    }

    /// Ends the drain: its time is over. Every open call ends with a status.
    func drainEnds() {
        guard !isClosing else { return }
        now = .now()
        announcementEnded()
        calls.runner.endDrain()
        turnEnded()
        refuseIncomplete()
        sendPendingAnswers(all: true)
        closeAfterFlush()
    }

    /// Tells the peer which of its calls is the last that may have run.
    private func sendGoAway(_ code: HTTP2FaultCode, _ text: String) {
        frames.sendGoAway(lastStream: goAways.lastStream, code, text)
    }

    /// Closes a connection that drains once its calls have ended and their answers are sent. A request that is not complete
    /// is awaited: the last GOAWAY has named it, so its client would not send it again.
    func closeIfDrained() {
        guard goAways.isFinal, runningCount == 0, incomplete.isEmpty, pendingAnswers.isEmpty,
            frames.unsentByteCount == 0
        else { return }
        closeAfterFlush()
    }

    // MARK: The end

    /// Handles the end of the peer's input. An HTTP/2 peer that closes its side takes no more frames either.
    func inputClosed() { if isClosing { context.close(promise: nil) } else { close() } }

    func end(because error: ConnectionError) { end(because: error, reason: nil) }

    /// Ends the connection of a peer that broke a rule, and tells it which of its calls is the last that may have run.
    func end(because error: ConnectionError, reason: String?) {
        guard !isClosing else { return }
        counters.count(ServerEvent(error))
        note(error)
        sendPendingAnswers(all: true)
        sendGoAway(.enhanceYourCalm, reason ?? error.reason)
        closeAfterFlush()
    }

    /// Ends the connection of a peer that broke the protocol.
    func end(because fault: ConnectionFault) {
        guard !isClosing else { return }
        counters.count(ServerEvent(fault))
        note(fault)
        sendPendingAnswers(all: true)
        sendGoAway(fault.code, fault.message)
        closeAfterFlush()
    }

    func close(because error: ConnectionError) {
        counters.count(ServerEvent(error))
        close(because: error as any Error)
        context.closeAtOnce()
    }

    func close(because error: any Error) {
        note(error)
        close()
    }

    private func note(_ error: any Error) {
        server.logger.debug("connection closed", metadata: ["error": "\(error)", "wire": "http"])
    }

    func close() {
        guard !isClosing else { return }
        sendPendingAnswers(all: true)
        flush()
        isClosing = true
        context.close(promise: nil)
    }

    /// Closes the connection when all that was written is sent.
    func closeAfterFlush() {
        guard !isClosing else { return }
        flush()
        // The flush may have found that the peer is gone.
        guard !isClosed else { return }
        isClosing = true
        calls.connectionClosed(on: self)
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        close(after: server.configuration.limits.writeTimeout)
        // It is complete when all that was written before is sent.
        context.writeAndFlush(NIOAny(ByteBuffer())).whenComplete { _ in connection.value.lastFrameWritten() }
    }

    /// Closes this side, and then waits for the peer to close its own. If this side closed while bytes of the peer
    /// arrive, the kernel would answer them with a reset, which can overtake the last answer.
    private func lastFrameWritten() {
        guard !isClosed else { return }
        context.close(mode: .output, promise: nil)
        if !isClosed { close(after: server.configuration.lingerTimeout) }
    }

    private func close(after timeout: Duration) {
        timer?.cancel()
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        timer = LoopTimer(at: .now() + TimeAmount(timeout), on: context.eventLoop, counters: counters) {
            connection.value.context.close(promise: nil)
        }
    }

    func receivedWhileClosing(_ byteCount: Int) {
        discardedByteCount += byteCount
        if discardedByteCount > Self.maximumDiscardedBytes { context.closeAtOnce() }
    }

    /// The bytes that a peer may still send after the connection was closed on this side.
    private static let maximumDiscardedBytes = 1024 * 1024

    /// Notes that the channel is closed, by either side: nobody waits for the running calls.
    func closed() {
        isClosing = true
        isClosed = true
        calls.connectionClosed(on: self)
        streams.removeAll()
        shares.giveBack()
        timer?.cancel()
        timer = nil
    }
}
