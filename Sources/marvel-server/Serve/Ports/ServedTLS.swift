import HTTPServing
import Logging
import RPCCore
import RPCTransport
import TransportSecurity

extension ServerValues {
    /// Reads the certificate.
    ///
    /// - Parameter logger: The logger of its later replacements.
    /// - Returns: The TLS of the ports; nil for clear text.
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
    /// Protects the endpoints that other machines can reach. Who opens a unix socket is on this machine.
    func protect(_ endpoints: [ListeningEndpoint]) -> [ListeningEndpoint] {
        endpoints.map { endpoint in
            guard case .tcp = endpoint.address else { return endpoint }
            let protocols: ApplicationProtocols = endpoint.wire == .framed ? .framed : .http
            return ListeningEndpoint(
                endpoint.address,
                wire: endpoint.wire,
                socket: endpoint.socket,
                security: security(for: protocols)
            )
        }
    }

    /// Protects the addresses of pages that other machines can reach.
    func protect(_ endpoints: [HTTPEndpoint]) -> [HTTPEndpoint] {
        endpoints.map { endpoint in
            guard !endpoint.address.isLocal else { return endpoint }
            return HTTPEndpoint(endpoint.address, socket: endpoint.socket, protection: protectPages)
        }
    }

    /// The results of replacing the certificate, by name, for a log.
    var counters: Logger.Metadata {
        let reloads = reloads
        return [
            "certificateReloads": .stringConvertible(reloads.successes),
            "certificateReloadFailures": .stringConvertible(reloads.failures),
        ].filter { "\($0.value)" != "0" }
    }
}
