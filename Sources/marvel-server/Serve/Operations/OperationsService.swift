import HTTPServing
import Logging
import OperationsHTTP
import RPCCore
import RPCTransport
import ServiceLifecycle
import TransportSecurity

/// Serves the operations port, and samples the calls for its status page.
struct OperationsService: Service {
    private let servers: [OperationsServer]
    private let history: ActivityHistory
    private let rpcServer: RPCServer

    init(_ endpoints: [HTTPEndpoint], _ parts: ServedParts, _ control: AccessControl, logger: Logger) {
        _ = ProcessFigures.startTime
        history = ActivityHistory()
        rpcServer = parts.server
        let pages = OperationsPages(parts, history: history)
        servers = endpoints.map { endpoint in
            let isProtected = endpoint.protection != nil
            return OperationsServer(
                pages,
                at: endpoint,
                access: { credentials, channel in
                    await control.operatorFailure(
                        on: channel,
                        credentials: credentials,
                        certificateName: isProtected ? await ServerTLS.principalName(on: channel) : nil,
                        isProtected: isProtected
                    )
                },
                logger: logger
            ) { address in
                var facts: Logger.Metadata = ["endpoint": "operations", "address": "\(address)"]
                if isProtected { facts["security"] = "tls" }
                logger.notice("listening", metadata: facts)
                guard !isProtected, !address.isLocal else { return }
                logger.warning(
                    "other machines are answered probes only at this address: there is no TLS",
                    metadata: ["address": "\(address)"]
                )
            }
        }
    }

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { await sample() }
            try await withThrowingTaskGroup(of: Void.self) { serving in
                for server in servers { serving.addTask { try await server.run() } }
                try await serving.waitForAll()
            }
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
