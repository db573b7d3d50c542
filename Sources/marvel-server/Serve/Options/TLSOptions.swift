import ArgumentParser
import HTTPServing
import Logging
import RPCCore
import RPCTransport
import TransportSecurity

/// The options for TLS on the ports.
struct TLSOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The certificate for TLS: PEM, the server's own first, each followed by its issuer's. With it, all ports but "
                + "unix sockets speak TLS. (default: clear text)",
            valueName: "file"
        )
    )
    var tlsCert: String?

    @Option(
        help: ArgumentHelp("The key of the certificate: PEM, of a mode that keeps others out.", valueName: "file")
    )
    var tlsKey: String?

    @Option(
        help: ArgumentHelp("Whether clients show a certificate: off, optional, required.", valueName: "rule")
    )
    var tlsClientAuth = ServerTLSFiles.ClientAuthentication.off

    @Option(
        help: ArgumentHelp(
            "The authorities that issue certificates to clients: PEM. Public ones never count.",
            valueName: "file"
        )
    )
    var tlsClientCA: String?

    func validate() throws {
        guard (tlsCert == nil) == (tlsKey == nil) else {
            throw ValidationError("--tls-cert and --tls-key are given together.")
        }
        guard tlsCert != nil || (tlsClientAuth == .off && tlsClientCA == nil) else {
            throw ValidationError("--tls-client-auth and --tls-client-ca need --tls-cert and --tls-key.")
        }
        guard (tlsClientAuth == .off) == (tlsClientCA == nil) else {
            throw ValidationError("--tls-client-auth optional or required, and --tls-client-ca, are given together.")
        }
    }

    /// Reads the certificate.
    ///
    /// - Parameter logger: The logger of its later replacements.
    /// - Returns: The TLS of the ports; nil for clear text.
    /// - Throws: `StartupError` if the certificate cannot be served.
    func open(_ logger: Logger) throws(StartupError) -> ServerTLS? {
        guard let tlsCert, let tlsKey else { return nil }
        var files = ServerTLSFiles(certificate: tlsCert, key: tlsKey)
        files.clientAuthentication = tlsClientAuth
        files.clientAuthorities = tlsClientCA
        return try ServerTLS(files, logger: logger)
    }
}

extension ServerTLSFiles.ClientAuthentication: ExpressibleByArgument {}

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
