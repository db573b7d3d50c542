package import Logging
package import NIOCore
package import RPCCore
internal import Synchronization

/// The state and settings that the connections of one server share.
package struct ServerContext: Sendable {
    let methods: MethodTable
    package private(set) var configuration: ServerConfiguration
    /// The timeout of calls that set none, in the unit of the clock: converting it took 3 % of a short call.
    package private(set) var unaryTimeout: TimeAmount
    let counters: ServerCounters
    /// The log of calls; nil if they are not logged.
    let accessLog: (any AccessLog)?
    /// The bytes that wait for peers that do not read.
    package let unsent: SharedBudget
    /// The bytes of frames and requests that were received.
    package let inbound: SharedBudget
    let access: AccessControl
    /// The quotas of callers.
    let accounts: CallerAccounts
    let registry: ConnectionRegistry
    let caller: CallerOfAddress
    package let logger: Logger

    package init(
        services: [RPCService],
        configuration: ServerConfiguration,
        access: AccessControl = AccessControl(),
        caller: @escaping CallerOfAddress,
        group: any EventLoopGroup,
        accessLog: (any AccessLog)? = nil,
        logger: Logger
    ) {
        self.methods = MethodTable(services)
        self.configuration = configuration
        self.unaryTimeout = TimeAmount(configuration.unaryTimeout)
        self.counters = ServerCounters(group, log: accessLog?.rules)
        self.accessLog = accessLog
        self.unsent = SharedBudget(maximum: configuration.maximumTotalUnsentBytes)
        self.inbound = SharedBudget(maximum: configuration.maximumTotalInboundBytes)
        self.caller = caller
        registry = ConnectionRegistry(
            maximum: min(configuration.maximumConnections, DescriptorLimit.connections),
            maximumPerAddress: configuration.maximumConnectionsPerAddress,
            makesRoom: configuration.makesRoom
        )
        self.accounts = CallerAccounts(configuration.quotas)
        self.access = access
        self.logger = logger
    }

    /// Sets the limits for new connections, and those that all connections share.
    mutating func apply(_ configuration: ServerConfiguration) {
        self.configuration = configuration
        unaryTimeout = TimeAmount(configuration.unaryTimeout)
        accounts.quotas = configuration.quotas
        unsent.maximum = configuration.maximumTotalUnsentBytes
        inbound.maximum = configuration.maximumTotalInboundBytes
    }

    /// The number of tasks that run for calls, also for those that were cancelled.
    package var runningTaskCount: Int { counters.runningTasks }

    /// Whether no timer runs, no work of a call, and nothing is kept for a peer: so it is when all connections are closed and
    /// all work has ended.
    package var isIdle: Bool {
        runningTaskCount == 0 && counters.runningTimers == 0 && unsent.byteCount == 0 && inbound.byteCount == 0
    }

    /// Returns the counters of an event loop, which only that loop changes.
    package func counters(of eventLoop: any EventLoop) -> EventCounters { counters.counters(of: eventLoop) }

    /// Notes that a request or an answer of a connection has ended.
    package func noteProgress(of channel: any Channel, isAnswering: Bool) {
        registry.noteProgress(of: channel, isAnswering: isAnswering)
    }
}

/// The state and settings for new connections. The settings may be replaced while the server runs; open connections keep
/// those that they began with.
final class CurrentContext: Sendable {
    private let context: Mutex<ServerContext>

    init(_ context: ServerContext) { self.context = Mutex(context) }

    var value: ServerContext { context.withLock { $0 } }

    func apply(_ configuration: ServerConfiguration) { context.withLock { $0.apply(configuration) } }
}
