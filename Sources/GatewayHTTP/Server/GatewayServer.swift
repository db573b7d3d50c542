package import Logging
package import RPCCore
package import RPCServer

/// The server of a gateway over HTTP/1.1.
package enum GatewayServer {
    /// The limits for clients.
    package static var configuration: ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.maximumConnections = 1024
        configuration.maximumConnectionsPerAddress = 256
        configuration.makesRoom = true
        configuration.limits.frameTimeout = .seconds(5)
        configuration.limits.writeTimeout = .seconds(75)
        configuration.limits.idleTimeout = .seconds(75)
        // Longer than a client needs to read a page. With the time to close, it is what supervisors allow.
        configuration.drainTimeout = .seconds(8)
        return configuration
    }

    /// Binds the address and begins to serve.
    ///
    /// - Parameters:
    ///   - gateway: The gateway that replies.
    ///   - address: The address; port 0 for any free port.
    ///   - configuration: The limits for clients.
    ///   - logger: The log: one line per reply at debug level, always without the query.
    /// - Returns: The running server.
    /// - Throws: `StartupError` if the address cannot be bound.
    package static func start(
        _ gateway: Gateway,
        at address: ServerAddress,
        configuration: ServerConfiguration = configuration,
        logger: Logger
    ) async throws(StartupError) -> RPCServer {
        let wire = ServerWire.pages("gateway") { request in await gateway.answer(request, logger: logger) }
        return try await RPCServer.start(
            on: [ListeningEndpoint(address, wire: wire)],
            services: [],
            configuration: configuration,
            // The quotas are those of calls.
            caller: { _ in nil },
            logger: logger
        )
    }
}
