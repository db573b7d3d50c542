internal import NIOCore
internal import RPCClient
internal import RPCCore

/// A connection of a worker. A lost connection is replaced. Calls have no retry and no deadline.
final class LoadLink: ConnectionOwner {
    enum State {
        case closed
        /// Connected at the level of the kernel, but the server has not proved that it speaks the protocol.
        case greeting
        case open
        case retiring
        /// Too many attempts to connect failed.
        case abandoned
    }

    /// About 5 s.
    static let maximumAttempts = 9
    /// A silent server (plain ttrpc) never sends a Hello.
    private static let greetingTime = TimeAmount.milliseconds(250)

    let server: ServerEndpoint
    private(set) var state = State.closed
    private(set) var failedAttempts = 0
    var calls: [StreamID: LoadCall] = [:]

    private let options: RPCClientOptions
    private let security: ClientSecurity
    private let places: Int
    private let eventLoop: any EventLoop
    private weak var owner: LoadWorker?
    private var wire: FramedConnection?
    private var attempt: ((Result<Void, any Error>) -> Void)?
    private var greeting: Scheduled<Void>?
    private var refusal: SecurityError?
    private var isReading = false
    private var isFlushScheduled = false

    init(
        to servers: [ServerEndpoint],
        security: ClientSecurity,
        options: RPCClientOptions,
        number: Int,
        places: Int,
        on eventLoop: any EventLoop,
        owner: LoadWorker
    ) {
        self.options = options
        self.security = security
        self.server = servers[number % servers.count]
        self.places = places
        self.eventLoop = eventLoop
        self.owner = owner
        calls.reserveCapacity(places)
    }

    var hasRoom: Bool { state == .open && calls.count < places }

    var delay: TimeAmount { .milliseconds(min(50 << Int64(failedAttempts), 1_000)) }

    /// Waits until the server is ready: a connection may still be in a listen queue. `completion` is called once.
    func connect(completion: @escaping (Result<Void, any Error>) -> Void) {
        attempt = completion
        refusal = nil
        let connected = FramedConnection.connect(to: server, security: security, options, on: eventLoop, owner: self)
        connected.assumeIsolated().whenComplete { result in
            switch result {
            case .success:
                self.state = .greeting
                self.greeting = self.eventLoop.assumeIsolated().scheduleTask(in: LoadLink.greetingTime) { self.ready() }
            case .failure(let error):
                self.failed(error)
            }
        }
    }

    private func ready() {
        guard state == .greeting, let attempt else { return }
        state = .open
        failedAttempts = 0
        self.attempt = nil
        attempt(.success(()))
    }

    private func failed(_ error: any Error) {
        failedAttempts += 1
        state = failedAttempts >= LoadLink.maximumAttempts ? .abandoned : .closed
        let attempt = attempt
        self.attempt = nil
        attempt?(.failure(error))
    }

    /// Returns false if the connection accepts no more calls. The calls of one event loop turn leave with one write.
    func send(_ call: LoadCall, _ request: EncodedRequest) -> Bool {
        guard let id = wire?.open(request) else {
            if state == .open { state = .retiring }
            return false
        }
        calls[id] = call
        scheduleFlush()
        return true
    }

    func abandon(_ id: StreamID) {
        calls[id] = nil
        wire?.abandon(id)
        scheduleFlush()
    }

    func close() { wire?.close(because: nil) }

    private func scheduleFlush() {
        // The end of a read flushes anyway.
        guard !isReading, !isFlushScheduled else { return }
        isFlushScheduled = true
        eventLoop.assumeIsolated().execute {
            self.isFlushScheduled = false
            self.wire?.flush()
        }
    }

    func connected(_ connection: FramedConnection) {
        wire = connection
        isReading = false
        connection.flush()
    }

    func bytesReceived() { isReading = true }

    func readEnded() {
        isReading = false
        wire?.flush()
    }

    func refused(_ error: SecurityError) { refusal = error }

    func received(_ event: ClientConnectionEvent) {
        switch event {
        case .ready:
            ready()
        case .goAway:
            if state == .open { state = .retiring }
        case .answer, .message, .end, .failure:
            break
        }
        owner?.received(event, on: self)
    }

    func closed(because cause: String) {
        guard wire != nil else { return }
        wire = nil
        greeting?.cancel()
        guard state != .greeting else { return failed(refusal ?? LoadConnectError.closedAtOnce as any Error) }
        state = .closed
        owner?.closed(self)
    }
}

struct LoadCall {
    let operation: LoadOperation
    /// The start of its latency: the time of sending, or the due time in the open model.
    let origin: Nanoseconds
    /// The time of the active request; in a walk, of the request for the current page.
    var sent: Nanoseconds
    /// The index of the query, for the next page of a walk.
    let query: Int
    let isMeasured: Bool
    var firstPage: Nanoseconds?
    var pages = 0
    var bytes = 0

    mutating func received(_ message: ByteBuffer, at now: Nanoseconds) {
        bytes += message.readableBytes
        guard operation.isSearch else { return }
        pages += 1
        if operation.hasFirstPage, firstPage == nil { firstPage = now - origin }
    }
}
