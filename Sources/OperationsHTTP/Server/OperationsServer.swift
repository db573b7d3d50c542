package import Logging
internal import NIOPosix
package import RPCCore
package import RPCServer

/// It has an event loop of its own: it still answers when those of the calls do not.
package enum OperationsServer {
    /// Connections may still use it when the server has ended.
    private static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    private static var configuration: ServerConfiguration {
        var configuration = ServerConfiguration()
        // Half of the descriptors that are reserved beside those of calls (`DescriptorLimit`).
        configuration.maximumConnections = 64
        configuration.maximumConnectionsPerAddress = 16
        configuration.makesRoom = true
        configuration.limits.frameTimeout = .seconds(5)
        configuration.limits.writeTimeout = .seconds(30)
        configuration.limits.idleTimeout = .seconds(30)
        // The last server to stop: with its time to close, it is within what supervisors allow.
        configuration.drainTimeout = .seconds(2)
        return configuration
    }

    package static func wire(_ pages: OperationsPages, access: @escaping OperatorCheck) -> ServerWire {
        .pages("operations") { request in await pages.answer(to: request, access: access) }
    }

    package static func start(
        on endpoints: [ListeningEndpoint],
        logger: Logger
    ) async throws(StartupError) -> RPCServer {
        try await RPCServer.start(
            on: endpoints,
            services: [],
            configuration: configuration,
            caller: { _ in nil },
            group: group,
            logger: logger
        )
    }
}
