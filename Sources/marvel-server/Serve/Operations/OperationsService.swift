import Logging
import OperationsHTTP
import RPCCore
import RPCServer
import ServiceLifecycle
import TransportSecurity

/// Serves the operations port, and samples the calls for its status page.
struct OperationsService: Service {
    private let endpoints: [ListeningEndpoint]
    private let history: ActivityHistory
    private let rpcServer: RPCServer
    private let logger: Logger

    init(_ port: ServerPort, _ parts: ServedParts, _ control: AccessControl, logger: Logger) {
        _ = ProcessFigures.startTime
        history = ActivityHistory()
        rpcServer = parts.server
        let wire = OperationsServer.wire(OperationsPages(parts, history: history)) { credentials, peer in
            await control.operatorFailure(credentials, from: peer)
        }
        let endpoints = port.endpoints(wire)
        self.endpoints = parts.tls?.protectPages(endpoints) ?? endpoints
        self.logger = logger
    }

    func run() async throws {
        let server = try await OperationsServer.start(on: endpoints, logger: logger)
        for endpoint in server.endpoints { announce(endpoint) }
        let sampling = Task { await sample() }
        defer { sampling.cancel() }
        await withTaskCancellationOrGracefulShutdownHandler {
            await server.run()
        } onCancelOrGracefulShutdown: {
            server.stop()
        }
    }

    private func announce(_ endpoint: ListeningEndpoint) {
        logger.notice("listening", metadata: endpoint.metadata)
        guard endpoint.security == nil, !endpoint.address.isLocal else { return }
        logger.warning(
            "this address answers only probes from other machines: there is no TLS",
            metadata: ["address": "\(endpoint.address)"]
        )
    }

    private func sample() async {
        while !Task.isCancelled {
            history.add(rpcServer.methodTotals, at: .now)
            guard (try? await Task.sleep(for: ActivityHistory.interval)) != nil else { return }
        }
    }
}
