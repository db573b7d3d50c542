internal import Framing
internal import Logging
internal import NIOCore
internal import NIOHTTP2
internal import RPCCore
internal import RPCTransport

/// The timer of a connection, and its end.
extension HTTP2Connection: TimedWire {
    var nextCheck: NIODeadline? {
        guard !isClosing else { return nil }
        return [
            keepalive.nextCheck, idle?.nextCheck, calls.runner.nextCheck, incomplete.first?.deadline, announcementEnd,
            settingsDeadline,
        ].compactMap(\.self).min()
    }

    func timerFired() {
        now = .now()
        if let deadline = settingsDeadline, deadline <= now {
            return close(because: .frameTimeout(after: server.configuration.limits.frameTimeout))
        }
        if let end = announcementEnd, end <= now { announcementEnded() }
        checkRequests()
        calls.runner.timePassed(now: now)
        checkPeer()
        turnEnded()
    }

    private func checkPeer() {
        switch keepalive.check(now: now) {
        case .nothing: break
        case .sendPing:
            let data = HTTP2PingData(withInteger: now.uptimeNanoseconds)
            write(HTTP2Frame(streamID: .rootStream, payload: .ping(data, ack: false)))
        case .close(let error): return close(because: error)
        }
        guard let timeout = idle?.timeout, idle?.isExpired(now: now, hasCalls: runningCount > 0) == true else { return }
        // A connection that drains for that long has answers that its peer does not take.
        if drain == .none { drainBegins() } else { close(because: .writeTimeout(after: timeout)) }
    }

    // MARK: The server stops

    /// Begins to drain: tells the peer to begin no more calls, and takes those that it begins before it has read that.
    func drainBegins() {
        guard !isClosing, drain == .none else { return }
        now = .now()
        drain = .announced
        announcementEnd = now + Self.announcementTime
        raw.announceDrain()
        calls.runner.drain()
        turnEnded()
    }

    /// The maximum time that the answer to the announcement of a drain is waited for.
    private static let announcementTime = TimeAmount.seconds(1)

    /// Tells the peer which of its calls is the last that is answered. The connection closes when all have ended.
    func announcementEnded() {
        guard drain == .announced else { return }
        drain = .final
        announcementEnd = nil
        write(goAway(.noError))
    }

    /// Ends the drain: its time is over. Every open call ends with a status.
    func drainEnds() {
        guard !isClosing else { return }
        now = .now()
        announcementEnded()
        calls.runner.endDrain()
        turnEnded()
        close()
    }

    func goAway(_ code: HTTP2ErrorCode, _ reason: String? = nil) -> HTTP2Frame {
        let last = HTTP2StreamID(lastStream)
        let reason = reason.map(ByteBuffer.init(string:))
        return HTTP2Frame(
            streamID: .rootStream,
            payload: .goAway(lastStreamID: last, errorCode: code, opaqueData: reason)
        )
    }

    /// Closes a connection that drains once its calls have ended and their answers are sent.
    func closeIfDrained() {
        guard drain == .final, runningCount == 0, unsentByteCount == 0, !isClosing else { return }
        close()
    }

    // MARK: The end

    /// Handles the end of the peer's input. An HTTP/2 peer that closes its side takes no more frames either.
    func inputClosed() { close() }

    /// Handles an error of the HTTP/2 handler. One that concerns a single stream has been answered with a reset.
    func caught(_ error: any Error) {
        if hasFailed || !context.channel.isActive || error is IOError { close(because: error) }
    }

    func close(because error: ConnectionError) {
        counters.count(ServerEvent(error))
        close(because: error as any Error)
    }

    func close(because error: any Error) {
        server.logger.debug("connection closed", metadata: ["error": "\(error)", "wire": "http"])
        close()
    }

    func close() {
        guard !isClosing else { return }
        flush()
        isClosing = true
        context.close(promise: nil)
    }

    /// Notes that the channel is closed, by either side: nobody waits for the running calls.
    func closed() {
        isClosing = true
        calls.connectionClosed(on: self)
        streams = [:]
        shares.giveBack()
        timer?.cancel()
        timer = nil
    }
}
