package import NIOCore
internal import NIOPosix
package import RPCCore

/// The receiver of a `DirectConnection`'s events, on its event loop.
package protocol DirectConnectionOwner: AnyObject {
    func received(_ event: ClientConnectionEvent)

    /// The connection is gone, and with it all open calls.
    ///
    /// - Parameter refusal: The reason that the server gave for not letting this client in; nil if it gave none.
    func closed(refusal: SecurityError?)
}

/// One connection for programs that make very many calls and account for each themselves. Requests are sent as encoded
/// bytes, and answers are passed on as they arrive, without a task, a retry or a deadline.
///
/// It is used on one event loop only.
package final class DirectConnection: ConnectionOwner {
    /// The receiver of events, until the connection has ended.
    private var owner: (any DirectConnectionOwner)?
    private let eventLoop: any EventLoop
    /// The wire, from the connection's beginning to its end.
    private var wire: FramedConnection?
    private var isReading = false
    private var isFlushScheduled = false
    private var refusal: SecurityError?

    private init(owner: any DirectConnectionOwner, eventLoop: any EventLoop) {
        self.owner = owner
        self.eventLoop = eventLoop
    }

    /// Connects. Must be called on `eventLoop`.
    ///
    /// - Parameters:
    ///   - server: The server.
    ///   - security: The protection, if the server asks for one.
    ///   - eventLoop: The event loop of the connection.
    ///   - software: The software name that the server is told.
    ///   - credentials: The token with which calls are made; nil for none.
    ///   - timeout: The time that the server may take to accept.
    ///   - owner: The receiver of events; held until the connection has ended.
    ///   - completion: Called on `eventLoop` with the connection, or with the error.
    package static func open(
        _ server: ServerEndpoint,
        security: ClientSecurity,
        on eventLoop: any EventLoop,
        software: String,
        credentials: ClientCredentials? = nil,
        timeout: Duration,
        owner: any DirectConnectionOwner,
        completion: @escaping (Result<DirectConnection, any Error>) -> Void
    ) {
        let connection = NIOLoopBound(DirectConnection(owner: owner, eventLoop: eventLoop), eventLoop: eventLoop)
        let options = options(software, credentials)
        let bootstrap = ClientBootstrap(group: eventLoop).connectTimeout(TimeAmount(timeout))
        let route = ServerRoute(server)
        let connected = bootstrap.connect(to: route, security: security, timeout: timeout, on: eventLoop) { channel in
            channel.eventLoop.makeCompletedFuture {
                try FramedConnection.open(channel, to: server, options, owner: connection.value)
            }
        }
        connected.assumeIsolated().whenComplete { result in
            completion(result.map { _ in connection.value })
        }
    }

    private static func options(_ software: String, _ credentials: ClientCredentials?) -> RPCClientOptions {
        var options = RPCClientOptions()
        options.software = software
        options.credentials = credentials
        // A load test reads everything at once.
        options.streamWindow = 0
        // It also measures how a server refuses calls over its limit, so no call waits here.
        options.heedsStreamLimit = false
        return options
    }

    // MARK: Calls

    /// Sends a call. All calls that are made in one turn of the event loop leave with one write.
    ///
    /// - Parameter request: The request, as the connection's wire encodes it.
    /// - Returns: The call's stream id, or nil if the connection takes no more calls.
    package func call(_ request: EncodedRequest) -> StreamID? {
        guard let wire, case .send(let id) = wire.open(request) else { return nil }
        scheduleFlush()
        return id
    }

    /// Cancels a call; no more of its events follow.
    package func abandon(_ id: StreamID) {
        wire?.abandon(id)
        scheduleFlush()
    }

    package func close() { wire?.close(because: nil) }

    // MARK: The wire

    package func opened(_ connection: FramedConnection) {
        wire = connection
        connection.flush()
    }

    package func bytesReceived() { isReading = true }

    package func received(_ event: ClientConnectionEvent) { owner?.received(event) }

    package func readEnded() {
        isReading = false
        wire?.flush()
    }

    package func refused(_ error: SecurityError) { refusal = error }

    package func closed(because cause: String) {
        // The completion of `open` tells that there will be no connection.
        guard wire != nil else { return owner = nil }
        wire = nil
        owner?.closed(refusal: refusal)
        owner = nil
    }

    private func scheduleFlush() {
        // The end of a read flushes anyway.
        guard !isReading, !isFlushScheduled else { return }
        isFlushScheduled = true
        eventLoop.assumeIsolated().execute {
            self.isFlushScheduled = false
            self.wire?.flush()
        }
    }
}
