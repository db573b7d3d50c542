import RPCCore
import Testing

@testable import TransportSecurity

/// The errors of handshakes that no peer of `CertificateFailureTests` causes.
struct HandshakeFailureTextTests {
    private static func error(_ words: String) -> SecurityError {
        let server = ServerEndpoint(.tcp(host: "a.example", port: 1), isSecure: true)
        return SecurityError(ofHandshake: words, with: server, nil, now: 0)
    }

    @Test func aServerWithoutACertificateIsRefused() {
        let refused = Self.error("error:1000007d:SSL routines:OPENSSL_internal:CERTIFICATE_VERIFY_FAILED")
        #expect(refused == SecurityError("the issuer of the server's certificate is not trusted"))
        let unnamed = Self.error("NIOSSLExtraError.failedToValidateHostname: Couldn't find a.example")
        #expect(unnamed == SecurityError("the server's certificate is not for a.example"))
    }

    @Test(arguments: [
        ("SSLV3_ALERT_HANDSHAKE_FAILURE", true), ("UNSUPPORTED_PROTOCOL", true), ("TLSV1_ALERT_INTERNAL_ERROR", false),
        ("DECRYPTION_FAILED_OR_BAD_RECORD_MAC", false),
    ])
    func anAlertIsFinal(_ word: String, _ isPermanent: Bool) {
        #expect(Self.error(word) == SecurityError("TLS failed: \(word)", isPermanent: isPermanent))
    }

    @Test(arguments: [
        ("TLSV1_ALERT_CERTIFICATE_REQUIRED", "the server asks for a client certificate"),
        ("TLSV1_ALERT_UNKNOWN_CA", "the server does not trust the issuer of the client certificate"),
        ("SSLV3_ALERT_CERTIFICATE_EXPIRED", "the client certificate is not valid any more"),
        ("SSLV3_ALERT_HANDSHAKE_FAILURE", "TLS failed"),
    ])
    func anAlertHasItsMeaningAndItsName(_ word: String, _ meaning: String) {
        let words = "sslError([Error: 268 error:10000418:SSL routines:OPENSSL_internal:\(word) at /a/record.cc:491])"
        #expect(Self.error(words) == SecurityError("\(meaning): \(word)"))
    }
}
