package import Logging
package import NIOCore
package import RPCCore
internal import WireMessages

/// The state and settings that the connections of one server share.
package struct ServerContext: Sendable {
    let methods: MethodTable
    package let configuration: ServerConfiguration
    /// The timeout of calls that set none, in the unit of the clock: converting it took 3 % of a short call.
    package let unaryTimeout: TimeAmount
    let counters: ServerCounters
    /// The bytes that wait for peers that do not read.
    package let unsent: SharedBudget
    /// The bytes of frames and requests that were received.
    package let inbound: SharedBudget
    /// The quotas of callers.
    let accounts: CallerAccounts
    let refusals: EncodedRefusals
    package let logger: Logger

    init(services: [Service], configuration: ServerConfiguration, group: any EventLoopGroup, logger: Logger) {
        self.methods = MethodTable(services)
        self.configuration = configuration
        self.unaryTimeout = TimeAmount(configuration.unaryTimeout)
        self.counters = ServerCounters(group)
        self.unsent = SharedBudget(maximum: configuration.maximumTotalUnsentBytes)
        self.inbound = SharedBudget(maximum: configuration.maximumTotalInboundBytes)
        self.accounts = CallerAccounts(configuration.quotas)
        self.refusals = EncodedRefusals(maximumStreams: configuration.limits.maximumStreams)
        self.logger = logger
    }

    /// Returns the counters of an event loop, which only that loop changes.
    package func counters(of eventLoop: any EventLoop) -> EventCounters { counters.counters(of: eventLoop) }

    /// Returns the method of a path.
    ///
    /// - Throws: UNIMPLEMENTED.
    package func method(_ path: MethodPath) throws(RPCError) -> RPCCore.Method {
        try methods.method(path.method, of: path.service)
    }
}

/// The refusals that an overloaded server sends most often, encoded once.
struct EncodedRefusals: Sendable {
    private let streamLimit: ByteBuffer
    private let draining: ByteBuffer

    /// - Parameter maximumStreams: The limit that the refusal names.
    init(maximumStreams: Int) {
        streamLimit = ResponseEnvelope(status: Refusal.streamLimit(maximumStreams).error).encoded()
        draining = ResponseEnvelope(status: Refusal.draining.error).encoded()
    }

    /// Returns the data of a refused call's Response.
    func response(to refusal: Refusal) -> ByteBuffer {
        switch refusal {
        case .streamLimit: streamLimit
        case .draining: draining
        default: ResponseEnvelope(status: refusal.error).encoded()
        }
    }
}
