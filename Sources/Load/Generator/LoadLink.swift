internal import NIOCore
internal import RPCClient
internal import RPCCore

protocol LoadLinkOwner: AnyObject {
    func received(_ event: ClientConnectionEvent, on link: LoadLink)
    func closed(_ link: LoadLink)
}

/// A connection of a worker, with its active calls. A lost connection is replaced.
final class LoadLink: DirectConnectionOwner {
    enum State {
        case closed
        /// Connected at the level of the kernel, but the server has not proved that it speaks the protocol.
        case greeting
        case open
        /// The server accepts no more calls on this connection; active calls may still end.
        case retiring
        /// Too many attempts to connect failed.
        case abandoned
    }

    static let software = "marvel-load"
    /// The number of failed attempts in a row after which a link is abandoned: about 5 s.
    static let maximumAttempts = 9
    /// The time to wait for a server's Hello. A server that stays silent never sends one.
    private static let greetingTime = TimeAmount.milliseconds(250)

    let server: ServerEndpoint
    private(set) var state = State.closed
    private(set) var failedAttempts = 0
    var calls: [StreamID: LoadCall] = [:]

    private let credentials: ClientCredentials?
    private let security: ClientSecurity
    private let places: Int
    private weak var owner: (any LoadLinkOwner)?
    private var connection: DirectConnection?
    private var attempt: ((Result<Void, any Error>) -> Void)?

    init(
        to servers: [ServerEndpoint],
        security: ClientSecurity,
        credentials: ClientCredentials?,
        number: Int,
        places: Int,
        owner: any LoadLinkOwner
    ) {
        self.credentials = credentials
        self.security = security
        self.server = servers[number % servers.count]
        self.places = places
        self.owner = owner
        calls.reserveCapacity(places)
    }

    var hasRoom: Bool { state == .open && calls.count < places }

    /// Grows with each failure, up to a second.
    var delay: TimeAmount { .milliseconds(min(50 << Int64(failedAttempts), 1_000)) }

    /// Connects, and waits until the server is ready, because a connection may still be in a listen queue. `completion`
    /// is called once.
    func connect(
        on eventLoop: any EventLoop,
        timeout: Duration,
        completion: @escaping (Result<Void, any Error>) -> Void
    ) {
        attempt = completion
        DirectConnection.open(
            server,
            security: security,
            on: eventLoop,
            software: LoadLink.software,
            credentials: credentials,
            timeout: timeout,
            owner: self
        ) { result in
            switch result {
            case .success(let connection):
                self.connection = connection
                self.state = .greeting
                // A plain ttrpc server sends no Hello.
                eventLoop.assumeIsolated().scheduleTask(in: LoadLink.greetingTime) {
                    if self.connection === connection { self.opened() }
                }
            case .failure(let error):
                self.failed(error)
            }
        }
    }

    private func opened() {
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

    /// Sends a call. Returns false if the connection accepts no more calls.
    func send(_ call: LoadCall, _ request: EncodedRequest) -> Bool {
        guard let id = connection?.call(request) else {
            if state == .open { state = .retiring }
            return false
        }
        calls[id] = call
        return true
    }

    func abandon(_ id: StreamID) {
        calls[id] = nil
        connection?.abandon(id)
    }

    func close() {
        connection?.close()
    }

    func received(_ event: ClientConnectionEvent) {
        switch event {
        case .ready:
            opened()
        case .goAway:
            if state == .open { state = .retiring }
        case .answer, .message, .end, .failure:
            break
        }
        owner?.received(event, on: self)
    }

    func closed(refusal: SecurityError?) {
        connection = nil
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
    /// False if the call began during the warm-up.
    let isMeasured: Bool
    var firstPage: Nanoseconds?
    var pages = 0
    var bytes = 0

    mutating func pageReceived(at now: Nanoseconds) {
        pages += 1
        if operation.hasFirstPage, firstPage == nil { firstPage = now - origin }
    }

    mutating func messageReceived(_ message: ByteBuffer) {
        bytes += message.readableBytes
    }
}
