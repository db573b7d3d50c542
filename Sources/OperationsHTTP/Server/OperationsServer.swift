package import HTTPServing
package import Logging
internal import NIOPosix
package import RPCCore
internal import ServiceLifecycle

/// The server of the operations port, over HTTP/1.1. It runs until it is shut down.
///
/// It has an event loop of its own: it still answers when those of the calls do not.
package struct OperationsServer: Service {
    /// It lasts as long as the process: connections may still use it when the server has ended.
    private static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    /// Its connections have half of the descriptors that are reserved beside those of calls (`DescriptorLimit`).
    private static let limits = HTTPServerLimits(
        connections: 64,
        connectionsPerAddress: 16,
        idleTimeout: .seconds(30),
        headerByteCount: 8 * 1024
    )

    private let server: HTTPServer<OperationsResponder>

    /// - Parameters:
    ///   - pages: The pages.
    ///   - endpoint: The address, and the protection of its connections.
    ///   - access: The check of who may see the pages that are no probes.
    ///   - logger: The log for the server's problems.
    ///   - onListening: Called once, with the bound address.
    package init(
        _ pages: OperationsPages,
        at endpoint: HTTPEndpoint,
        access: @escaping OperatorCheck,
        logger: Logger,
        onListening: @escaping @Sendable (ServerAddress) async -> Void = { _ in }
    ) {
        server = HTTPServer(
            OperationsResponder(pages: pages, access: access),
            at: endpoint,
            limits: Self.limits,
            addressAdvice: "choose another with --operations, or off",
            group: Self.group,
            logger: logger,
            onListening: onListening
        )
    }

    /// Serves until a shutdown is requested.
    ///
    /// - Throws: `StartupError` if the address cannot be bound.
    package func run() async throws { try await server.run() }
}
