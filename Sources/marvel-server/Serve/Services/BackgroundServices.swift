import Logging
import MarvelService
import RPCServer
import ServiceLifecycle
import TransportSecurity

/// Work beside the server, which is cancelled when the server stops.
///
/// It must not return earlier: the service group would then stop all other services.
struct BackgroundService: Service {
    let name: String
    private let work: @Sendable () async -> Void

    init(_ name: String, _ work: @escaping @Sendable () async -> Void) { (self.name, self.work) = (name, work) }

    /// `step` runs after each interval.
    init(_ name: String, every interval: Duration, _ step: @escaping @Sendable () async -> Void) {
        self.init(name) {
            while (try? await Task.sleep(for: interval)) != nil { await step() }
        }
    }

    func run() async throws { await cancelWhenGracefulShutdown(work) }
}

/// Runs, drains and stops the RPC server.
struct RPCServerService: Service {
    let server: RPCServer
    let health: ServiceHealth
    /// Called when the service group has started this service. Then the group handles signals.
    let onRunning: @Sendable () -> Void
    let onStopping: @Sendable () -> Void

    func run() async throws {
        onRunning()
        await withTaskCancellationOrGracefulShutdownHandler {
            await server.run()
        } onCancelOrGracefulShutdown: {
            health.stopServing()
            onStopping()
            server.stop()
        }
    }
}
