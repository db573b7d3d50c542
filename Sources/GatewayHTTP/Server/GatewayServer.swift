package import HTTPServing
package import Logging
package import RPCCore
internal import ServiceLifecycle

/// A server of a gateway over HTTP/1.1, which runs until it is shut down.
package struct GatewayServer: Service {
    private let server: HTTPServer<GatewayResponder>

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
        limits: HTTPServerLimits = HTTPServerLimits(),
        logger: Logger,
        onListening: @escaping @Sendable (ServerAddress) async -> Void = { _ in }
    ) {
        server = HTTPServer(
            GatewayResponder(gateway: gateway, logger: logger),
            at: HTTPEndpoint(.tcp(host: host, port: port)),
            limits: limits,
            addressAdvice: "choose another --address",
            logger: logger,
            onListening: onListening
        )
    }

    /// Serves until a shutdown is requested and the active requests are finished.
    ///
    /// - Throws: `StartupError` if the address cannot be bound.
    package func run() async throws { try await server.run() }
}
