internal import HTTPFraming
internal import Logging
internal import NIOCore
internal import RPCCore

extension HTTP2Connection {
    var inputDeadline: NIODeadline? { settingsDeadline ?? frameDeadline }

    var nextCheck: NIODeadline? {
        var first = FirstDeadline()
        first.consider(incomplete.nextCheck)
        first.consider(pendingAnswers.nextCheck)
        first.consider(goAways.announcementEnd)
        first.consider(stallCheck.nextCheck)
        return first.time
    }

    func timePassed() {
        if let end = goAways.announcementEnd, end <= now { announcementEnded() }
        checkRequests()
        sendPendingAnswers()
        checkStalledStreams()
    }

    var answersPings: Bool { life.context.channel.isWritable }

    func sendPing() { frames.sendPing(now.uptimeNanoseconds) }

    /// One with a stream is not idle: its peer may still have to take the answer.
    var isInUse: Bool { !streams.isEmpty }

    func idleTimedOut(_ error: ConnectionError) {
        guard !goAways.isDraining else { return }
        life.note(error)
        drainBegins(because: "max_idle")
    }

    // MARK: Drains

    func drainBegins() { drainBegins(because: nil) }

    func maximumAgeReached() { drainBegins(because: "max_age") }

    /// Begins to drain: tells the peer to begin no more calls, and takes those that it begins before it has read that.
    ///
    /// - Parameter reason: The reason that the peer is told (gRFC A9 names those of gRPC).
    func drainBegins(because reason: String?) {
        guard !isClosing else { return }
        life.turnBegins()
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

    func drainEnds() {
        announcementEnded()
        refuseIncomplete()
        sendPendingAnswers(all: true)
        life.closeAfterFlush(of: self)
    }

    /// Tells the peer which of its calls is the last that may have run.
    private func sendGoAway(_ code: HTTP2FaultCode, _ text: String) {
        frames.sendGoAway(lastStream: goAways.lastStream, code, text)
    }

    /// A connection that drains closes once its calls have ended and their answers are sent. A request that is not complete is
    /// awaited: the last GOAWAY has named it, so its client would not send it again.
    var isFinished: Bool {
        goAways.isFinal && calls.runner.runningCount == 0 && incomplete.isEmpty && pendingAnswers.isEmpty
            && frames.unsentByteCount == 0
    }

    // MARK: The end

    /// Handles the end of the peer's input. An HTTP/2 peer that closes its side takes no more frames either.
    func inputClosed() { life.closeNow(self) }

    func end(because error: ConnectionError) { end(because: error, reason: nil) }

    /// Ends the connection of a peer that broke a rule, and tells it which of its calls is the last that may have run.
    func end(because error: ConnectionError, reason: String?) {
        guard !isClosing else { return }
        life.note(error)
        sendPendingAnswers(all: true)
        sendGoAway(.enhanceYourCalm, reason ?? error.reason)
        life.closeAfterFlush(of: self)
    }

    func end(because fault: ConnectionFault) {
        guard !isClosing else { return }
        counters.count(ServerEvent(fault))
        life.server.logger.debug("connection closed", metadata: ["error": "\(fault)"])
        sendPendingAnswers(all: true)
        sendGoAway(fault.code, fault.message)
        life.closeAfterFlush(of: self)
    }

    /// Sends the answers that wait for the ends of their requests.
    func sendLast() {
        guard !isClosing else { return }
        sendPendingAnswers(all: true)
        flush()
    }

    func closed() { streams.removeAll() }
}
