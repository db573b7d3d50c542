internal import Framing
internal import LoadEngine
internal import MarvelClient
internal import NIOCore
internal import RPCTransport

/// Hears from a worker's links, on its event loop.
protocol LoadLinkOwner: AnyObject {
    func received(_ event: DirectConnection.Event, on link: LoadLink)
}

/// A place for one connection, which is filled anew when the connection is lost, and the calls under way there.
final class LoadLink: DirectConnectionOwner {
    enum State {
        /// Not connected: at the beginning, and while an attempt to connect is under way or waited for.
        case closed
        /// Connected, as far as the kernel knows.
        case greeting
        case open
        /// The server takes no more calls here; those under way still end.
        case retiring
        /// The server was not to be had in many attempts.
        case abandoned
    }

    /// Attempts in a row before a link is given up: some 5 s.
    static let maximumAttempts = 9
    /// How long a server may take to say Hello before it is taken for one that does not.
    private static let greetingTime = TimeAmount.milliseconds(250)

    let address: ServerAddress
    private(set) var state = State.closed
    private(set) var failedAttempts = 0
    var calls: [StreamID: LoadCall] = [:]

    private let places: Int
    private weak var owner: (any LoadLinkOwner)?
    private var connection: DirectConnection?
    /// Waits for the attempt that is under way.
    private var attempt: ((Result<Void, any Error>) -> Void)?

    init(to address: ServerAddress, places: Int, owner: any LoadLinkOwner) {
        self.address = address
        self.places = places
        self.owner = owner
        calls.reserveCapacity(places)
    }

    var hasRoom: Bool { state == .open && calls.count < places }

    /// How long to wait before the next attempt: longer each time, up to a second.
    var delay: TimeAmount { .milliseconds(min(50 << Int64(failedAttempts), 1_000)) }

    /// Connects, and waits until the server has said Hello: a connection that still lies in a listen queue is none.
    ///
    /// - Parameters:
    ///   - eventLoop: Where the connection is to live.
    ///   - timeout: How long the server may take to accept.
    ///   - completion: Called once, with what was in the way if it failed.
    func connect(
        on eventLoop: any EventLoop,
        timeout: Duration,
        completion: @escaping (Result<Void, any Error>) -> Void
    ) {
        attempt = completion
        let software = "marvel-load"
        DirectConnection.open(address, on: eventLoop, software: software, timeout: timeout, owner: self) { result in
            switch result {
            case .success(let connection):
                self.connection = connection
                self.state = .greeting
                // A plain ttrpc server says nothing.
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

    /// - Returns: false if the connection takes no more calls.
    func send(_ call: LoadCall, _ envelope: ByteBuffer) -> Bool {
        guard let id = connection?.call(call.kind, envelope) else {
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

    func received(_ event: DirectConnection.Event) {
        switch event {
        case .greeted:
            opened()
        case .retired:
            if state == .open { state = .retiring }
        case .closed where state == .greeting:
            connection = nil
            return failed(LoadError.closedAtOnce)
        case .closed:
            state = .closed
            connection = nil
        case .answer, .message, .end, .failure:
            break
        }
        owner?.received(event, on: self)
    }
}
