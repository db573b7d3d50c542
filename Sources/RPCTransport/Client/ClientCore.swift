internal import Framing
internal import NIOCore
internal import RPCCore

/// The state of a client on its event loop: the waiting calls, the connections, and the retries.
///
/// One connection takes new calls. Others may exist until their calls end.
final class ClientCore {
    let eventLoop: any EventLoop
    let servers: [ServerEndpoint]
    let options: RPCClientOptions
    let connector: Connector
    let retries: RetryPolicy
    /// Returns a random number, evenly distributed in 0..<1.
    let random: () -> Double

    var book: AddressBook
    var budget = RetryBudget()
    var queue: CallQueue<ClientCall>
    /// The connection that takes new calls.
    var connection: ClientConnection?
    /// Connections that take no more calls; each is closed when its last call has ended.
    var retired: [ObjectIdentifier: ClientConnection] = [:]
    var backingOff: [ObjectIdentifier: ClientCall] = [:]
    var attempt = Attempt.none
    /// The time at which the last connection to a server was lost.
    var lostAt: NIODeadline?
    /// The reason that the last address could not be reached.
    var lastFailure: ConnectFailure?
    var deadlineTimer = DeadlineTimer()
    var isShutDown = false

    /// The state of the attempt to connect.
    enum Attempt {
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
        self.book = AddressBook(servers, backoff: options.reconnecting, random: random)
        self.queue = CallQueue(maximumCount: options.maximumWaitingCalls)
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
    func start(_ call: ClientCall) {
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
        guard queue.append(call, deadline: call.deadline) else {
            return call.end(.failure(.clientQueueFull(maximum: queue.maximumCount)))
        }
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
        case .queued: queue.remove(call)
        case .open(let connection, let id): connection.abandon(id)
        case .backingOff(let timer):
            timer.cancel()
            backingOff[ObjectIdentifier(call)] = nil
        }
        call.end(.failure(error))
    }

    /// Sends everything that can be sent, with one write. It must be called at the end of each turn on the loop.
    func settle() {
        while let connection, let call = queue.first, send(call, on: connection) { _ = queue.removeFirst() }
        if connection == nil, !queue.isEmpty { connect() }
        connection?.flush()
        for connection in retired.values { connection.flush() }
    }

    // MARK: Deadlines

    private func watch(_ deadline: NIODeadline) {
        guard deadlineTimer.isEarlier(deadline) else { return }
        let timer = eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { [self] in
            deadlineTimer.fired()
            endLateCalls()
            settle()
        }
        deadlineTimer.set(deadline, timer)
    }

    private func endLateCalls() {
        let now = eventLoop.now
        for call in queue.removeExpired(now: now) { call.end(.failure(.deadlineExceeded)) }
        var next = queue.nextDeadline
        for connection in [connection].compactMap(\.self) + retired.values {
            guard let deadline = connection.endLateCalls(now: now) else { continue }
            next = next.map { min($0, deadline) } ?? deadline
        }
        if let next { watch(next) }
    }
}
