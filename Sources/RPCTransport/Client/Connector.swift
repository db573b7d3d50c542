internal import NIOCore
internal import NIOPosix
internal import RPCCore

/// How a client reaches a server. Tests bring their own.
struct Connector: Sendable {
    /// Connects on the event loop; `prepare` fits the channel out before anything happens on it.
    typealias Connect =
        @Sendable (
            _ address: ServerAddress,
            _ eventLoop: any EventLoop,
            _ prepare: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
        ) -> EventLoopFuture<any Channel>

    let connect: Connect

    init(connect: @escaping Connect) {
        self.connect = connect
    }

    /// Over TCP and unix sockets.
    static func sockets(_ options: RPCClientOptions) -> Connector {
        Connector { address, eventLoop, prepare in
            let bootstrap = ClientBootstrap(group: eventLoop)
                .connectTimeout(TimeAmount(options.connectTimeout))
                .channelInitializer(prepare)
            switch address {
            case .tcp(let host, let port):
                return bootstrap.noticingDeadPeers(after: options.keepaliveTimeout)
                    .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                    .connect(host: host, port: port)
            case .unix(let path):
                return bootstrap.connect(unixDomainSocketPath: path)
            }
        }
    }
}

/// The reason that an address could not be reached.
struct ConnectFailure {
    /// For people.
    var cause: String
    /// The host that has no address; nil if the failure came after its name was resolved.
    var unresolvedHost: String?

    init(cause: String) { self.cause = cause }

    init(_ error: any Error) {
        guard let error = error as? NIOConnectionError else {
            cause = "\(error)"
            return
        }
        if let single = error.connectionErrors.first {
            cause = "\(single.error)"
        } else {
            cause = "no address has the name \(error.host)"
            unresolvedHost = error.host
        }
    }
}

extension ClientBootstrap {
    /// Ends the connection when what was sent is not acknowledged for so long. (gRFC A18)
    ///
    /// The kernel sees that sooner than a Ping could: it need not wait for two minutes of silence.
    fileprivate func noticingDeadPeers(after timeout: Duration) -> ClientBootstrap {
        #if os(Linux)
        // TCP_USER_TIMEOUT of linux/tcp.h, in milliseconds. Swift's Glibc does not have the name.
        let userTimeout = NIOBSDSocket.Option(rawValue: 18)
        let milliseconds = TimeAmount(timeout).nanoseconds / 1_000_000
        return channelOption(.tcpOption(userTimeout), value: Int(clamping: milliseconds))
        #else
        return self
        #endif
    }
}
