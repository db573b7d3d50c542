internal import Glibc
internal import Hummingbird
package import Logging
internal import NIOCore
package import RPCCore
internal import ServiceLifecycle
internal import Synchronization

/// Serves a gateway over HTTP/1.1 until it is told to shut down.
package struct GatewayServer: ServiceLifecycle.Service {
    private let gateway: Gateway
    private let host: String
    private let port: Int
    private let limits: GatewayLimits
    private let logger: Logger
    private let onListening: @Sendable (ServerAddress) async -> Void

    /// - Parameters:
    ///   - gateway: What answers.
    ///   - host: The name or address to bind.
    ///   - port: 0 for any that is free.
    ///   - limits: What clients may take.
    ///   - logger: One line per answer at debug level, never with a query in it.
    ///   - onListening: Called once, with the address that was bound in the end.
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

    /// The address that is listened at, once it is known.
    private final class Bound: Sendable {
        let port = Mutex<Int?>(nil)
    }

    /// Serves until it is told to shut down, and the requests under way were answered.
    ///
    /// An accept(2) that fails ends Hummingbird's listener, though most such errors are those of one connection that did
    /// not come to be: then the address is bound anew.
    ///
    /// - Throws: `StartupError` if the address cannot be had.
    package func run() async throws {
        let bound = Bound()
        while true {
            do {
                try await serve(bound)
            } catch let error as ServiceGroupError where error.errorCode == .serviceFinishedUnexpectedly {
                // Hummingbird's listener has ended, and nobody told it to.
            }
            guard !Task.isShuttingDownGracefully, !Task.isCancelled else { return }
            logger.warning("accepting connections ended with an error, and begins again")
            // Errors that come one after the other keep no processor busy.
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    private func serve(_ bound: Bound) async throws {
        // Hummingbird tells of the listening itself, in words and at a level of its own.
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
