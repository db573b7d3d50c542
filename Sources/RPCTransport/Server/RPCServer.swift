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
    private struct State {
        var isStopping = false
        /// Why it stops by itself.
        var failure: ListeningError?
    }

    /// Where it really listens: a port 0 has become the port that was free.
    package let addresses: [ServerAddress]
    private let listeners: [Listener]
    private let registry: ConnectionRegistry
    private let eventCounters: ServerCounters
    private let unsent: SharedBudget
    private let inbound: SharedBudget
    private let configuration: ServerConfiguration
    private let group: any EventLoopGroup
    private let state = Mutex(State())
    private let stopped: EventLoopPromise<Void>

    private init(
        listeners: [Listener],
        registry: ConnectionRegistry,
        server: ServerContext,
        group: any EventLoopGroup
    ) {
        self.addresses = listeners.map(\.address)
        self.listeners = listeners
        self.registry = registry
        self.eventCounters = server.counters
        self.unsent = server.unsent
        self.inbound = server.inbound
        self.configuration = server.configuration
        self.group = group
        self.stopped = group.next().makePromise()
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
        var listeners: [Listener] = []
        do throws(StartupError) {
            for address in wanted {
                listeners.append(try await Listener.open(address, bootstrap: bootstrap, logger: logger))
            }
        } catch {
            for listener in listeners { listener.stop() }
            for listener in listeners { try? await listener.endFuture.get() }
            throw error
        }
        let running = RPCServer(listeners: listeners, registry: registry, server: server, group: group)
        for listener in listeners { listener.endFuture.whenFailure { running.listenerFailed($0) } }
        return running
    }

    /// Returns when the server has stopped: after `stop()`, and after every call has ended or had its time.
    ///
    /// - Returns: The reason, if the server stopped by itself.
    @discardableResult
    package func run() async -> ListeningError? {
        try? await stopped.futureResult.get()
        return state.withLock(\.failure)
    }

    /// Whoever is connected is served to the end, as with every other stop.
    private func listenerFailed(_ error: any Error) {
        state.withLock { $0.failure = error as? ListeningError }
        stop()
    }

    /// Takes no new connection and no new call, lets running calls finish within the drain limit, answers those that are
    /// left with UNAVAILABLE (DRAINING), and closes. May be called more than once, from anywhere.
    package func stop() {
        let isFirst = state.withLock { state in
            defer { state.isStopping = true }
            return !state.isStopping
        }
        guard isFirst else { return }
        for listener in listeners { listener.stop() }
        registry.drain()
        let loop = stopped.futureResult.eventLoop
        let drainTimeout = TimeAmount(configuration.drainTimeout)
        let end = loop.scheduleTask(in: drainTimeout) { [registry] in registry.endDrain() }
        // For those that do not read what they are told last, or do not close their side.
        let close = loop.scheduleTask(in: drainTimeout + TimeAmount(configuration.lingerTimeout)) { [registry] in
            registry.closeAll()
        }
        allConnectionsClosed(on: loop).whenComplete { [stopped] _ in
            end.cancel()
            close.cancel()
            stopped.succeed()
        }
    }

    /// A connection that was accepted just before its listener ended is known once its event loop has had a turn.
    private func allConnectionsClosed(on loop: any EventLoop) -> EventLoopFuture<Void> {
        EventLoopFuture.andAllComplete(listeners.map(\.endFuture), on: loop)
            .flatMap { [group] in
                EventLoopFuture.andAllComplete(group.makeIterator().map { $0.submit {} }, on: loop)
            }
            .flatMap { [registry] in registry.whenEmpty(on: loop) }
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
