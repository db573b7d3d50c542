internal import Glibc
internal import Hummingbird
package import Logging
internal import NIOCore
package import RPCCore
internal import ServiceLifecycle
internal import Synchronization

/// A server of a gateway over HTTP/1.1, which runs until it is shut down.
package struct GatewayServer: ServiceLifecycle.Service {
    private let gateway: Gateway
    private let host: String
    private let port: Int
    private let limits: GatewayLimits
    private let logger: Logger
    private let onListening: @Sendable (ServerAddress) async -> Void

    /// - Parameters:
    ///   - gateway: The gateway that replies.
    ///   - host: The name or address to bind.
    ///   - port: The port to bind; 0 for any free port.
    ///   - limits: The limits for clients.
    ///   - logger: The log: one line per reply at debug level, always without the query.
    ///   - onListening: Called once, with the bound address.
    package init(
        gateway: Gateway,
        host: String,
        port: Int,
        limits: GatewayLimits = GatewayLimits(),
        logger: Logger,
        onListening: @escaping @Sendable (ServerAddress) async -> Void = { _ in }
    ) {
        self.gateway = gateway
        self.host = host
        self.port = port
        self.limits = limits
        self.logger = logger
        self.onListening = onListening
    }

    /// The port that is bound, once it is known.
    private final class BoundPort: Sendable {
        let port = Mutex<Int?>(nil)
    }

    /// Serves until a shutdown is requested and the active requests are finished.
    ///
    /// A failing accept(2) ends Hummingbird's listener, although most such errors concern only one connection that
    /// could not be established. Then the address is bound again.
    ///
    /// - Throws: `StartupError` if the address cannot be bound.
    package func run() async throws {
        let bound = BoundPort()
        while true {
            do {
                try await serve(bound)
            } catch let error as ServiceGroupError where error.errorCode == .serviceFinishedUnexpectedly {
                // Hummingbird's listener has ended without a shutdown.
            }
            guard !Task.isShuttingDownGracefully, !Task.isCancelled else { return }
            logger.warning("accepting connections ended with an error, and begins again")
            // The delay prevents a busy loop if the error repeats.
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    private func serve(_ bound: BoundPort) async throws {
        // Hummingbird logs its listening itself, with other words and at another level.
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .warning)
        let application = Application(
            responder: GatewayResponder(gateway: gateway, logger: logger),
            server: .http1(
                configuration: .init(
                    idleTimeout: TimeAmount(limits.idleTimeout),
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: limits.headerByteCount,
                        maxHeaderListSize: limits.headerByteCount,
                        maxHeaderFieldCount: limits.headerFieldCount
                    )
                )
            ),
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: bound.port.withLock(\.self) ?? port),
                availableConnectionsDelegate: .maximum(limits.connections, logger: quiet)
            ),
            onServerRunning: { [host, port, onListening] channel in
                let boundPort = channel.localAddress?.port ?? port
                let isFirst = bound.port.withLock { known in
                    defer { known = boundPort }
                    return known == nil
                }
                if isFirst { await onListening(.tcp(host: host, port: boundPort)) }
            },
            logger: quiet
        )
        do {
            try await application.run()
        } catch {
            throw startupError(error) ?? error
        }
    }

    private func startupError(_ error: any Error) -> StartupError? {
        let address = ServerAddress.tcp(host: host, port: port)
        switch error {
        case let error as IOError where error.errnoCode == EADDRINUSE:
            return StartupError(.addressInUse, "\(address) is in use by another program: choose another --address")
        case let error as IOError:
            let reason = String(cString: strerror(error.errnoCode))
            return StartupError(.addressNotAvailable, "cannot listen on \(address): \(reason)")
        case is SocketAddressError, is SocketAddressError.UnknownHost:
            return StartupError(.addressNotAvailable, "cannot listen on \(address): there is no such address")
        default:
            return nil
        }
    }
}

/// The limits for the clients of a gateway.
package struct GatewayLimits: Sendable, Hashable {
    /// The maximum number of open connections; further ones wait to be accepted.
    package var connections: Int
    /// The time after which a connection is closed if it has no request, or its request makes no progress.
    package var idleTimeout: Duration
    /// The maximum size of a request's header fields together, in bytes.
    package var headerByteCount: Int
    package var headerFieldCount: Int

    package init(
        connections: Int = 1024,
        idleTimeout: Duration = .seconds(75),
        headerByteCount: Int = 16 * 1024,
        headerFieldCount: Int = 100
    ) {
        self.connections = connections
        self.idleTimeout = idleTimeout
        self.headerByteCount = headerByteCount
        self.headerFieldCount = headerFieldCount
    }
}
