internal import Glibc
package import Hummingbird
internal import HummingbirdCore
package import Logging
internal import MarvelDomain
package import NIOCore
internal import NIOHTTP1
internal import NIOPosix
package import RPCCore
internal import RPCTransport
internal import ServiceLifecycle

/// A server of pages over HTTP/1.1, which runs until it is shut down.
///
/// The connections are Hummingbird's. The listener is not: Hummingbird's takes no socket of a service manager, and ends when
/// accept(2) fails, although most such errors concern only one connection that could not be established. Here the address
/// is bound again then, until it succeeds. While descriptors are missing, accepting pauses (`AcceptGuard`).
package struct HTTPServer<Responder: HTTPResponder>: Sendable
where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
    private let responder: Responder
    private let endpoint: HTTPEndpoint
    private let limits: HTTPServerLimits
    private let addressAdvice: String
    private let group: any EventLoopGroup
    private let logger: Logger
    private let onListening: @Sendable (ServerAddress) async -> Void

    /// - Parameters:
    ///   - responder: The responder to all requests.
    ///   - endpoint: The address, and the protection of its connections.
    ///   - limits: The limits for clients.
    ///   - addressAdvice: What the operator can do if the address is in use: `choose another --address`.
    ///   - group: The event loops; nil for those of the process.
    ///   - logger: The log for the server's problems.
    ///   - onListening: Called once, with the bound address.
    package init(
        _ responder: Responder,
        at endpoint: HTTPEndpoint,
        limits: HTTPServerLimits,
        addressAdvice: String,
        group: (any EventLoopGroup)? = nil,
        logger: Logger,
        onListening: @escaping @Sendable (ServerAddress) async -> Void
    ) {
        self.responder = responder
        self.endpoint = endpoint
        self.limits = limits
        self.addressAdvice = addressAdvice
        self.group = group ?? MultiThreadedEventLoopGroup.singleton
        self.logger = logger
        self.onListening = onListening
    }

    /// Serves until a shutdown is requested and the active requests are finished.
    ///
    /// - Throws: `StartupError` if the address cannot be bound.
    package func run() async throws {
        let connections = HTTPConnections(group: group, limits: limits)
        try await withGracefulShutdownHandler {
            try await withThrowingDiscardingTaskGroup { tasks in
                try await accept(connections) { connection in
                    tasks.addTask { await channel.handle(value: connection, logger: quiet) }
                }
            }
        } onGracefulShutdown: {
            connections.stop()
        }
    }

    // MARK: Listening

    /// A connection to a client, by its messages.
    private typealias Connection = HTTP1Channel.Value

    /// Accepts connections until a shutdown is requested.
    private func accept(_ connections: HTTPConnections, _ serve: (Connection) -> Void) async throws {
        var bound = endpoint
        var listener = try await listen(at: bound, connections)
        if case .tcp(let host, let port) = bound.address {
            bound.address = .tcp(host: host, port: listener.channel.localAddress?.port ?? port)
        }
        await onListening(bound.address)
        while true {
            connections.listening(listener.channel)
            try? await listener.executeThenClose { accepted in
                for try await connection in accepted { serve(connection) }
            }
            guard !connections.isStopping, !Task.isCancelled else { return }
            logger.warning("accepting connections ended with an error, and begins again")
            guard let next = await listenAgain(at: bound, connections) else { return }
            listener = next
        }
    }

    /// Binds the address again, as often as it takes.
    ///
    /// - Returns: The listener; nil if the server stops meanwhile.
    private func listenAgain(
        at endpoint: HTTPEndpoint,
        _ connections: HTTPConnections
    ) async -> NIOAsyncChannel<Connection, Never>? {
        var pause = Duration.milliseconds(100)
        var hasFailed = false
        while !connections.isStopping {
            guard (try? await Task.sleep(for: pause)) != nil else { return nil }
            do {
                return try await listen(at: endpoint, connections)
            } catch {
                if !hasFailed {
                    logger.warning("the address cannot be bound again yet", metadata: ["error": "\(error)"])
                    hasFailed = true
                }
            }
            pause = min(pause * 2, .seconds(2))
        }
        return nil
    }

    private func listen(
        at endpoint: HTTPEndpoint,
        _ connections: HTTPConnections
    ) async throws -> NIOAsyncChannel<Connection, Never> {
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .serverChannelInitializer { [logger] listener in
                listener.eventLoop.makeCompletedFuture {
                    try listener.pipeline.syncOperations.addHandler(AcceptGuard(logger: logger))
                }
            }
        let open = { @Sendable [self] (connection: any Channel) in
            connection.eventLoop.makeCompletedFuture { () throws -> NIOLoopBound<HTTPRequestTimer> in
                try connections.accepted(connection)
                try endpoint.protection?(connection)
                let timer = HTTPRequestTimer(connections, timeout: TimeAmount(limits.requestTimeout))
                try connection.pipeline.syncOperations.addHandlers([FirstRequestHandler(), timer])
                return NIOLoopBound(timer, eventLoop: connection.eventLoop)
            }
            .flatMap { timer in
                channel.setup(channel: connection, logger: quiet).flatMapThrowing { value throws -> Connection in
                    let pipeline = connection.pipeline.syncOperations
                    let parser = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
                    try pipeline.addHandler(HTTPRequestObserver(timer.value), position: .after(parser))
                    connections.opened(connection)
                    return value
                }
            }
            .flatMapErrorThrowing { error throws -> Connection in
                connection.close(promise: nil)
                throw error
            }
        }
        do {
            if let socket = endpoint.socket {
                let own = try ListeningEndpoint.duplicate(socket)
                return try await bootstrap.bind(own, childChannelInitializer: open)
            }
            switch endpoint.address {
            case .tcp(let host, let port):
                return try await bootstrap.bind(host: host, port: port, childChannelInitializer: open)
            case .unix(let path):
                try await checkNobodyListens(at: path)
                return try await bootstrap.bind(
                    unixDomainSocketPath: path,
                    cleanupExistingSocketFile: true,
                    childChannelInitializer: open
                )
            }
        } catch {
            throw startupError(error) ?? error
        }
    }

    /// Checks that a unix socket belongs to no server that runs. The socket of one that was killed is removed.
    ///
    /// - Throws: `StartupError` if somebody listens.
    private func checkNobodyListens(at path: String) async throws {
        let connecting = ClientBootstrap(group: group).connect(unixDomainSocketPath: path)
        guard let probe = try? await connecting.get() else { return }
        try? await probe.close()
        throw StartupError(.addressInUse, "unix:\(path) is in use by another program: \(addressAdvice)")
    }

    private func startupError(_ error: any Error) -> StartupError? {
        let address = endpoint.address
        switch error {
        case let error as StartupError:
            return error
        case is UnixDomainSocketPathWrongType:
            return StartupError(.addressNotAvailable, "cannot listen at \(address): the file there is not a socket")
        case let error as IOError where error.errnoCode == EADDRINUSE:
            return StartupError(.addressInUse, "\(address) is in use by another program: \(addressAdvice)")
        case let error as IOError:
            let reason = String(cString: strerror(error.errnoCode))
            return StartupError(.addressNotAvailable, "cannot listen at \(address): \(reason)")
        case is SocketAddressError, is SocketAddressError.UnknownHost:
            return StartupError(.addressNotAvailable, "cannot listen at \(address): there is no such address")
        default:
            return nil
        }
    }

    // MARK: Connections

    /// The log of Hummingbird, without its words about what goes well.
    private var quiet: Logger {
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .warning)
        return quiet
    }

    /// The way in which connections speak HTTP.
    private var channel: HTTP1Channel {
        HTTP1Channel(
            responder: respond,
            configuration: .init(
                idleTimeout: TimeAmount(limits.idleTimeout),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: limits.headerByteCount,
                    maxHeaderListSize: limits.headerByteCount,
                    maxHeaderFieldCount: limits.headerFieldCount
                )
            )
        )
    }

    @concurrent @Sendable private func respond(
        to request: Request,
        _ writer: consuming ResponseWriter,
        _ channel: any Channel
    ) async throws {
        let source = ApplicationRequestContextSource(channel: channel, logger: quiet)
        var response: Response
        do {
            response = try await responder.respond(to: request, context: Responder.Context(source: source))
        } catch let error as HTTPParserError {
            throw error
        } catch {
            response = Response(status: .internalServerError)
        }
        response.headers[.date] = HTTPDate.text(Int64(time(nil)))
        try await writer.write(response: response.head, body: response.body)
    }
}
