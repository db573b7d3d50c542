internal import Framing
internal import NIOCore
internal import RPCCore
internal import WireMessages

/// How a client comes to a connection, and what becomes of it.
extension ClientCore {
    /// Sees to it that there will be a connection for the calls that wait, or that they are told that there is none.
    func connect() {
        guard case .none = attempt, !isShutDown, !queue.isEmpty else { return }
        switch book.nextAttempt(now: eventLoop.now) {
        case .connect(let address):
            connect(to: address)
        case .wait(let until):
            let timer = eventLoop.assumeIsolated().scheduleTask(deadline: until) { [self] in
                attempt = .none
                settle()
            }
            attempt = .waiting(until: until, timer)
            let told = queue.remove { !isWorthWaiting($0, until: until) }
            for call in told { call.end(.failure(unreachable(until: until))) }
        }
    }

    /// Somebody has reason to believe that a server is back.
    func connectNow() {
        book.forgetFailures()
        guard case .waiting(_, let timer) = attempt else { return }
        timer.cancel()
        attempt = .none
    }

    private func connect(to address: ServerAddress) {
        attempt = .connecting
        let core = NIOLoopBound(self, eventLoop: eventLoop)
        let channel = connector.connect(address, eventLoop) { channel in
            channel.eventLoop.makeCompletedFuture {
                let handler = ClientConnectionHandler(address: address, core: core.value)
                try channel.pipeline.syncOperations.addHandler(handler)
            }
        }
        // Success is the handler's to report: it is the first to know.
        channel.assumeIsolated().whenFailure { [self] error in
            attempt = .none
            lastFailure = ConnectFailure(error)
            book.failed(address, now: eventLoop.now, random: random())
            nothingAnswered()
            settle()
        }
    }

    /// One more address has failed. If all have, each call that waits has waited in vain once more.
    private func nothingAnswered() {
        guard case .wait = book.nextAttempt(now: eventLoop.now) else { return }
        queue.forEach { $0.vainAttempts += 1 }
    }

    /// While all addresses are left alone for a time, only calls that can and may wait so long do.
    func isWorthWaiting(_ call: ClientCall, until time: NIODeadline) -> Bool {
        guard call.request.waitsForServer else { return false }
        // Who has just had a server will have one again, when it has restarted; who never had one is told soon.
        let isRestarting = lostAt.map { time - $0 <= TimeAmount(retries.maximumDelay) } ?? false
        return retries.waits(
            afterAttempts: isRestarting ? 0 : call.vainAttempts,
            for: time,
            deadline: call.deadline,
            now: eventLoop.now
        )
    }

    func unreachable(until time: NIODeadline) -> RPCError {
        .serverUnreachable(
            addresses,
            cause: lastFailure,
            nextTry: time == .distantFuture ? nil : Duration(time - eventLoop.now)
        )
    }

    // MARK: What a connection reports

    func opened(_ opened: ClientConnectionHandler) {
        attempt = .none
        guard !isShutDown else { return opened.close() }
        connection = opened
        settle()
    }

    /// The server has said something: there is one.
    func answered(_ connection: ClientConnectionHandler) {
        book.succeeded(connection.address)
    }

    /// The connection takes no more calls; the next one opens another.
    func retire(_ retiring: ClientConnectionHandler) {
        guard connection === retiring else { return }
        connection = nil
        retired[ObjectIdentifier(retiring)] = retiring
    }

    /// - Parameters:
    ///   - connection: Where the GoAway came.
    ///   - message: What it said.
    ///   - dropped: Calls that the server will not look at.
    func goAwayReceived(_ connection: ClientConnectionHandler, _ message: GoAwayMessage, dropped: [ClientCall]) {
        retire(connection)
        book.goAwayReceived(
            connection.address,
            retryAfter: message.retryAfter,
            alternatives: message.alternatives,
            now: eventLoop.now
        )
        let error = RPCError.notStarted(connection.address, reason: message.reason)
        for call in dropped { failed(call, error) }
    }

    /// - Parameters:
    ///   - lost: What is gone.
    ///   - calls: Those that were open on it.
    ///   - cause: Why, for people.
    func closed(_ lost: ClientConnectionHandler, calls: [ClientCall], cause: String) {
        retire(lost)
        retired[ObjectIdentifier(lost)] = nil
        if lost.hasAnswered {
            lostAt = eventLoop.now
        } else {
            lastFailure = ConnectFailure(cause: cause)
            book.failed(lost.address, now: eventLoop.now, random: random())
        }
        guard !isShutDown else { return calls.forEach { $0.end(.failure(.clientShutDown)) } }
        guard !calls.isEmpty else { return settle() }
        // One connection that is lost is one failure, however many calls it carried.
        budget.failed()
        let error = RPCError.connectionLost(lost.address, cause: cause)
        for call in calls { retry(call, after: error) }
        settle()
    }

    // MARK: The end

    func shutDown(_ promise: EventLoopPromise<Void>?) {
        isShutDown = true
        if case .waiting(_, let timer) = attempt { timer.cancel() }
        alarm.stop()
        for call in queue.remove(where: { _ in true }) + resting.values { abandon(call, .clientShutDown) }
        let connections = [connection].compactMap(\.self) + retired.values
        let closed = EventLoopFuture.andAllComplete(connections.map(\.closeFuture), on: eventLoop)
        for connection in connections { connection.close() }
        if let promise { closed.cascade(to: promise) }
    }
}
