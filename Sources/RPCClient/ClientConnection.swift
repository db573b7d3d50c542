internal import Framing
internal import NIOCore
internal import RPCCore
internal import WireMessages

/// One connection of a client, with its open calls. Its wire carries them.
final class ClientConnection: ConnectionOwner {
    let route: ServerRoute
    /// Whether anything was received from the server.
    private(set) var hasAnswered = false

    private let core: ClientCore
    private var calls: [StreamID: ClientCall] = [:]
    /// The wire, from the connection's beginning to its end.
    private var wire: FramedConnection?
    private var keepalive: Keepalive
    private var keepaliveTimer: Scheduled<Void>?
    /// Whether the server has shown that it speaks the wire, and so knows Ping.
    private var isReady = false
    /// Whether the server has sent something that the wire understood.
    private var hasSpoken = false
    /// The reason that the server gave for not letting this client in.
    private var refusal: SecurityError?

    /// - Parameters:
    ///   - route: The server, and its address.
    ///   - core: The client.
    init(_ route: ServerRoute, core: ClientCore) {
        let options = core.options
        self.route = route
        self.core = core
        self.keepalive = Keepalive(
            interval: max(options.keepaliveInterval, Keepalive.minimumInterval),
            timeout: options.keepaliveTimeout,
            now: core.eventLoop.now
        )
    }

    /// The server as it was named.
    var server: ServerEndpoint { route.server }

    // MARK: Calls

    enum OnSend {
        case sent
        /// The server's limit of open calls is reached.
        case full
        /// The connection takes no more calls.
        case refused
    }

    /// Sends a call, or ends it if its request can be sent on no connection.
    func send(_ call: ClientCall) -> OnSend {
        guard let wire else { return .refused }
        do throws(RPCError) {
            let remaining = call.deadline.map { $0 - core.eventLoop.now }
            switch try wire.open(call.request, remaining: remaining) {
            case .wait: return .full
            case .refuse: return .refused
            case .send(let id):
                call.phase = .open(self, id)
                calls[id] = call
                watchKeepalive()
            }
        } catch {
            call.end(.failure(error))
        }
        return .sent
    }

    func grant(_ credit: UInt32, on id: StreamID) {
        guard calls[id] != nil else { return }
        wire?.grant(credit, on: id)
    }

    func abandon(_ id: StreamID) {
        calls[id] = nil
        wire?.abandon(id)
    }

    /// Ends the calls whose deadline has passed.
    ///
    /// - Returns: The earliest deadline of the remaining calls.
    func endLateCalls(now: NIODeadline) -> NIODeadline? {
        var next: NIODeadline?
        for (id, call) in calls {
            guard let deadline = call.deadline else { continue }
            if deadline > now {
                next = next.map { min($0, deadline) } ?? deadline
            } else {
                abandon(id)
                call.end(.failure(.deadlineExceeded))
            }
        }
        return next
    }

    // MARK: The wire

    func opened(_ connection: FramedConnection) {
        wire = connection
        core.opened(self)
    }

    func bytesReceived() {
        keepalive.bytesReceived(now: core.eventLoop.now)
        guard !hasAnswered else { return }
        hasAnswered = true
        core.answered(self)
    }

    func received(_ event: ClientConnectionEvent) {
        hasSpoken = true
        switch event {
        case .answer(let id, let payload):
            guard let call = calls.removeValue(forKey: id) else { return }
            _ = call.deliver(payload)
            core.succeeded(call)
        case .message(let id, let message, let isLast):
            deliver(message, on: id)
            if isLast { endStream(id) }
        case .end(let id):
            endStream(id)
        case .failure(let id, let error):
            if let call = calls.removeValue(forKey: id) { core.failed(call, error) }
        case .ready:
            isReady = true
            watchKeepalive()
        case .goAway(let message, let dropped):
            core.goAwayReceived(self, message, dropped: dropped.compactMap { calls.removeValue(forKey: $0) })
        }
    }

    private func deliver(_ message: ByteBuffer, on id: StreamID) {
        guard let call = calls[id], !call.deliver(message) else { return }
        core.abandon(call, .readerTooSlow(maximum: core.options.maximumWaitingBytes))
    }

    private func endStream(_ id: StreamID) {
        if let call = calls.removeValue(forKey: id) { core.succeeded(call) }
    }

    func readEnded() { core.settle() }

    /// Notes that the server does not let this client in. A failure on a connection that has worked is no refusal.
    func refused(_ error: SecurityError) {
        guard !hasSpoken else { return }
        refusal = error
        hasAnswered = false
    }

    func closed(because cause: String) {
        // The attempt to connect has failed, and tells the client itself.
        guard wire != nil else { return }
        keepaliveTimer?.cancel()
        keepaliveTimer = nil
        wire = nil
        let open = calls.sorted { $0.key < $1.key }.map(\.value)
        calls = [:]
        core.closed(self, calls: open, cause: cause, refusal: refusal)
    }

    /// Sends everything that was written in one turn of the loop with one write. Closes a connection that is finished.
    func flush() { wire?.flush() }

    func close() { wire?.close(because: nil) }

    /// Succeeds when the connection has ended.
    var closeFuture: EventLoopFuture<Void> { wire?.closeFuture ?? core.eventLoop.makeSucceededVoidFuture() }

    // MARK: Keepalive

    /// Starts the keepalive timer while calls are open. Without an open call it does not matter whether the server is
    /// alive.
    private func watchKeepalive() {
        guard isReady, keepaliveTimer == nil, !calls.isEmpty else { return }
        let deadline = keepalive.nextCheck
        keepaliveTimer = core.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { [self] in
            keepaliveTimer = nil
            guard !calls.isEmpty else { return }
            switch keepalive.check(now: core.eventLoop.now) {
            case .nothing:
                break
            case .sendPing:
                wire?.ping()
                flush()
            case .close(let error):
                wire?.close(because: "\(error)")
                return
            }
            watchKeepalive()
        }
    }
}
