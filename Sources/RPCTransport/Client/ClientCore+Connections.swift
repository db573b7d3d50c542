internal import Framing
internal import NIOCore
internal import RPCCore
internal import WireMessages

/// The connections of a client, from the attempt to connect to their end.
extension ClientCore {
    /// Starts a connection for the calls that wait, or fails them if there will be none.
    func connect() {
        guard case .none = attempt, !isShutDown, !queue.isEmpty else { return }
        switch book.nextAttempt(now: eventLoop.now) {
        case .connect(let route):
            connect(to: route)
        case .lookUp(let server):
            lookUp(server)
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

    /// Forgets failures and connects at once: the caller has reason to believe that a server is available again.
    func connectNow() {
        book.forgetFailures()
        guard case .waiting(_, let timer) = attempt else { return }
        timer.cancel()
        attempt = .none
    }

    private func lookUp(_ server: ServerEndpoint) {
        attempt = .connecting
        connector.lookUp(server.address, eventLoop).assumeIsolated().whenComplete { [self] result in
            attempt = .none
            switch result {
            case .success(let addresses):
                book.resolved(server, addresses, now: eventLoop.now, random: random)
            case .failure(let error):
                lastFailure = ConnectFailure(error)
                book.lookupFailed(server, now: eventLoop.now, random: random())
                countFailedAttempt()
            }
            settle()
        }
    }

    private func connect(to route: ServerRoute) {
        attempt = .connecting
        let server = route.server
        let options = options
        let connection = ClientConnection(route, core: self)
        let owner = NIOLoopBound(connection, eventLoop: eventLoop)
        let channel = connector.connect(route, eventLoop) { channel in
            channel.eventLoop.makeCompletedFuture {
                try FramedConnection.open(channel, to: server, options, owner: owner.value)
            }
        }
        // Success is reported by the connection, which knows it first.
        channel.assumeIsolated().whenFailure { [self] error in
            attempt = .none
            lastFailure = ConnectFailure(error)
            book.failed(route, now: eventLoop.now, random: random())
            countFailedAttempt()
            settle()
        }
    }

    /// Counts one more failed address. If all have failed, it is one more failed attempt of each waiting call.
    private func countFailedAttempt() {
        guard case .wait = book.nextAttempt(now: eventLoop.now) else { return }
        queue.forEach { $0.failedConnectAttempts += 1 }
    }

    /// Returns whether a call should wait until the next attempt, while no address may be tried.
    func isWorthWaiting(_ call: ClientCall, until time: NIODeadline) -> Bool {
        guard call.request.waitsForServer, lastFailure?.isPermanent != true else { return false }
        // A client that has just lost a server waits for its restart; one that never had one fails soon.
        let isRestarting = lostAt.map { time - $0 <= TimeAmount(retries.maximumDelay) } ?? false
        return retries.waits(
            afterAttempts: isRestarting ? 0 : call.failedConnectAttempts,
            for: time,
            deadline: call.deadline,
            now: eventLoop.now
        )
    }

    func unreachable(until time: NIODeadline) -> RPCError {
        .serverUnreachable(
            servers,
            cause: lastFailure,
            nextTry: time == .distantFuture ? nil : Duration(time - eventLoop.now)
        )
    }

    // MARK: Reports of connections

    func opened(_ opened: ClientConnection) {
        attempt = .none
        guard !isShutDown else { return opened.close() }
        connection = opened
        settle()
    }

    /// Notes that a server has answered on the connection.
    func answered(_ connection: ClientConnection) {
        lastFailure = nil
        book.succeeded(connection.route)
    }

    /// Retires the connection: it takes no more calls, and the next call opens another.
    func retire(_ retiring: ClientConnection) {
        guard connection === retiring else { return }
        connection = nil
        retired[ObjectIdentifier(retiring)] = retiring
    }

    /// Handles a GoAway.
    ///
    /// - Parameters:
    ///   - connection: The connection of the GoAway.
    ///   - message: The GoAway.
    ///   - dropped: The calls that the server will not process.
    func goAwayReceived(_ connection: ClientConnection, _ message: GoAwayMessage, dropped: [ClientCall]) {
        retire(connection)
        book.goAwayReceived(
            connection.route,
            retryAfter: message.retryAfter,
            now: eventLoop.now,
            random: random
        )
        let error = RPCError.notStarted(connection.server, reason: message.reason)
        for call in dropped { failed(call, error) }
    }

    /// Handles the end of a connection.
    ///
    /// - Parameters:
    ///   - lost: The connection.
    ///   - calls: The calls that were open on it.
    ///   - cause: The reason, for people.
    ///   - refusal: The reason that the server gave for not letting this client in; nil if it gave none.
    func closed(_ lost: ClientConnection, calls: [ClientCall], cause: String, refusal: SecurityError?) {
        retire(lost)
        retired[ObjectIdentifier(lost)] = nil
        if lost.hasAnswered {
            lostAt = eventLoop.now
            // A server closes a connection without calls when it likes, and is good all the same.
            if !calls.isEmpty { book.lost(lost.route) }
        } else {
            lastFailure = refusal.map { ConnectFailure($0) } ?? ConnectFailure(cause: cause)
            book.failed(lost.route, now: eventLoop.now, random: random())
        }
        guard !isShutDown else { return calls.forEach { $0.end(.failure(.clientShutDown)) } }
        guard !calls.isEmpty else { return settle() }
        if let lastFailure, lastFailure.isPermanent, !lost.hasAnswered {
            // Another attempt would fail in the same way, and the server has taken none of the calls.
            let error = RPCError.serverUnreachable([lost.server], cause: lastFailure, nextTry: nil)
            for call in calls { call.end(.failure(error)) }
            return settle()
        }
        // A lost connection is one failure, however many calls it carried.
        budget.failed()
        let error = RPCError.connectionLost(lost.server, cause: cause)
        for call in calls { retry(call, after: error) }
        settle()
    }

    // MARK: The end

    func shutDown(_ promise: EventLoopPromise<Void>?) {
        isShutDown = true
        if case .waiting(_, let timer) = attempt { timer.cancel() }
        deadlineTimer.stop()
        for call in queue.remove(where: { _ in true }) + backingOff.values { abandon(call, .clientShutDown) }
        let connections = [connection].compactMap(\.self) + retired.values
        let closed = EventLoopFuture.andAllComplete(connections.map(\.closeFuture), on: eventLoop)
        for connection in connections { connection.close() }
        if let promise { closed.cascade(to: promise) }
    }
}
