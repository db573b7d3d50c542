internal import HTTPFraming
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import RPCCore
internal import RPCTransport

/// The timer of a connection, and its end.
extension HTTP1Connection: TimedWire {
    var nextCheck: NIODeadline? {
        guard !isClosing else { return nil }
        let isIncomplete = exchange.map { !$0.isInputEnded && !$0.isAnswered } ?? false
        return [
            lingerDeadline, headDeadline, isIncomplete ? exchange?.deadline : nil, idle?.nextCheck,
            calls.runner.nextCheck, delivery.nextCheck, age?.nextCheck,
        ].compactMap(\.self).min()
    }

    func timerFired() {
        now = .now()
        let limits = server.configuration.limits
        if let lingerDeadline, lingerDeadline <= now { return close() }
        if let headDeadline, headDeadline <= now {
            return isDraining && !hasHeadBegun ? close() : close(because: .frameTimeout(after: limits.frameTimeout))
        }
        if let error = delivery.check(now: now) { return close(because: error) }
        if let exchange, !exchange.isInputEnded, !exchange.isAnswered, exchange.deadline <= now {
            requestTimedOut(exchange)
        }
        switch age?.check(now: now) {
        case .drain: drainBegins()
        case .endDrain: return drainEnds()
        case nil: break
        }
        calls.runner.timePassed(now: now)
        if let idle, self.idle?.isExpired(now: now, hasCalls: exchange != nil) == true {
            return close(because: .idleTimeout(after: idle.timeout))
        }
        turnEnded()
    }

    private func requestTimedOut(_ exchange: HTTP1Exchange) {
        counters.count(.frameTimeout)
        exchange.request = .taken
        if let refusal = exchange.refusal {
            writeEnd(refusal, on: exchange)
        } else if let answer = exchange.answer {
            let error = RPCError.requestIncomplete(after: server.configuration.limits.frameTimeout)
            writeStatus(counted(error, exchange, answer), on: exchange)
        }
        // Without an answer, the deadline would pass again and again.
        if exchange.isAnswered { settle() } else { close() }
    }

    // MARK: The end

    /// Begins to drain: the request that is being answered, or whose headers have begun to arrive, is the last.
    func drainBegins() {
        guard !isClosing, !isDraining else { return }
        now = .now()
        isDraining = true
        calls.runner.drain()
        if hasHeadBegun {
            // It has its time.
        } else if !hasHadRequest {
            // The client opened the connection for a request, which may be under way: it is answered.
            headDeadline = now + TimeAmount(server.configuration.drainQuietTime)
        } else if exchange == nil, !hasPending {
            closeAfterAnswer()
        }
        turnEnded()
    }

    /// Ends the drain: its time is over.
    func drainEnds() {
        guard !isClosing else { return }
        now = .now()
        calls.runner.endDrain()
        turnEnded()
        close()
    }

    /// Handles the end of the peer's input: the peer is gone. Closing its side is the only way in which it can cancel a
    /// call. An answer that was written is still sent, in case it reads on, and so are those of requests that wait for room.
    func inputClosed() {
        guard !isClosing else { return }
        now = .now()
        isInputClosed = true
        guard exchange != nil || !hasPending else { return }
        guard exchange?.isRunning != true, unsentAnswerCount > 0 else { return close() }
        exchange = nil
        lingerDeadline = lingerDeadline ?? .distantFuture
    }

    /// Handles an error of the parser, after which it reads nothing more; or of the socket.
    func caught(_ error: any Error) {
        guard !isClosing else { return }
        if error is UnknownMethod {
            receivedMalformed(.methodNotImplemented)
            return turnEnded()
        }
        guard let error = error as? HTTPParserError else { return close(because: error) }
        switch error {
        case .headerOverflow: receivedMalformed(.headersTooLarge)
        case .invalidVersion: receivedMalformed(.versionNotSupported)
        default: receivedMalformed(.badRequest)
        }
        turnEnded()
    }

    /// Closes this side, and the connection when the peer has closed its own: closed at once with bytes unread, it would
    /// take back the answer.
    func closeAfterAnswer() {
        guard lingerDeadline == nil else { return }
        discardPending()
        flush()
        guard !isClosing else { return }
        lingerDeadline = .distantFuture
        if unsentAnswerCount == 0 { closeOutput() }
    }

    /// Notes that the peer was sent a whole answer.
    func answerSent() {
        unsentAnswerCount -= 1
        if unsentAnswerCount == 0, lingerDeadline != nil { closeOutput() }
    }

    private func closeOutput() {
        guard !isClosing, !isInputClosed else { return close() }
        context.close(mode: .output, promise: nil)
        // Only now: a slow reader may take long for the answer, and the write timeout ends the wait for one that stops.
        lingerDeadline = .now() + TimeAmount(server.configuration.lingerTimeout)
        armTimer()
    }

    /// Ends the connection: the answer that is being written is the last.
    func end(because error: ConnectionError) {
        guard !isClosing, lingerDeadline == nil else { return }
        counters.count(ServerEvent(error))
        // The answer that waits for the end of its request is the last.
        if let exchange, !exchange.isAnswered { exchange.keepsAlive = false } else { closeAfterAnswer() }
    }

    func close(because error: ConnectionError) {
        counters.count(ServerEvent(error))
        close(because: error as any Error)
        context.closeAtOnce()
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

    /// Notes that the channel is closed, by either side: nobody waits for the running call.
    func closed() {
        isClosing = true
        calls.connectionClosed(on: self)
        exchange = nil
        shares.giveBack()
        timer?.cancel()
        timer = nil
        onTurn = nil
    }
}
