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
        /// The files as they were when they were read last, whether they could be used or not.
        var stamps: [FileStamp?]
        var reloads = Reloads()
    }

    /// The results of all attempts to replace the certificate.
    package struct Reloads: Sendable, Hashable {
        package fileprivate(set) var successes = 0
        package fileprivate(set) var failures = 0
        /// Whether the last attempt failed, and the certificate that is served is not that of the files.
        package fileprivate(set) var hasFailed = false
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
        let stamps = files.all.map { FileStamp($0) }
        self.state = Mutex(State(certificate: try ServerCertificate(files, now: now()), stamps: stamps))
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
    package var reloads: Reloads { state.withLock(\.reloads) }

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

    /// Reads and checks the files again. It blocks.
    ///
    /// - Returns: A function that serves the new certificate to connections that begin after it.
    /// - Throws: `StartupError` if the new certificate cannot be served. The old one is still served then.
    package func prepare() throws(StartupError) -> @Sendable () -> Void {
        let stamps = files.all.map { FileStamp($0) }
        do throws(StartupError) {
            let certificate = try ServerCertificate(files, now: now())
            return { [self] in replace(with: certificate, stamps) }
        } catch {
            state.withLock { state in
                state.stamps = stamps
                state.reloads.failures += 1
                state.reloads.hasFailed = true
            }
            logger.error("certificate not replaced, still using the old one", metadata: ["reason": "\(error)"])
            throw error
        }
    }

    private func replace(with certificate: ServerCertificate, _ stamps: [FileStamp?]) {
        state.withLock { state in
            state.certificate = certificate
            state.stamps = stamps
            state.reloads.successes += 1
            state.reloads.hasFailed = false
        }
        logger.notice("certificate replaced", metadata: ["notAfter": "\(dateText(certificate.notAfter))"])
    }

    /// Replaces the certificate by that of the files, or keeps the old one.
    ///
    /// - Returns: Whether the new one is served.
    @discardableResult
    package func reload() async -> Bool {
        let result = try? await NIOThreadPool.singleton.runIfActive { [self] in
            try prepare()()
            return true
        }
        return result ?? false
    }

    /// Reads and checks the files again, on another thread, if one has changed or the last attempt failed.
    ///
    /// - Returns: A function that serves the new certificate; nil if the files are as before.
    /// - Throws: `StartupError` if the new certificate cannot be served.
    package func prepareChange() async throws -> (@Sendable () -> Void)? {
        let (known, hasFailed) = state.withLock { ($0.stamps, $0.reloads.hasFailed) }
        return try await NIOThreadPool.singleton.runIfActive { [self] in
            guard hasFailed || files.all.map({ FileStamp($0) }) != known else { return nil }
            return try prepare()
        }
    }

    /// Replaces the certificate if a file has changed since it was read.
    package func checkFiles() async {
        let known = state.withLock(\.stamps)
        let stamps = try? await NIOThreadPool.singleton.runIfActive { [files] in files.all.map { FileStamp($0) } }
        if let stamps, stamps != known { await reload() }
    }

    /// Looks for new files from time to time, until the task is cancelled. New connections get the new certificate.
    public func watch(every interval: Duration = .seconds(5)) async {
        while (try? await Task.sleep(for: interval)) != nil { await checkFiles() }
    }
}
