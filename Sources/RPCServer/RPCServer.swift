public import Logging
package import NIOCore
internal import NIOPosix
public import RPCCore
internal import Synchronization

/// A server of methods, over TCP and unix sockets, by any wire.
///
///     let server = try await RPCServer.listen(on: [.tcp(host: "127.0.0.1", port: 8080)], services: [service])
///     await server.run()          // until `drain()` or `close()`
///
/// There is one event loop per core; a connection stays on one of them.
public final class RPCServer: Sendable {
    /// The endpoints that it really listens on: port 0 is replaced by the assigned port.
    package let endpoints: [ListeningEndpoint]
    /// The addresses that it listens on, in the order in which they were given. Port 0 is replaced by the assigned port.
    public var addresses: [ServerAddress] { endpoints.map(\.address) }
    private let listeners: [Listener]
    private let context: CurrentContext
    /// The parts that stay when the configuration is replaced.
    let parts: ServerContext
    let group: any EventLoopGroup
    private let hasBegunToStop = Atomic(false)
    private let stopped: EventLoopPromise<Void>

    private init(
        listeners: [Listener],
        context: CurrentContext,
        group: any EventLoopGroup
    ) {
        self.endpoints = listeners.map(\.endpoint)
        self.listeners = listeners
        self.context = context
        self.parts = context.value
        self.group = group
        self.stopped = group.next().makePromise()
    }

    /// Binds every endpoint and begins to serve.
    ///
    /// - Parameters:
    ///   - wanted: The endpoints to listen on.
    ///   - services: The services to serve.
    ///   - configuration: The limits.
    ///   - access: The tokens, and the rules for callers.
    ///   - caller: Returns the caller that has the quota of a connection from an address; nil if there is none.
    ///   - accessLog: The log of calls; nil if they are not logged.
    ///   - group: The event loops.
    ///   - logger: The logger for connections that end with an error, at debug level.
    /// - Returns: The running server.
    /// - Throws: `StartupError` if an address cannot be bound; the others are then released again.
    package static func start(
        on wanted: [ListeningEndpoint],
        services: [RPCService],
        configuration: ServerConfiguration = ServerConfiguration(),
        access: AccessControl = AccessControl(),
        caller: @escaping CallerOfAddress = { CallerAccounts.Caller($0) },
        accessLog: (any AccessLog)? = nil,
        group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton,
        logger: Logger
    ) async throws(StartupError) -> RPCServer {
        let context = CurrentContext(
            ServerContext(
                services: services,
                configuration: configuration,
                access: access,
                caller: caller,
                group: group,
                accessLog: accessLog,
                logger: logger
            )
        )
        access.observe { [registry = context.value.registry] in registry.accessChanged() }
        let bootstrap = ListenerBootstrap(group: group, context: context)
        var listeners: [Listener] = []
        do throws(StartupError) {
            for endpoint in wanted {
                listeners.append(try await Listener.open(endpoint, bootstrap: bootstrap, logger: logger))
            }
        } catch {
            for listener in listeners { listener.stop() }
            for listener in listeners { try? await listener.endFuture.get() }
            throw error
        }
        return RPCServer(listeners: listeners, context: context, group: group)
    }

    /// Binds addresses, and begins to serve ttrpc, gRPC and Connect at each of them.
    ///
    /// The first bytes of a connection tell its protocol: ttrpc's frames, HTTP/2 or HTTP/1.1.
    ///
    /// - Parameters:
    ///   - addresses: The addresses. Port 0 asks for a free one.
    ///   - services: The services, each with a name of its own.
    ///   - configuration: The limits.
    ///   - security: The TLS of TCP connections (`ServerTLS.security` of the module `TransportSecurity`); nil for clear text.
    ///   - logger: The log of the server. Connections that end with an error are logged at debug level.
    /// - Returns: The running server.
    /// - Throws: `StartupError` if an address cannot be bound; the others are then released again.
    public static func listen(
        on addresses: [ServerAddress],
        services: [RPCService],
        configuration: ServerConfiguration = ServerConfiguration(),
        security: ChannelSecurity? = nil,
        logger: Logger = Logger(label: "rpc-server")
    ) async throws(StartupError) -> RPCServer {
        try await start(
            on: addresses.map { ListeningEndpoint($0, wire: .all, security: $0.isTCP ? security : nil) },
            services: services,
            configuration: configuration,
            logger: logger
        )
    }

    /// The limits of new connections.
    package var configuration: ServerConfiguration { context.value.configuration }

