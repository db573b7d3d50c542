internal import HTTPServing
package import Logging
internal import NIOPosix
package import RPCCore
internal import ServiceLifecycle

/// The server of the operations port, over HTTP/1.1. It runs until it is shut down.
///
/// It has an event loop of its own: it still answers when those of the calls do not.
package struct OperationsServer: ServiceLifecycle.Service {
    /// It lasts as long as the process: connections may still use it when the server has ended.
    private static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private static let limits = HTTPServerLimits(
        connections: 64,
        idleTimeout: .seconds(30),
        headerByteCount: 8 * 1024
    )

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

    /// Serves until a shutdown is requested.
    ///
    /// - Throws: `StartupError` if the address cannot be bound.
    package func run() async throws {
        try await HTTPServer(
            OperationsResponder(pages: pages),
            host: host,
            port: port,
            limits: Self.limits,
            addressAdvice: "choose another with --operations-address, or off",
            group: Self.group,
            logger: logger,
            onListening: onListening
        )
        .run()
    }
}
