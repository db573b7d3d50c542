import Logging
import RPCCore
import RPCServer
import TransportSecurity

extension ServerValues {
    /// The TLS of the ports; nil for clear text. The logger is for later replacements of the certificate.
    ///
    /// - Throws: `StartupError` if the certificate cannot be served.
    func openTLS(_ logger: Logger) throws(StartupError) -> ServerTLS? {
        guard let certificate, let certificateKey else { return nil }
        var files = ServerTLSFiles(certificate: certificate, key: certificateKey)
        files.clientAuthentication = clientAuthentication
        files.clientAuthorities = clientAuthorities
        return try ServerTLS(files, logger: logger)
    }
}

extension ServerTLS {
    /// Protects the endpoints that other machines can reach. The clients of a unix socket are on this machine.
    func protect(_ endpoints: [ListeningEndpoint]) -> [ListeningEndpoint] {
        endpoints.map { endpoint in
            guard case .tcp = endpoint.address else { return endpoint }
            return protect(endpoint, by: endpoint.wire == .framed ? .framed : .http)
        }
    }

    /// Protects the endpoints of pages, except those on this machine's own addresses.
    func protectPages(_ endpoints: [ListeningEndpoint]) -> [ListeningEndpoint] {
        endpoints.map { $0.address.isLocal ? $0 : protect($0, by: .http1) }
    }

    private func protect(_ endpoint: ListeningEndpoint, by protocols: ApplicationProtocols) -> ListeningEndpoint {
        ListeningEndpoint(
            endpoint.address,
            wire: endpoint.wire,
            socket: endpoint.socket,
            security: security(for: protocols)
        )
    }

    var counters: Logger.Metadata {
        let reloads = reloads
        return [
            "certificateReloads": .stringConvertible(reloads.successes),
            "certificateReloadFailures": .stringConvertible(reloads.failures),
        ].filter { "\($0.value)" != "0" }
    }
}
