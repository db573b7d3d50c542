package import Framing
package import Logging
internal import NIOCore
internal import NIOPosix
package import RPCCore
internal import Synchronization

/// Serves methods over framed TCP and unix sockets.
///
///     let server = try await RPCServer.start(on: [.default], services: [service], …)
///     try await server.run()          // until `stop()`
///
/// One event loop per core; a connection lives on one of them.
package final class RPCServer: Sendable {
    private enum State {
        case running
        case stopping
    }

    /// Where it really listens: a port 0 has become the port that was free.
    package let addresses: [ServerAddress]
    private let listeners: [any Channel]
    private let registry: ConnectionRegistry
    private let eventCounters: ServerCounters
    private let unsent: SharedBudget
    private let inbound: SharedBudget
    private let drainTimeout: Duration
    private let state = Mutex(State.running)
    private let stopped: EventLoopPromise<Void>

    private init(
        addresses: [ServerAddress],
        listeners: [any Channel],
        registry: ConnectionRegistry,
        server: ServerContext,
        eventLoop: any EventLoop
    ) {
        self.addresses = addresses
        self.listeners = listeners
        self.registry = registry
        self.eventCounters = server.counters
        self.unsent = server.unsent
        self.inbound = server.inbound
        self.drainTimeout = server.configuration.drainTimeout
        self.stopped = eventLoop.makePromise()
    }

    /// Binds every address and begins to serve.
    ///
    /// - Parameters:
    ///   - wanted: Where to listen.
    ///   - services: What to serve.
    ///   - configuration: The limits.
    ///   - logger: Where connections that end badly are noted, at debug level.
    /// - Returns: The running server.
    /// - Throws: An address that cannot be had; the others are then released again.
    package static func start(
        on wanted: [ServerAddress],
        services: [Service],
        configuration: ServerConfiguration = ServerConfiguration(),
        logger: Logger
    ) async throws(StartupError) -> RPCServer {
        let group = MultiThreadedEventLoopGroup.singleton
        let registry = ConnectionRegistry(
            maximum: min(configuration.maximumConnections, DescriptorLimit.connections),
            maximumPerAddress: configuration.maximumConnectionsPerAddress
        )
        let server = ServerContext(services: services, configuration: configuration, group: group, logger: logger)
        let bootstrap = ListenerBootstrap(group: group, server: server, registry: registry)
        var listeners: [any Channel] = []
        do throws(StartupError) {
            for address in wanted { listeners.append(try await bootstrap.listen(on: address)) }
        } catch {
            for listener in listeners { try? await listener.close() }
            throw error
        }
        return RPCServer(
            addresses: zip(wanted, listeners).map { wanted, listener in listener.boundAddress(for: wanted) },
            listeners: listeners,
            registry: registry,
            server: server,
            eventLoop: group.next()
        )
    }

    /// Returns when the server has stopped: after `stop()`, and after every call has ended or had its time.
    package func run() async {
        try? await stopped.futureResult.get()
    }

    /// Takes no new connection and no new call, lets running calls finish within the drain limit, and closes.
    /// May be called more than once, from anywhere.
    package func stop() {
        let isFirst = state.withLock { state in
            defer { state = .stopping }
            return state == .running
        }
        guard isFirst else { return }
        for listener in listeners { listener.close(promise: nil) }
        registry.drain()
        let loop = stopped.futureResult.eventLoop
        let deadline = loop.scheduleTask(in: TimeAmount(drainTimeout)) { [registry] in registry.closeAll() }
        let closed = listeners.map(\.closeFuture) + [registry.whenEmpty(on: loop)]
        EventLoopFuture.andAllComplete(closed, on: loop).whenComplete { [stopped] _ in
            deadline.cancel()
            stopped.succeed()
        }
    }

    // MARK: What is there, and what was

    /// Connections that are open now.
    package var connectionCount: Int { registry.count }

    /// Tasks that run for calls now. One that does not heed its cancellation is still counted when its call has ended,
    /// and when its connection has.
    package var runningTaskCount: Int { eventCounters.runningTasks }

    /// Timers of connections and calls that have neither fired nor been cancelled.
    package var runningTimerCount: Int { eventCounters.runningTimers }

    /// Bytes that wait now for peers that do not read.
    package var unsentByteCount: Int { unsent.byteCount }

    /// Bytes of frames and requests that are kept now.
    package var inboundByteCount: Int { inbound.byteCount }

    /// How often something has happened since the start.
    package func count(of event: ServerEvent) -> Int { eventCounters.value(of: event) }

    /// All that has happened since the start and what is there now, by name, for a log.
    package var counters: Logger.Metadata {
        let present = [
            "openConnections": connectionCount, "runningTasks": runningTaskCount,
            "runningTimers": runningTimerCount, "unsentBytes": unsentByteCount,
            "inboundBytes": inboundByteCount,
        ]
        return eventCounters.metadata.merging(present.mapValues { .stringConvertible($0) }) { _, now in now }
    }
}
