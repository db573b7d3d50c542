internal import Framing
internal import NIOCore
internal import RPCCore
internal import WireMessages

/// One connection of a client, with its open calls. Its wire carries them.
final class ClientConnection: ConnectionOwner {
    let route: ServerRoute

    private let core: ClientCore
    private var calls: [StreamID: ClientCall] = [:]
    /// The wire, from the connection's beginning to its end.
    private var wire: FramedConnection?
    private var keepalive: Keepalive
    private var keepaliveTimer: Scheduled<Void>?
    private var progress = Progress.silent
    /// The reason that the server gave for not letting this client in.
    private var refusal: SecurityError?
    /// Whether the server did not answer a Ping in time.
    private(set) var isUnresponsive = false

    /// The steps by which a server shows that it is alive and speaks the wire.
    private enum Progress: Comparable {
        /// Nothing: perhaps only the server's kernel has accepted the connection.
        case silent
        /// Bytes that may belong to another protocol.
        case answered
        /// A frame. A plain ttrpc server comes no further.
        case spoken
        /// A Hello, so it knows Ping.
        case greeted
    }

    /// - Parameters:
    ///   - route: The server, and its address.
    ///   - core: The client.
    init(_ route: ServerRoute, core: ClientCore) {
        let options = core.options
        self.route = route
        self.core = core
        self.keepalive = Keepalive(
            interval: options.keepaliveInterval,
            timeout: options.keepaliveTimeout,
            now: core.eventLoop.now
        )
    }

    /// The server as it was named.
    var server: ServerEndpoint { route.server }

    /// Whether anything was received from the server.
    var hasAnswered: Bool { progress > .silent }

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
            case .wait where mayStayFull:
                wire.takeNoMoreCalls()
                return .refused
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

    /// Whether most of the open calls are streams that may never end, such as watches. Further calls would wait for the places of
    /// the others, or for ever.
    private var mayStayFull: Bool {
        let endless = calls.values.count { $0.deadline == nil && $0.request.kind == .serverStreaming }
        return 2 * endless > calls.count
    }

    func grant(_ credit: UInt32, on id: StreamID) {
        guard calls[id] != nil else { return }
        wire?.grant(credit, on: id)
    }

    func abandon(_ id: StreamID) {
        calls[id] = nil
        wire?.abandon(id)
    }

    /// Ends the calls whose deadline has passed. If the server was silent from the beginning, closes the connection, so
    /// that another server is tried.
    ///
    /// - Returns: The earliest deadline of the remaining calls.
    func endLateCalls(now: NIODeadline) -> NIODeadline? {
        var next: NIODeadline?
        let isDead = progress == .silent && now - keepalive.lastReceived >= TimeAmount(core.options.connectTimeout)
        var isLate = false
        for (id, call) in calls {
            guard let deadline = call.deadline else { continue }
            if deadline > now {
                next = next.map { min($0, deadline) } ?? deadline
            } else {
                abandon(id)
                call.end(.failure(.deadlineExceeded))
                isLate = true
            }
        }
        if isLate, isDead { closeSilent() }
        return next
    }

    // MARK: The wire

    func connected(_ connection: FramedConnection) {
        wire = connection
        core.connected(self)
    }

    func bytesReceived() {
        keepalive.bytesReceived(now: core.eventLoop.now)
        guard progress == .silent else { return }
        progress = .answered
        core.answered(self)
    }

    func received(_ event: ClientConnectionEvent) {
        progress = max(progress, .spoken)
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
            progress = .greeted
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
        guard progress < .spoken else { return }
        refusal = error
        progress = .silent
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

    /// Whether the server is checked. Without an open call it does not matter whether it is alive, and a plain ttrpc server
    /// that has answered knows no Ping.
    private var isWatched: Bool { !calls.isEmpty && (progress == .silent || progress == .greeted) }

    private func watchKeepalive() {
        guard isWatched, keepaliveTimer == nil else { return }
        let deadline = keepalive.nextCheck
        keepaliveTimer = core.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { [self] in
            keepaliveTimer = nil
            guard isWatched else { return }
            switch keepalive.check(now: core.eventLoop.now) {
            case .nothing:
                break
            case .sendPing where progress == .silent:
                return closeSilent()
            case .sendPing:
                wire?.ping()
                flush()
            case .close(let error):
                isUnresponsive = true
                wire?.close(because: "\(error)")
                return
            }
            watchKeepalive()
        }
    }

    private func closeSilent() { wire?.close(because: "the server accepted the connection and sent nothing") }
}
