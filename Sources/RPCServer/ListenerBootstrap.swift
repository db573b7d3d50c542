internal import Glibc
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import RPCCore

/// A bootstrap that opens listening sockets and gives each accepted connection its handler.
struct ListenerBootstrap {
    let group: any EventLoopGroup
    let context: CurrentContext

    func listen(on endpoint: ListeningEndpoint) async throws(StartupError) -> any Channel {
        let address = endpoint.address
        let bootstrap = bootstrap(endpoint)
        do {
            switch address {
            case .tcp(let host, let port):
                let bootstrap =
                    bootstrap
                    .serverChannelOption(.tcpOption(.notSentLowWaterMark), value: kernelBufferBytes)
                    .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                    .serverChannelOption(.socketOption(.so_keepalive), value: 1)
                    .serverChannelOption(.tcpOption(.keepaliveIdle), value: keepaliveSeconds(limits.keepaliveInterval))
                    .serverChannelOption(
                        .tcpOption(.keepaliveProbeInterval),
                        value: keepaliveSeconds(limits.keepaliveTimeout / Self.keepaliveProbes)
                    )
                    .serverChannelOption(.tcpOption(.keepaliveProbeCount), value: Self.keepaliveProbes)
                if let socket = endpoint.socket {
                    return try await bootstrap.withBoundSocket(ListeningEndpoint.duplicate(socket)).get()
                }
                return
                    try await bootstrap
                    .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                    .bind(host: host, port: port)
                    .get()
            case .unix(let path):
                if let socket = endpoint.socket {
                    return try await bootstrap.withBoundSocket(ListeningEndpoint.duplicate(socket)).get()
                }
                try await removeStaleSocket(path)
                return try await bootstrap.bind(unixDomainSocketPath: path).get()
            }
        } catch let error as StartupError {
            throw error
        } catch {
            throw StartupError(bindingTo: address, failedWith: error)
        }
    }

    private func bootstrap(_ endpoint: ListeningEndpoint) -> ServerBootstrap {
        let context = context
        let server = context.value
        let configuration = server.configuration
        return ServerBootstrap(group: group)
            .serverChannelInitializer { listener in
                listener.eventLoop.makeCompletedFuture {
                    let counters = server.counters.counters(of: listener.eventLoop)
                    let guardian = AcceptGuard(counters: counters, logger: server.logger)
                    try listener.pipeline.syncOperations.addHandler(guardian)
                }
            }
            .serverChannelOption(.backlog, value: 1024)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(
                .recvAllocator,
                value: AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 2048, maximum: 16 * 1024)
            )
            .childChannelOption(
                .writeBufferWaterMark,
                value: .init(
                    low: max(1, configuration.limits.maximumUnsentBytes / 2),
                    high: configuration.limits.maximumUnsentBytes
                )
            )
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let server = context.value
                    let counters = server.counters.counters(of: channel.eventLoop)
                    let action = server.registry.connectionAccepted(channel, wire: endpoint.wire.name)
                    guard action != .refuse else {
                        counters.count(.connectionLimit)
                        server.logger.debug("connection refused: too many are open")
                        throw ConnectionError.connectionLimit(server.configuration.maximumConnections)
                    }
                    counters.count(.connectionAccepted)
                    if let security = endpoint.security {
                        let secured = SecuredChannel { counters.count(.handshakeFailed) }
                        try channel.pipeline.syncOperations.addHandler(secured)
                        try security.open(channel, secured)
                    }
                    try endpoint.wire.open(channel, server, action == .drain)
                }
            }
    }

    private var limits: PeerLimits { context.value.configuration.limits }

    // Accepted sockets inherit the options of the listening one.

    /// The number of unsent bytes that the kernel accepts.
    private var kernelBufferBytes: Int { limits.maximumUnsentBytes }

    /// The number of the kernel's probes of a silent peer. HTTP/1.1 and plain ttrpc have no pings: nothing else would show that
    /// the peer of a quiet watch is gone.
    private static let keepaliveProbes = 4

    /// The kernel takes 1 to 32,767 seconds.
    private func keepaliveSeconds(_ time: Duration) -> Int {
        Int(min(max(time.components.seconds, 1), Int64(Int16.max)))
    }

    /// Removes the socket of a server that was killed. It removes only a socket, and only if nobody listens on it.
    ///
    /// - Throws: `StartupError` if something else has the name, or somebody listens.
    private func removeStaleSocket(_ path: String) async throws {
        var found = stat()
        guard lstat(path, &found) == 0 else { return }
        guard found.st_mode & S_IFMT == S_IFSOCK else {
            throw StartupError(
                .addressNotAvailable,
                "cannot listen at unix:\(path): the file is not a socket; choose another path, or remove it"
            )
        }
        do {
            let probe = try await ClientBootstrap(group: group).connect(unixDomainSocketPath: path).get()
            try? await probe.close()
        } catch let error as IOError where error.errnoCode == ECONNREFUSED {
            unlink(path)
            return
        } catch {
            return
        }
        throw StartupError(.addressInUse, "another server listens at unix:\(path)")
    }
}

extension Channel {
    func boundEndpoint(for wanted: ListeningEndpoint) -> ListeningEndpoint {
        guard wanted.socket == nil, case .tcp(let host, _) = wanted.address, let port = localAddress?.port else {
            return wanted
        }
        return ListeningEndpoint(.tcp(host: host, port: port), wire: wanted.wire, security: wanted.security)
    }
}

extension StartupError {
    fileprivate init(bindingTo address: ServerAddress, failedWith error: any Error) {
        switch (error as? IOError)?.errnoCode {
        case nil where error as? SocketAddressError == .unixDomainSocketPathTooLong:
            self.init(.configuration, "the path of \(address) is too long for a socket")
        case EADDRINUSE:
            self.init(.addressInUse, "\(address) is in use: stop what listens there, or choose another address")
        case EACCES, EPERM:
            self.init(.addressNotAvailable, "no permission to listen at \(address)")
        case let code?:
            self.init(.addressNotAvailable, "cannot listen at \(address): \(String(cString: strerror(code)))")
        case nil:
            self.init(.addressNotAvailable, "cannot listen at \(address): \(error)")
        }
    }
}

extension NIOBSDSocket.Option {
    /// TCP_NOTSENT_LOWAT, see tcp(7).
    fileprivate static let notSentLowWaterMark = NIOBSDSocket.Option(rawValue: 25)
    fileprivate static let keepaliveIdle = NIOBSDSocket.Option(rawValue: TCP_KEEPIDLE)
    fileprivate static let keepaliveProbeInterval = NIOBSDSocket.Option(rawValue: TCP_KEEPINTVL)
    fileprivate static let keepaliveProbeCount = NIOBSDSocket.Option(rawValue: TCP_KEEPCNT)
}
