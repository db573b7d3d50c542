import RPCCore
import RPCServer
import Testing

@testable import TransportSecurity

/// The texts for what a handshake fails of, from the words of its library.
struct HandshakeFailureTextTests {
    private static let server = ServerEndpoint(.tcp(host: "a.example", port: 1), isSecure: true)
    private static let certificate = ShownCertificate(notBefore: 100, notAfter: 200, names: ["b.example", "::1"])

    private static func text(_ words: String, at now: Int = 150, shown: Bool = true) -> String {
        ClientHandshakeFailure(words).error(of: server, shown ? certificate : nil, now: now).cause
    }

    @Test func aRefusedCertificateIsExplainedByItsDates() {
        let words = "error:1000007d:SSL routines:OPENSSL_internal:CERTIFICATE_VERIFY_FAILED"
        #expect(Self.text(words, at: 201) == "the server's certificate expired at 1970-01-01T00:03:20Z")
        #expect(Self.text(words, at: 99).hasPrefix("the server's certificate is not valid before 1970-01-01T00:01:40Z"))
        #expect(Self.text(words) == "the issuer of the server's certificate is not trusted")
        #expect(Self.text(words, shown: false) == "the server's certificate cannot be verified")
    }

    @Test func aNameMismatchIsReportedWithTheNamesOfTheCertificate() {
        let words = "NIOSSLExtraError.failedToValidateHostname: Couldn't find a.example in certificate from peer"
        #expect(Self.text(words) == "the server's certificate is not for a.example; it is for b.example, ::1")
        #expect(Self.text(words, shown: false) == "the server's certificate is not for a.example")
    }

    @Test(
        arguments: [
            ("TLSV1_ALERT_CERTIFICATE_REQUIRED", "the server requires a client certificate", true),
            ("TLSV1_ALERT_UNKNOWN_CA", "the server does not trust the issuer of the client's certificate", true),
            ("SSLV3_ALERT_CERTIFICATE_EXPIRED", "the client's certificate has expired", true),
            ("SSLV3_ALERT_BAD_CERTIFICATE", "the server rejects the client's certificate", true),
            ("WRONG_VERSION_NUMBER", "the server does not use TLS at this address", true),
            ("EOF during handshake", "the server closed the connection during the TLS handshake", false),
            ("DECRYPTION_FAILED_OR_BAD_RECORD_MAC", "TLS failed: DECRYPTION", false),
        ]
    )
    func eachCauseHasALabel(_ word: String, _ text: String, _ isPermanent: Bool) {
        let error = ClientHandshakeFailure("Error: 1 \(word) at ssl.cc:1").error(of: Self.server, nil, now: 0)
        #expect(error.cause.contains(word.hasPrefix("DECRYPTION") ? word : text))
        #expect(error.isPermanent == isPermanent)
    }
}
