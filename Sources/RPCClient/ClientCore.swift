internal import NIOCore
internal import RPCCore
internal import WireMessages

/// The state of a client on its event loop: the waiting calls, the connections, and the retries.
///
/// One connection takes new calls. Others may exist until their calls end.
final class ClientCore {
    let eventLoop: any EventLoop
    private let servers: [ServerEndpoint]
    let options: RPCClientOptions
    private let connector: Connector
    private let retries: RetryPolicy
    /// Returns a random number, evenly distributed in 0..<1.
    private let random: () -> Double

    private var book: AddressBook
    private var budget = RetryBudget()
    /// The calls that wait for a connection or for others to end, oldest first.
    private var queue = CircularBuffer<ClientCall>()
    /// The connection that takes new calls.
    private var connection: ClientConnection?
    /// Connections that take no more calls; each is closed when its last call has ended.
    private var retired: [ObjectIdentifier: ClientConnection] = [:]
    private var backingOff: [ObjectIdentifier: ClientCall] = [:]
    private var attempt = Attempt.none
    /// The time at which the last connection to a server was lost.
    private var lostAt: NIODeadline?
    /// The reason that the last address could not be reached.
    private var lastFailure: ConnectFailure?
    /// The timer for the deadlines of all calls, so that a call costs no timer. It is set for the earliest deadline. When
    /// the call with that deadline ends in time, as nearly all do, the timer fires once without effect.
    private var deadlineTimer: (deadline: NIODeadline, timer: Scheduled<Void>)?
    private var isShutDown = false

    /// The state of the attempt to connect.
    private enum Attempt {
        case none
        case connecting
        case waiting(until: NIODeadline, Scheduled<Void>)
    }

    init(
        servers: [ServerEndpoint],
        options: RPCClientOptions,
        eventLoop: any EventLoop,
        connector: Connector,
        random: @escaping @Sendable () -> Double
    ) {
        self.servers = servers
        self.options = options
        self.eventLoop = eventLoop
        self.connector = connector
        self.retries = options.retries ?? .never
        self.random = random
        self.book = AddressBook(servers, random: random)
    }

    func carryOut(_ commands: [ClientMailbox.Command]) {
        for command in commands {
            switch command {
            case .call(let call):
                start(call)
            case .callOnce(let call, let caller):
                call.attach(caller)
                start(call)
            case .grant(let credit, let call):
                if case .open(let connection, let id) = call.phase { connection.grant(credit, on: id) }
            case .abandon(let call):
                abandon(call, RPCError(.cancelled, reason: .cancelled, "the caller cancelled the call"))
            case .connectNow:
                connectNow()
            case .shutDown(let promise):
                shutDown(promise)
            }
        }
        settle()
    }

    // MARK: Calls

    /// Sends a call, or appends it to the queue.
    private func start(_ call: ClientCall) {
        guard !call.hasEnded else { return }
        guard !isShutDown else {
            return call.end(.failure(RPCError(.cancelled, reason: .clientShutDown, "the client was shut down")))
        }
        if let deadline = call.deadline {
            guard deadline > eventLoop.now else { return call.end(.failure(.deadlineExceeded)) }
            watch(deadline)
        }
        if case .waiting(let until, _) = attempt, !isWorthWaiting(call, until: until) {
            return call.end(.failure(unreachable(until: until)))
        }
        if queue.isEmpty, let connection, send(call, on: connection) { return }
        // A call that is sent again is one of the open calls that were counted before.
        guard call.failures > 0 || queue.count < options.maximumWaitingCalls else {
            return call.end(.failure(.clientQueueFull(maximum: options.maximumWaitingCalls)))
        }
        queue.append(call)
        call.phase = .queued
        if connection == nil { connect() }
    }

    /// Sends a call on a connection.
    ///
    /// - Returns: false if the connection takes no call now.
    private func send(_ call: ClientCall, on connection: ClientConnection) -> Bool {
        switch connection.send(call) {
        case .sent: return true
        case .full: return false
        case .refused:
            retire(connection)
            return false
        }
    }

    /// Abandons a call: its caller cancelled it, or its deadline passed.
    func abandon(_ call: ClientCall, _ error: RPCError) {
        switch call.phase {
        case .new, .ended: break
        case .queued: _ = removeWaiting { $0 === call }
        case .open(let connection, let id): connection.abandon(id)
        case .backingOff(let timer):
            timer.cancel()
            backingOff[ObjectIdentifier(call)] = nil
        }
        call.end(.failure(error))
    }

    /// Sends everything that can be sent, with one write. It must be called at the end of each turn on the loop.
    func settle() {
        while let connection, let call = queue.first, send(call, on: connection) { queue.removeFirst() }
        if connection == nil, !queue.isEmpty { connect() }
        connection?.flush()
        for connection in retired.values { connection.flush() }
    }

    private func removeWaiting(where isOver: (ClientCall) -> Bool) -> [ClientCall] {
        var removed: [ClientCall] = []
        queue.removeAll { call in
            guard isOver(call) else { return false }
            removed.append(call)
            return true
        }
        return removed
    }

    // MARK: Deadlines

    private func watch(_ deadline: NIODeadline) {
        if let deadlineTimer, deadlineTimer.deadline <= deadline { return }
        deadlineTimer?.timer.cancel()
        let timer = eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { [self] in
            deadlineTimer = nil
            endLateCalls()
            settle()
        }
        deadlineTimer = (deadline, timer)
    }

    private func endLateCalls() {
        let now = eventLoop.now
        for call in removeWaiting(where: { $0.deadline.map { $0 <= now } ?? false }) {
            call.end(.failure(.deadlineExceeded))
        }
        var next = queue.lazy.compactMap(\.deadline).min()
        for connection in [connection].compactMap(\.self) + retired.values {
            guard let deadline = connection.endLateCalls(now: now) else { continue }
            next = next.map { min($0, deadline) } ?? deadline
        }
        if let next { watch(next) }
    }

