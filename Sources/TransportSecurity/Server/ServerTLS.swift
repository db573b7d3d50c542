internal import Glibc
public import Logging
internal import NIOCore
internal import NIOPosix
internal import NIOSSL
public import RPCCore
internal import Synchronization

/// The TLS of a server's ports. Its certificate can be replaced while connections are open: they keep the one that they
/// began with, and new ones get the new one.
public final class ServerTLS: Sendable {
    private struct State {
        var certificate: ServerCertificate
        var followed: FollowedFiles
        var successes = 0
        var failures = 0
    }

    /// The results of all attempts to replace the certificate.
    package struct Reloads: Sendable, Hashable {
        package let successes: Int
        /// A failure that repeats counts once.
        package let failures: Int
        /// Whether the last attempt failed, and the certificate that is served is not that of the files.
        package let hasFailed: Bool
    }

    private let files: ServerTLSFiles
    private let logger: Logger
    private let now: @Sendable () -> Int
    private let state: Mutex<State>

    /// Reads and checks the files. It blocks.
    ///
    /// - Parameters:
    ///   - files: The files.
    ///   - logger: The logger of replacements.
    ///   - now: Returns the time, in seconds since 1970.
    /// - Throws: `StartupError` if the certificate cannot be served.
    package init(
        _ files: ServerTLSFiles,
        logger: Logger,
        now: @escaping @Sendable () -> Int = { time(nil) }
    ) throws(StartupError) {
        self.files = files
        self.logger = logger
        self.now = now
        let followed = FollowedFiles(files.all)
        self.state = Mutex(State(certificate: try ServerCertificate(files, now: now()), followed: followed))
    }

    /// Reads and checks a certificate and its key. It blocks.
    ///
    /// - Parameters:
    ///   - certificate: The path of the certificate, and of those between it and the authority that clients know, in this
    ///     order (PEM).
    ///   - key: The path of its key (PEM), which other users may not read.
    ///   - logger: The logger of replacements.
    /// - Throws: `StartupError` if the certificate cannot be served.
    public convenience init(
        certificate: String,
        key: String,
        logger: Logger = Logger(label: "tls")
    ) throws(StartupError) {
        try self.init(ServerTLSFiles(certificate: certificate, key: key), logger: logger)
    }

    /// The end of the served certificate's validity, in seconds since 1970.
    package var notAfter: Int { state.withLock(\.certificate.notAfter) }

    /// The results of all attempts to replace the certificate.
    package var reloads: Reloads {
        state.withLock { state in
            Reloads(successes: state.successes, failures: state.failures, hasFailed: state.followed.hasFailed)
        }
    }

    // MARK: Connections

    /// The protection of an address at which every protocol is spoken.
    public var security: ChannelSecurity { security(for: .all) }

    /// Returns the protection of a port's connections.
    ///
    /// - Parameter protocols: The protocols that the port speaks.
    /// - Returns: The protection.
    package func security(for protocols: ApplicationProtocols) -> ChannelSecurity {
        ChannelSecurity("tls") { [self] channel, secured in
            let context = try state.withLock(\.certificate).context(for: protocols)
            var configuration = NIOSSLServerHandler.Configuration()
            configuration.maximumPreservedOutboundBufferCapacity = TLSTimes.preservedByteCount
            let tls = NIOSSLServerHandler(context: context, configuration: configuration)
            let handshake = ServerHandshakeHandler(tls, secured: secured, logger: logger, now: now)
            try channel.pipeline.syncOperations.addHandlers([tls, handshake])
        }
    }

    // MARK: Replacement

    /// Reads and checks the files again, on another thread, if one has changed or the last attempt failed.
    ///
    /// - Returns: A function that serves the new certificate to connections that begin after it; nil if the files are as
    ///   before.
    /// - Throws: `StartupError` if the new certificate cannot be served. The old one is still served then.
    package func prepareChange() async throws -> (@Sendable () -> Void)? {
        let followed = state.withLock(\.followed)
        return try await NIOThreadPool.singleton.runIfActive { [self] in
            guard let version = followed.versionToRead else { return nil }
            return try prepare(version)
        }
    }

    /// Replaces the certificate if a file has changed since it was read, or the last attempt failed.
    package func checkFiles() async {
        // A failure is logged.
        try? await prepareChange()?()
    }

    private func prepare(_ version: FollowedFiles.Version) throws(StartupError) -> @Sendable () -> Void {
        do throws(StartupError) {
            let certificate = try ServerCertificate(files, now: now())
            return { [self] in replace(with: certificate, version) }
        } catch {
            let isNew = state.withLock { state in
                let isNew = state.followed.failed(version, reason: "\(error)")
                if isNew { state.failures += 1 }
                return isNew
            }
            if isNew {
                logger.error("certificate not replaced, still using the old one", metadata: ["reason": "\(error)"])
            }
            throw error
        }
    }

    private func replace(with certificate: ServerCertificate, _ version: FollowedFiles.Version) {
        state.withLock { state in
            state.certificate = certificate
            state.followed.wereRead(version)
            state.successes += 1
        }
        logger.notice("certificate replaced", metadata: ["notAfter": "\(dateText(certificate.notAfter))"])
    }

    /// Looks for new files from time to time, until the task is cancelled. New connections get the new certificate.
    public func watch(every interval: Duration = .seconds(5)) async {
        while (try? await Task.sleep(for: interval)) != nil { await checkFiles() }
    }
}
