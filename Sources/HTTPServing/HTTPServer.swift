internal import Glibc
package import Hummingbird
package import Logging
package import NIOCore
package import RPCCore
internal import ServiceLifecycle
internal import Synchronization

/// A server of pages over HTTP/1.1, which runs until it is shut down.
///
/// A failing accept(2) ends Hummingbird's listener, although most such errors concern only one connection that could not be
/// established. Then the address is bound again.
package struct HTTPServer<Responder: HTTPResponder>: Sendable
where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
    private let responder: Responder
    private let host: String
    private let port: Int
    private let limits: HTTPServerLimits
    private let addressAdvice: String
    private let group: (any EventLoopGroup)?
    private let logger: Logger
    private let onListening: @Sendable (ServerAddress) async -> Void

    /// - Parameters:
    ///   - responder: The responder to all requests.
    ///   - host: The name or address to bind.
    ///   - port: The port to bind; 0 for any free port.
    ///   - limits: The limits for clients.
    ///   - addressAdvice: What the operator can do if the address is in use: `choose another --address`.
    ///   - group: The event loops; nil for those of the process.
    ///   - logger: The log for the server's problems.
    ///   - onListening: Called once, with the bound address.
    package init(
        _ responder: Responder,
        host: String,
        port: Int,
        limits: HTTPServerLimits,
        addressAdvice: String,
        group: (any EventLoopGroup)? = nil,
        logger: Logger,
        onListening: @escaping @Sendable (ServerAddress) async -> Void
    ) {
        self.responder = responder
        self.host = host
        self.port = port
        self.limits = limits
        self.addressAdvice = addressAdvice
        self.group = group
        self.logger = logger
        self.onListening = onListening
    }

    /// Serves until a shutdown is requested and the active requests are finished.
    ///
    /// - Throws: `StartupError` if the address cannot be bound.
    package func run() async throws {
        let bound = BoundPort()
        while true {
            do {
                try await serve(bound)
            } catch let error as ServiceGroupError where error.errorCode == .serviceFinishedUnexpectedly {
                // The listener has ended without a shutdown.
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
            responder: responder,
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
            eventLoopGroupProvider: group.map { .shared($0) } ?? .singleton,
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
}

/// The port that a server has bound, once it is known.
private final class BoundPort: Sendable {
    let port = Mutex<Int?>(nil)
}

/// The limits for the clients of a server of pages.
package struct HTTPServerLimits: Sendable, Hashable {
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