    // MARK: Ends of attempts

    func succeeded(_ call: ClientCall) {
        budget.succeeded()
        call.end(.success(()))
    }

    func failed(_ call: ClientCall, _ error: RPCError) {
        if !error.isTransient {
            budget.succeeded()
        } else if error.mayHaveReachedServer {
            budget.failed()
        }
        if error.isOutcomeUnknown { call.unknownOutcome = error }
        retry(call, after: error)
    }

    /// Schedules a retry of the call, or fails it. A stream of which a message has arrived is not retried: only its
    /// reader knows how to resume it.
    private func retry(_ call: ClientCall, after error: RPCError) {
        guard !call.hasEnded else { return }
        call.failures += 1
        let failure = RetryPolicy.Failure(
            error,
            attempt: call.failures,
            isRepeatable: call.request.isRepeatable,
            deadline: call.deadline
        )
        switch retries.decide(failure, budget: budget, now: eventLoop.now, random: random()) {
        case .retry(let time) where !call.hasMessage: backOff(call, until: time)
        case .retry, .giveUp: call.end(.failure(error))
        }
    }

    private func backOff(_ call: ClientCall, until time: NIODeadline) {
        let timer = eventLoop.assumeIsolated().scheduleTask(deadline: time) { [self] in
            backingOff[ObjectIdentifier(call)] = nil
            start(call)
            settle()
        }
        call.phase = .backingOff(timer)
        backingOff[ObjectIdentifier(call)] = call
    }

    // MARK: Connections

    /// Starts a connection for the calls that wait, or fails them if there will be none.
    private func connect() {
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
            let told = removeWaiting { !isWorthWaiting($0, until: until) }
            for call in told { call.end(.failure(unreachable(until: until))) }
        }
    }

    /// Forgets failures and connects at once: the caller has reason to believe that a server is available again.
    private func connectNow() {
        book.forgetFailures()
        guard case .waiting(_, let timer) = attempt else { return }
        timer.cancel()
        attempt = .none
    }

    /// Looks up a server's addresses. A lookup that takes too long counts as failed, and its addresses are used all the same.
    private func lookUp(_ server: ServerEndpoint) {
        attempt = .connecting
        var isLate = false
        func failed(_ failure: ConnectFailure) {
            attempt = .none
            lastFailure = failure
            book.lookupFailed(server, now: eventLoop.now, random: random())
            countFailedAttempt()
        }
        let timer = eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(options.connectTimeout)) { [self] in
            isLate = true
            failed(ConnectFailure(cause: "the lookup of \(server) took too long"))
            settle()
        }
        connector.lookUp(server.address, eventLoop).assumeIsolated().whenComplete { [self] result in
            timer.cancel()
            switch result {
            case .success(let addresses):
                book.resolved(server, addresses, now: eventLoop.now, random: random)
                if !isLate { attempt = .none }
            case .failure(let error):
                if !isLate { failed(ConnectFailure(error)) }
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
        for call in queue { call.failedConnectAttempts += 1 }
    }

    /// Returns whether a call should wait until the next attempt, while no address may be tried.
    private func isWorthWaiting(_ call: ClientCall, until time: NIODeadline) -> Bool {
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

    private func unreachable(until time: NIODeadline) -> RPCError {
        .serverUnreachable(
            servers,
            cause: lastFailure,
            nextTry: time == .distantFuture ? nil : Duration(time - eventLoop.now)
        )
    }

    // MARK: Reports of connections

    /// Uses a new connection for the calls. Perhaps only the server's kernel has accepted it.
    func connected(_ connected: ClientConnection) {
        attempt = .none
        guard !isShutDown else { return connected.close() }
        connection = connected
        settle()
    }

    /// Notes that a server has answered on the connection.
    func answered(_ connection: ClientConnection) {
        lastFailure = nil
        book.succeeded(connection.route)
    }

    /// Retires the connection: it takes no more calls, and the next call opens another.
    private func retire(_ retiring: ClientConnection) {
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
            // The server has taken none of the calls.
            guard case .wait = book.nextAttempt(now: eventLoop.now) else { return sendElsewhere(calls) }
            // Another attempt would fail in the same way.
            let error = RPCError.serverUnreachable([lost.server], cause: lastFailure, nextTry: nil)
            for call in calls { call.end(.failure(error)) }
            return settle()
        }
        // A lost connection is one failure, however many calls it carried.
        budget.failed()
        let error = RPCError.connectionLost(lost.server, cause: cause, isUnresponsive: lost.isUnresponsive)
        for call in calls {
            call.unknownOutcome = call.unknownOutcome ?? error
            retry(call, after: error)
        }
        settle()
    }

    private func sendElsewhere(_ calls: [ClientCall]) {
        for call in calls.reversed() {
            call.phase = .queued
            queue.prepend(call)
        }
        settle()
    }

    // MARK: The end

    private func shutDown(_ promise: EventLoopPromise<Void>?) {
        isShutDown = true
        if case .waiting(_, let timer) = attempt { timer.cancel() }
        deadlineTimer?.timer.cancel()
        deadlineTimer = nil
        for call in removeWaiting(where: { _ in true }) + backingOff.values { abandon(call, .clientShutDown) }
        let connections = [connection].compactMap(\.self) + retired.values
        let closed = EventLoopFuture.andAllComplete(connections.map(\.closeFuture), on: eventLoop)
        for connection in connections { connection.close() }
        if let promise { closed.cascade(to: promise) }
    }
}
