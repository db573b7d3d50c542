internal import CCurl
internal import MarvelDomain
internal import Upstream

extension SourceError {
    /// Omits libcurl's texts, because some contain hosts and paths.
    init(_ code: CURLcode, text: String, verification: Int, wasConnected: Bool, bodyLimit: Int) {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST: self = .unreachable("its host name cannot be resolved")
        case CURLE_COULDNT_CONNECT: self = .unreachable("connection refused, or host unreachable")

        case CURLE_PEER_FAILED_VERIFICATION: self = .untrusted(SourceError.certificateFault(verification))
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER: self = .untrusted("the TLS handshake failed")
        case CURLE_SSL_CACERT_BADFILE: self = .failed("the file of certificate authorities cannot be read")

        case CURLE_PARTIAL_FILE: self = .interrupted("the answer was cut off")
        case CURLE_GOT_NOTHING: self = .interrupted("it was closed without an answer")
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            self = .interrupted("it was closed during the transfer")

        case CURLE_OPERATION_TIMEDOUT: self = .timeout(text)
        case CURLE_FILESIZE_EXCEEDED: self = .tooLarge(maximumByteCount: bodyLimit)
        case CURLE_BAD_CONTENT_ENCODING: self = .invalidReply("invalid compression")
        case CURLE_WEIRD_SERVER_REPLY: self = .invalidReply("invalid HTTP response")
        // libcurl has one code for a forbidden scheme and for an HTTP/0.9 response.
        case CURLE_UNSUPPORTED_PROTOCOL: self = wasConnected ? .invalidReply("invalid HTTP response") : .unsupportedURL
        case CURLE_URL_MALFORMAT, CURLE_LOGIN_DENIED: self = .unsupportedURL
        case CURLE_OUT_OF_MEMORY: self = .failed("no memory")
        default: self = .failed("libcurl code \(code.rawValue)")
        }
    }

    static let unsupportedURL = SourceError.failed("the address is not an http or https URL")

    /// libcurl has one code for all timeouts. A silent name server makes a host unreachable.
    static func timeout(_ text: String) -> SourceError {
        text.hasPrefix("Resolving timed out") ? .unreachable("resolving its host name timed out") : .timedOut
    }

    /// `verification` is one of OpenSSL's `X509_V_ERR_…` numbers.
    private static func certificateFault(_ verification: Int) -> String {
        switch verification {
        case 9: "its certificate is not valid yet"
        case 10: "its certificate has expired"
        case 18, 19: "its certificate is self-signed"
        case 2, 20, 21: "the issuer of its certificate is not trusted"
        case 23: "its certificate was revoked"
        // libcurl compares the names itself, before OpenSSL checks the chain: 1 means "not checked yet".
        case 0, 1, 62, 64: "its certificate is for another host"
        default: "its certificate was rejected (OpenSSL result \(verification))"
        }
    }
}