    /// Replaces the limits. Those of a connection hold for new connections; the limits of open connections, and the
    /// settings of the listening sockets (`maximumUnsentBytes`, `keepaliveTimeout`), stay as they were.
    package func apply(_ configuration: ServerConfiguration) {
        parts.registry.limit(
            to: min(configuration.maximumConnections, DescriptorLimit.connections),
            perAddress: configuration.maximumConnectionsPerAddress
        )
        context.apply(configuration)
    }

    /// Waits until the server has stopped: it was told to, and every call has ended or reached the drain limit.
    public func run() async { try? await stopped.futureResult.get() }

    /// Stops the server: it accepts no new connection and no new call, lets running calls finish within the drain
    /// limit, answers the remaining ones with UNAVAILABLE (DRAINING), and closes. May be called more than once, from
    /// any thread.
    package func stop() {
        guard !hasBegunToStop.exchange(true, ordering: .relaxed) else { return }
        for listener in listeners { listener.stop() }
        parts.registry.drain()
        let loop = stopped.futureResult.eventLoop
        let configuration = context.value.configuration
        let drainTimeout = TimeAmount(configuration.drainTimeout)
        let end = loop.scheduleTask(in: drainTimeout) { [registry = parts.registry] in registry.endDrain() }
        // Closes connections whose peers do not read their last answers, or do not close their side.
        let close = loop.scheduleTask(in: drainTimeout + TimeAmount(configuration.lingerTimeout)) { [parts] in
            parts.registry.closeAll()
        }
        allConnectionsClosed(on: loop).whenComplete { [stopped, parts] _ in
            end.cancel()
            close.cancel()
            let rest = parts.counters.takeUnloggedFailures()
            if !rest.isEmpty { parts.accessLog?.log(rest) }
            stopped.succeed()
        }
    }

    /// Stops the server, and waits until it has stopped: it accepts no new connection and no new call, and ends watches.
    /// Other calls have `ServerConfiguration.drainTimeout` to finish; then they end with UNAVAILABLE (DRAINING).
    public func drain() async {
        stop()
        await run()
    }

    /// Stops the server without a time for running calls, which end with UNAVAILABLE (DRAINING). It waits for peers to take
    /// their last answers, at most `ServerConfiguration.lingerTimeout`.
    public func close() async {
        stop()
        parts.registry.endDrain()
        let close = stopped.futureResult.eventLoop.scheduleTask(in: TimeAmount(configuration.lingerTimeout)) {
            [parts] in parts.registry.closeAll()
        }
        await run()
        close.cancel()
    }

    /// Waits for all connections. One that was accepted just before its listener ended is registered once its event
    /// loop has had a turn.
    private func allConnectionsClosed(on loop: any EventLoop) -> EventLoopFuture<Void> {
        EventLoopFuture.andAllComplete(listeners.map(\.endFuture), on: loop)
            .flatMap { [group] in
                EventLoopFuture.andAllComplete(group.makeIterator().map { $0.submit {} }, on: loop)
            }
            .flatMap { [parts] in parts.registry.whenEmpty(on: loop) }
    }

    /// Whether connections are accepted at every endpoint. False while an address cannot be bound again.
    package var isListening: Bool { listeners.allSatisfy(\.isListening) }

    /// Whether the server stops, or has stopped.
    package var isStopping: Bool { hasBegunToStop.load(ordering: .relaxed) }

    // MARK: Counters

    /// The number of open connections.
    package var connectionCount: Int { parts.registry.count }

    /// The number of tasks that run for calls. A task that ignores its cancellation is still counted after its call and
    /// its connection have ended.
    package var runningTaskCount: Int { parts.counters.runningTasks }

    /// The number of timers of connections and calls that have neither fired nor been cancelled.
    package var runningTimerCount: Int { parts.counters.runningTimers }

    /// The number of bytes that wait for peers that do not read.
    package var unsentByteCount: Int { parts.unsent.byteCount }

    /// The number of bytes of frames and requests that are kept.
    package var inboundByteCount: Int { parts.inbound.byteCount }

    /// Returns the number of times that an event has happened since the start.
    package func count(of event: ServerEvent) -> Int { parts.counters.value(of: event) }

    /// Returns the number of times that an event about a caller has happened since the start.
    package func count(of event: CallerEvent) -> Int { parts.counters.value(of: event) }

    /// The counts of all events since the start and the current numbers, by name, for a log.
    package var counters: Logger.Metadata {
        let present = [
            "openConnections": connectionCount, "runningTasks": runningTaskCount,
            "runningTimers": runningTimerCount, "unsentBytes": unsentByteCount,
            "inboundBytes": inboundByteCount,
        ]
        return parts.counters.metadata.merging(present.mapValues { .stringConvertible($0) }) { _, now in now }
    }
}
