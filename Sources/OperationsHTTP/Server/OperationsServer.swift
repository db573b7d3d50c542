internal import Glibc
internal import Hummingbird
package import Logging
internal import NIOCore
internal import NIOPosix
package import RPCCore
internal import ServiceLifecycle
internal import Synchronization

/// The server of the operations port, over HTTP/1.1. It runs until it is shut down.
///
/// It has an event loop of its own: it still answers when those of the calls do not.
package struct OperationsServer: ServiceLifecycle.Service {
    /// It lasts as long as the process: connections may still use it when the server has ended.
    private static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private static let maximumConnections = 64
    private static let idleTimeout = TimeAmount.seconds(30)
    private static let headerByteCount = 8 * 1024
    private static let headerFieldCount = 100

    private let pages: OperationsPages
    private let host: String
    private let port: Int
    private let logger: Logger
    private let onListening: @Sendable (ServerAddress) async -> Void

    /// - Parameters:
    ///   - pages: The pages.
    ///   - host: The name or address to bind.
    ///   - port: The port to bind; 0 for any free port.
    ///   - logger: The log for the server's problems.
    ///   - onListening: Called once, with the bound address.
    package init(
        _ pages: OperationsPages,
        host: String,
        port: Int,
        logger: Logger,
        onListening: @escaping @Sendable (ServerAddress) async -> Void = { _ in }
    ) {
        self.pages = pages
        self.host = host
        self.port = port
        self.logger = logger
        self.onListening = onListening
    }

    /// The port that is bound, once it is known.
    private final class BoundPort: Sendable {
        let port = Mutex<Int?>(nil)
    }

    /// Serves until a shutdown is requested.
    ///
    /// A failing accept(2) ends Hummingbird's listener, although most such errors concern only one connection that could not
    /// be established. Then the address is bound again.
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
            logger.warning("accepting connections of the operations port ended with an error, and begins again")
            // The delay prevents a busy loop if the error repeats.
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    private func serve(_ bound: BoundPort) async throws {
        // Hummingbird logs its listening itself, with other words and at another level.
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .warning)
        let application = Application(
            responder: OperationsResponder(pages: pages),
            server: .http1(
                configuration: .init(
                    idleTimeout: Self.idleTimeout,
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: Self.headerByteCount,
                        maxHeaderListSize: Self.headerByteCount,
                        maxHeaderFieldCount: Self.headerFieldCount
                    )
                )
            ),
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: bound.port.withLock(\.self) ?? port),
                availableConnectionsDelegate: .maximum(Self.maximumConnections, logger: quiet)
            ),
            onServerRunning: { [port, host, onListening] channel in
                let boundPort = channel.localAddress?.port ?? port
                let isFirst = bound.port.withLock { known in
                    defer { known = boundPort }
                    return known == nil
                }
                if isFirst { await onListening(.tcp(host: host, port: boundPort)) }
            },
            eventLoopGroupProvider: .shared(Self.group),
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
            let message = "\(address) is in use: choose another address with --operations-address, or off"
            return StartupError(.addressInUse, message)
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
