import Logging
import OperationsHTTP
import RPCCore
import RPCTransport
import ServiceLifecycle

/// A service that serves the operations port, and samples the calls for its status page.
struct OperationsService: ServiceLifecycle.Service {
    private let server: OperationsServer
    private let history: ActivityHistory
    private let rpcServer: RPCServer

    init(_ address: (host: String, port: Int), _ parts: ServedParts, logger: Logger) {
        _ = ProcessFigures.startTime
        history = ActivityHistory()
        rpcServer = parts.server
        server = OperationsServer(
            OperationsPages(parts, history: history),
            host: address.host,
            port: address.port,
            logger: logger
        ) { address in
            logger.notice("listening", metadata: ["endpoint": "operations", "address": "\(address)"])
        }
    }

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { await sample() }
            try await server.run()
            tasks.cancelAll()
        }
    }

    private func sample() async {
        while !Task.isCancelled {
            history.add(rpcServer.methodTotals, at: .now)
            guard (try? await Task.sleep(for: ActivityHistory.interval)) != nil else { return }
        }
    }
}
