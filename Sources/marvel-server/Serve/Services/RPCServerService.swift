import MarvelService
import RPCTransport
import ServiceLifecycle

/// A service that runs, drains and stops the RPC server.
struct RPCServerService: Service {
    let server: RPCServer
    let health: ServiceHealth
    /// Called when the service group has started this service. The group handles signals by then.
    let onRunning: @Sendable () -> Void

    func run() async throws {
        onRunning()
        let failure = await withTaskCancellationOrGracefulShutdownHandler {
            await server.run()
        } onCancelOrGracefulShutdown: {
            health.stopServing()
            server.stop()
        }
        if let failure { throw failure }
    }
}
