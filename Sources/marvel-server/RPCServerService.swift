import MarvelService
import RPCTransport
import ServiceLifecycle

/// Lets a service group run, drain and stop the RPC server.
struct RPCServerService: Service {
    let server: RPCServer
    let health: ServiceHealth
    /// Called when the service group runs this service, and so handles signals.
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
