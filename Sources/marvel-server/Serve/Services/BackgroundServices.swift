import CatalogFiles
import Logging
import MarvelService
import RPCTransport
import ServiceLifecycle
import TransportSecurity

/// Work beside the server, which is cancelled when the server stops.
///
/// It must not return before: the service group would stop all other services then.
struct BackgroundService: Service {
    let name: String
    private let work: @Sendable () async -> Void

    init(_ name: String, _ work: @escaping @Sendable () async -> Void) { (self.name, self.work) = (name, work) }

    /// - Parameters:
    ///   - name: The name.
    ///   - interval: The time between two steps.
    ///   - step: What is done each time, beginning after the first interval.
    init(_ name: String, every interval: Duration, _ step: @escaping @Sendable () async -> Void) {
        self.init(name) {
            while (try? await Task.sleep(for: interval)) != nil { await step() }
        }
    }

    func run() async throws { await cancelWhenGracefulShutdown(work) }
}

extension FollowedCatalogFile {
    /// Checks whether the file was replaced, and logs it.
    func follow(_ logger: Logger) async {
        switch await check() {
        case .unchanged: break
        case .replaced(let description): logger.notice("catalog replaced", metadata: description.metadata)
        case .refused(let error):
            logger.error("the new catalog is not served, the old one is", metadata: ["reason": "\(error)"])
        }
    }
}

/// A service that runs, drains and stops the RPC server.
struct RPCServerService: Service {
    let server: RPCServer
    let health: ServiceHealth
    /// Called when the service group has started this service. The group handles signals by then.
    let onRunning: @Sendable () -> Void
    /// Called when the server begins to stop.
    let onStopping: @Sendable () -> Void

    func run() async throws {
        onRunning()
        let failure = await withTaskCancellationOrGracefulShutdownHandler {
            await server.run()
        } onCancelOrGracefulShutdown: {
            health.stopServing()
            onStopping()
            server.stop()
        }
        if let failure { throw failure }
    }
}
