internal import NIOCore
internal import NIOPosix
internal import NIOSSL
package import RPCCore
internal import Synchronization

/// The TLS of a client: the authorities that it trusts, and its own certificate.
///
/// The name of each server is verified, or its address if it is named by that.
package final class ClientTLS: Sendable {
    package struct Files: Sendable, Hashable {
        /// The file of the authorities that are trusted; nil for those of the system.
        package var authorities: String?
        /// The file of the client's certificate, and of those between it and its authority; nil if it has none.
        package var certificate: String?
        package var key: String?

        package init(authorities: String? = nil, certificate: String? = nil, key: String? = nil) {
            self.authorities = authorities
            self.certificate = certificate
            self.key = key
        }
    }

    package static let system = ClientTLS(TLSConfiguration.makeClientConfiguration())

    private let configuration: TLSConfiguration
    /// The settings of handshakes, made with the first connection: reading the system's authorities takes a while.
    private let context = Mutex<EventLoopFuture<NIOSSLContext>?>(nil)

    init(_ configuration: TLSConfiguration) {
        var configuration = configuration
        configuration.minimumTLSVersion = .tlsv12
        configuration.cipherSuiteValues = TLSCiphers.authenticated
        configuration.certificateVerification = .fullVerification
        configuration.shutdownTimeout = TLSTimes.shutdown
        self.configuration = configuration
    }

    /// Reads the files. It blocks.
    ///
    /// - Throws: `StartupError` if a file cannot be read, or the key is not that of the certificate.
    package convenience init(_ files: Files) throws(StartupError) {
        var configuration = TLSConfiguration.makeClientConfiguration()
        if let path = files.authorities {
            configuration.trustRoots = .certificates(try SecurityFile(path).certificates())
        }
        guard (files.certificate == nil) == (files.key == nil) else {
            throw StartupError(.configuration, "set both the certificate and its key, or neither")
        }
        if let certificate = files.certificate, let key = files.key {
            configuration.certificateChain = try SecurityFile(certificate).certificates().map { .certificate($0) }
            configuration.privateKey = .privateKey(try SecurityFile(key, isSecret: true).key())
            // The authorities have nothing to do with it, and those of the system would take a while to read.
            var ownOnly = configuration
            ownOnly.trustRoots = .certificates([])
            do { _ = try NIOSSLContext(configuration: ownOnly) } catch {
                throw StartupError(
                    .configuration,
                    "the key in \(key) does not belong to the certificate in \(certificate)"
                )
            }
        }
        self.init(configuration)
    }

    // MARK: Connections

    package var security: ClientSecurity {
        ClientSecurity { [self] server, eventLoop in
            context(eventLoop).map { context in
                { channel in try Self.open(channel, to: server, context) }
            }
        }
    }

    private func context(_ eventLoop: any EventLoop) -> EventLoopFuture<NIOSSLContext> {
        let made = context.withLock { context in
            if let context { return context }
            let made = NIOThreadPool.singleton.runIfActive(eventLoop: eventLoop) { [configuration] in
                var configuration = configuration
                configuration.applicationProtocols = ApplicationProtocols.framed.names
                return try NIOSSLContext(configuration: configuration)
            }
            context = made
            return made
        }
        return made.hop(to: eventLoop).flatMapErrorThrowing { [self] error in
            // The next connection tries again.
            context.withLock { $0 = nil }
            throw SecurityError("cannot set up TLS: \(error)")
        }
    }

    private static func open(_ channel: any Channel, to server: ServerEndpoint, _ context: NIOSSLContext) throws {
        let tls: NIOSSLClientHandler
        do {
            tls = try NIOSSLClientHandler(context: context, serverHostname: server.hostName)
        } catch {
            throw SecurityError("\(server) cannot be verified: its name cannot occur in a certificate")
        }
        try channel.pipeline.syncOperations.addHandlers([tls, ClientHandshakeHandler(tls, to: server)])
    }
}

extension ServerEndpoint {
    /// The name that the server's certificate has to have. Nil if the server is known by its address, which is verified then.
    fileprivate var hostName: String? {
        guard case .tcp(let host, let port) = address else { return nil }
        let isAddress = (try? SocketAddress(ipAddress: host, port: port)) != nil
        return isAddress ? nil : host
    }
}
