internal import Glibc
package import NIOCore
internal import NIOPosix
package import RPCCore

/// The functions with which a client opens connections. Tests provide their own.
struct Connector: Sendable {
    /// Connects on the event loop; `prepare` adds the handlers before anything happens on the channel.
    typealias Connect =
        @Sendable (
            _ route: ServerRoute,
            _ eventLoop: any EventLoop,
            _ prepare: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
        ) -> EventLoopFuture<any Channel>

    /// Finds out the numeric addresses that a host name stands for, in the order in which the system prefers them.
    typealias LookUp =
        @Sendable (_ address: ServerAddress, _ eventLoop: any EventLoop) -> EventLoopFuture<[ServerAddress]>

    let connect: Connect
    let lookUp: LookUp

    /// Returns a connector for TCP and unix sockets.
    static func sockets(_ options: RPCClientOptions, security: ClientSecurity) -> Connector {
        let connect: Connect = { route, eventLoop, prepare in
            var bootstrap = ClientBootstrap(group: eventLoop).connectTimeout(TimeAmount(options.connectTimeout))
            if route.address.isTCP {
                bootstrap = bootstrap.noticingDeadPeers(after: options.keepaliveTimeout)
            }
            return bootstrap.connect(
                to: route,
                security: security,
                timeout: options.connectTimeout,
                on: eventLoop,
                prepare
            )
        }
        return Connector(connect: connect, lookUp: HostNames.lookUp)
    }
}

/// The reason that an address could not be reached.
struct ConnectFailure {
    /// The text for people.
    var cause: String
    /// The host that has no address; nil if the failure came after its name was resolved.
    var unresolvedHost: String?
    /// Whether a connection was there, and its protection has failed.
    var isOfSecurity = false
    /// Whether another attempt would fail in the same way.
    var isPermanent = false

    init(cause: String) { self.cause = cause }

    init(_ error: any Error) {
        if let error = error as? SecurityError {
            cause = error.cause
            isOfSecurity = true
            isPermanent = error.isPermanent
            return
        }
        if let error = error as? HostNames.LookupError {
            cause = "\(error)"
            unresolvedHost = error.host
            return
        }
        guard let error = error as? NIOConnectionError else {
            cause = ConnectFailure.text(of: error)
            return
        }
        if let single = error.connectionErrors.first {
            cause = ConnectFailure.text(of: single.error)
        } else {
            cause = "no address for \(error.host)"
            unresolvedHost = error.host
        }
    }

    /// Without the names of SwiftNIO's functions that are in the description of an `IOError`.
    private static func text(of error: any Error) -> String {
        (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)"
    }
}

extension FramedConnection {
    /// Connects for a program that makes very many calls and accounts for each itself. Called on `eventLoop`.
    ///
    /// - Parameters:
    ///   - server: The server.
    ///   - security: The protection, if the server asks for one.
    ///   - options: The options of the connection.
    ///   - eventLoop: The event loop of the connection.
    ///   - owner: The receiver of events; held until the connection has ended.
    /// - Returns: Succeeds before `owner` gets the connection.
    package static func connect(
        to server: ServerEndpoint,
        security: ClientSecurity,
        _ options: RPCClientOptions,
        on eventLoop: any EventLoop,
        owner: any ConnectionOwner
    ) -> EventLoopFuture<any Channel> {
        let owner = NIOLoopBound(owner, eventLoop: eventLoop)
        let connect = Connector.sockets(options, security: security).connect
        return connect(ServerRoute(server), eventLoop) { channel in
            channel.eventLoop.makeCompletedFuture {
                try FramedConnection.open(channel, to: server, options, owner: owner.value)
            }
        }
    }
}

extension ClientBootstrap {
    /// Connects a socket of the address's kind.
    func connect(to address: ServerAddress) -> EventLoopFuture<any Channel> {
        switch address {
        case .tcp(let host, let port):
            let bootstrap = channelOption(.tcpOption(.tcp_nodelay), value: 1)
            // Resolving a numeric address thousands of times would take a thread each time.
            guard let number = try? SocketAddress(ipAddress: host, port: port) else {
                return bootstrap.connect(host: host, port: port)
            }
            return bootstrap.connect(to: number)
        case .unix(let path):
            return connect(unixDomainSocketPath: path)
        }
    }

    /// Ends the connection when what was sent is not acknowledged for so long. (gRFC A18)
    ///
    /// The kernel notices a dead peer sooner than a Ping, which is sent only after two minutes of silence.
    fileprivate func noticingDeadPeers(after timeout: Duration) -> ClientBootstrap {
        // TCP_USER_TIMEOUT of linux/tcp.h, in milliseconds. Swift's Glibc does not have the name.
        let userTimeout = NIOBSDSocket.Option(rawValue: 18)
        let milliseconds = TimeAmount(timeout).nanoseconds / 1_000_000
        return channelOption(.tcpOption(userTimeout), value: Int(clamping: milliseconds))
    }
}
