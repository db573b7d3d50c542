internal import NIOCore
internal import NIOSSL
internal import RPCCore

/// The files of a server's TLS, and its rule for clients.
package struct ServerTLSFiles: Sendable, Hashable {
    package enum ClientAuthentication: String, Sendable, Hashable, CaseIterable {
        case off
        case optional
        case required
    }

    /// The file of the certificate, and of those between it and the authority that clients know, in this order (PEM).
    package var certificate: String
    package var key: String
    package var clientAuthentication = ClientAuthentication.off
    /// The file of the authorities that issue certificates to clients (PEM). Public ones never count.
    package var clientAuthorities: String?

    package init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }

    var all: [String] { [certificate, key] + [clientAuthorities].compactMap(\.self) }
}

/// A certificate that can be served: read, checked, and ready for handshakes.
struct ServerCertificate: Sendable {
    /// The earliest end of validity in the chain, in seconds since 1970.
    let notAfter: Int
    /// The settings of handshakes. A session is resumed only in the context that has made it.
    private let contexts: [ApplicationProtocols: NIOSSLContext]
    /// Whether connections share a context, so that sessions are resumed. A session that is resumed does not verify the
    /// client's certificate again.
    private let resumesSessions: Bool

    /// Reads and checks the files. It blocks.
    ///
    /// - Throws: `StartupError` if a file cannot be read, the certificate is not valid now, or the key is another
    ///   certificate's.
    init(_ files: ServerTLSFiles, now: Int) throws(StartupError) {
        let chain = try SecurityFile(files.certificate).certificates()
        for certificate in chain where !certificate.validity.contains(now) {
            let validity = validityText(certificate.validity)
            throw StartupError(.configuration, "a certificate in \(files.certificate) is \(validity)")
        }
        let key = try SecurityFile(files.key, isSecret: true).key()
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(key)
        )
        configuration.minimumTLSVersion = .tlsv12
        configuration.cipherSuiteValues = TLSCiphers.authenticated
        configuration.shutdownTimeout = TLSTimes.shutdown
        try Self.authenticateClients(files, &configuration)
        var contexts: [ApplicationProtocols: NIOSSLContext] = [:]
        for protocols in ApplicationProtocols.allCases {
            configuration.applicationProtocols = protocols.names
            contexts[protocols] = try Self.context(configuration, files)
        }
        self.contexts = contexts
        resumesSessions = files.clientAuthentication == .off
        notAfter = chain.map(\.validity.upperBound).min() ?? now
    }

    func context(for protocols: ApplicationProtocols) throws -> NIOSSLContext {
        guard let context = contexts[protocols] else { throw SecurityError("TLS is not available for \(protocols)") }
        return resumesSessions ? context : try NIOSSLContext(configuration: context.configuration)
    }

    private static func authenticateClients(
        _ files: ServerTLSFiles,
        _ configuration: inout TLSConfiguration
    ) throws(StartupError) {
        switch files.clientAuthentication {
        case .off: configuration.certificateVerification = .none
        case .optional: configuration.certificateVerification = .optionalVerification
        case .required: configuration.certificateVerification = .noHostnameVerification
        }
        guard files.clientAuthentication != .off else { return }
        guard let path = files.clientAuthorities else {
            throw StartupError(.configuration, "no CA certificate for client certificates")
        }
        // Without roots of its own, the library would accept a certificate of any public authority.
        configuration.trustRoots = .certificates(try SecurityFile(path).certificates())
        configuration.sendCANameList = true
    }

    private static func context(
        _ configuration: TLSConfiguration,
        _ files: ServerTLSFiles
    ) throws(StartupError) -> NIOSSLContext {
        do {
            return try NIOSSLContext(configuration: configuration)
        } catch NIOSSLError.failedToLoadPrivateKey {
            throw StartupError(
                .configuration,
                "the key in \(files.key) does not belong to the certificate in \(files.certificate)"
            )
        } catch {
            throw StartupError(
                .configuration,
                "\(files.certificate) and \(files.key) cannot be used: \(error)"
            )
        }
    }
}

/// The cipher suites of TLS 1.2. Those of TLS 1.3 are fixed, and have the same properties.
enum TLSCiphers {
    /// The suites whose keys are of one connection only, and whose cipher authenticates what it encrypts (RFC 9113,
    /// appendix A, forbids the others over HTTP/2).
    static let authenticated: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]
}

enum TLSTimes {
    /// The time that a peer has to answer the goodbye of TLS, before its connection is closed.
    static let shutdown = TimeAmount.seconds(1)
    /// The memory for encrypted bytes that a connection keeps for its next write, in bytes.
    static let preservedByteCount = 64 * 1024
}
