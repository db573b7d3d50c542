internal import RPCCore

/// The part of a server's certificate that explains why it was refused.
struct ShownCertificate: Sendable, Hashable {
    /// The time in which it is valid, in seconds since 1970.
    var validity: ClosedRange<Int>
    var names: [String]
}

extension SecurityError {
    private static let maximumListedNames = 5

    /// Makes the error of a client's failed handshake from the words of its library.
    ///
    /// - Parameters:
    ///   - text: The words.
    ///   - server: The server.
    ///   - certificate: The server's certificate; nil if it has shown none.
    ///   - now: The time in seconds since 1970.
    init(ofHandshake text: String, with server: ServerEndpoint, _ certificate: ShownCertificate?, now: Int) {
        func has(_ words: String...) -> Bool { words.contains { text.contains($0) } }
        if has("failedToValidateHostname", "serverHostnameImpossibleToMatch") {
            let host = if case .tcp(let host, _) = server.address { host } else { "\(server.address)" }
            let names = certificate?.names.prefix(Self.maximumListedNames).joined(separator: ", ") ?? ""
            self.init("the server's certificate is not for \(host)" + (names.isEmpty ? "" : "; it is for \(names)"))
        } else if has("CERTIFICATE_VERIFY_FAILED", "unableToValidateCertificate") {
            guard let validity = certificate?.validity, !validity.contains(now) else {
                self.init("the issuer of the server's certificate is not trusted")
                return
            }
            self.init("the server's certificate is \(validityText(validity))")
        } else if has("EOF during") {
            let text = "the server closed the connection during the TLS handshake; it may not use TLS at this address"
            self.init(text, isPermanent: false)
        } else if has("WRONG_VERSION_NUMBER") {
            self.init("the server does not use TLS at this address")
        } else {
            // An alert is the verdict of the server, unless it says that the server itself failed.
            let isVerdict = has("_ALERT_", "UNSUPPORTED_PROTOCOL") && !has("INTERNAL_ERROR", "USER_CANCELLED")
            let meaning =
                if has("_ALERT_CERTIFICATE_REQUIRED") {
                    "the server asks for a client certificate"
                } else if has("_ALERT_UNKNOWN_CA") {
                    "the server does not trust the issuer of the client certificate"
                } else if has("_ALERT_CERTIFICATE_EXPIRED") {
                    "the client certificate is not valid any more"
                } else {
                    "TLS failed"
                }
            self.init("\(meaning): \(Self.name(in: text))", isPermanent: isVerdict)
        }
    }

    /// The library's name of the failure, without the place in its source.
    private static func name(in text: String) -> Substring {
        guard let start = text.firstRange(of: "OPENSSL_internal:")?.upperBound else { return text[...] }
        return text[start...].prefix { $0 == "_" || $0.isLetter || $0.isNumber }
    }
}
