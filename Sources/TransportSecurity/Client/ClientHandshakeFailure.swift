internal import RPCCore

/// The part of a server's certificate that explains why it was refused.
struct ShownCertificate: Sendable, Hashable {
    /// The time from which it is valid, in seconds since 1970.
    var notBefore: Int
    /// The time until which it is valid, in seconds since 1970.
    var notAfter: Int
    var names: [String]
}

/// The cause of a client's failed handshake, as far as its library tells.
struct ClientHandshakeFailure: Sendable, Hashable {
    enum Cause: Sendable, Hashable {
        /// The certificate does not verify.
        case certificateRefused
        /// The certificate verifies, but is for another host.
        case wrongHost
        case certificateRequired
        case clientAuthorityUnknown
        case clientCertificateExpired
        case clientCertificateRefused
        case nothingInCommon
        case noTLS
        /// The connection ended, or nothing else is known.
        case other
    }

    let cause: Cause
    private let text: String

    /// The words of the library, with what they mean here. The first that occurs holds.
    private static let words: [(word: String, cause: Cause)] = [
        ("failedToValidateHostname", .wrongHost),
        ("serverHostnameImpossibleToMatch", .wrongHost),
        ("CERTIFICATE_VERIFY_FAILED", .certificateRefused),
        ("unableToValidateCertificate", .certificateRefused),
        ("ALERT_CERTIFICATE_REQUIRED", .certificateRequired),
        ("ALERT_UNKNOWN_CA", .clientAuthorityUnknown),
        ("ALERT_CERTIFICATE_EXPIRED", .clientCertificateExpired),
        ("ALERT_BAD_CERTIFICATE", .clientCertificateRefused),
        ("ALERT_CERTIFICATE_UNKNOWN", .clientCertificateRefused),
        ("ALERT_CERTIFICATE_REVOKED", .clientCertificateRefused),
        ("ALERT_UNSUPPORTED_CERTIFICATE", .clientCertificateRefused),
        ("ALERT_PROTOCOL_VERSION", .nothingInCommon),
        ("ALERT_HANDSHAKE_FAILURE", .nothingInCommon),
        ("ALERT_INSUFFICIENT_SECURITY", .nothingInCommon),
        ("UNSUPPORTED_PROTOCOL", .nothingInCommon),
        ("WRONG_VERSION_NUMBER", .noTLS),
        ("HTTP_REQUEST", .noTLS),
        ("HTTPS_PROXY_REQUEST", .noTLS),
    ]

    init(_ text: String) {
        self.text = text
        cause = Self.words.first { text.contains($0.word) }?.cause ?? .other
    }

    func error(of server: ServerEndpoint, _ certificate: ShownCertificate?, now: Int) -> SecurityError {
        switch cause {
        case .certificateRefused: SecurityError(refusal(of: certificate, now: now))
        case .wrongHost: SecurityError(Self.wrongHost(server, certificate))
        case .certificateRequired: SecurityError("the server requires a client certificate")
        case .clientAuthorityUnknown:
            SecurityError("the server does not trust the issuer of the client's certificate")
        case .clientCertificateExpired: SecurityError("the client's certificate has expired")
        case .clientCertificateRefused: SecurityError("the server rejects the client's certificate")
        case .nothingInCommon:
            SecurityError("the server and this client have no TLS version or cipher in common")
        case .noTLS: SecurityError("the server does not use TLS at this address")
        case .other:
            SecurityError(
                text.contains("EOF during")
                    ? "the server closed the connection during the TLS handshake; it may not use TLS at this address"
                    : "TLS failed: \(text)",
                isPermanent: false
            )
        }
    }

    private func refusal(of certificate: ShownCertificate?, now: Int) -> String {
        guard let certificate else { return "the server's certificate cannot be verified" }
        if certificate.notAfter < now { return "the server's certificate expired at \(dateText(certificate.notAfter))" }
        if certificate.notBefore > now {
            let begin = dateText(certificate.notBefore)
            return "the server's certificate is not valid before \(begin): check the clock of this machine"
        }
        return "the issuer of the server's certificate is not trusted"
    }

    private static let listedNames = 5

    private static func wrongHost(_ server: ServerEndpoint, _ certificate: ShownCertificate?) -> String {
        let host = if case .tcp(let host, _) = server.address { host } else { "\(server.address)" }
        let names = certificate?.names.prefix(listedNames).joined(separator: ", ") ?? ""
        return "the server's certificate is not for \(host)" + (names.isEmpty ? "" : "; it is for \(names)")
    }
}
