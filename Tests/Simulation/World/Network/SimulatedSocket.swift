internal import NIOCore
internal import RPCServer

/// A server's end of a connection of the simulated network, in the place of a socket. Now and then it takes no more bytes for a
/// while.
///
/// `@unchecked Sendable`: a simulation has one thread.
final class SimulatedSocket: Channel, ChannelCore, @unchecked Sendable {
    let loop: SimulatedEventLoop
    private let scheduler: SeededScheduler
    private let closed: EventLoopPromise<Void>
    private var written: [(bytes: ByteBuffer, promise: EventLoopPromise<Void>?)] = []
    private(set) var isWritable = true
    private(set) var isActive = false
    private(set) lazy var pipeline = ChannelPipeline(channel: self)
    let remoteAddress = try? SocketAddress(ipAddress: "127.0.0.1", port: 1)
    /// The way to the client; nil if the connection is closed.
    private var link: SimulatedLink?

    init(on scheduler: SeededScheduler) {
        self.scheduler = scheduler
        loop = SimulatedEventLoop(on: scheduler)
        closed = loop.makePromise()
    }

    func open(_ link: SimulatedLink, to server: ServerContext) {
        self.link = link
        isActive = true
        loop.perform { [self] in try? ServerWire.framed.open(self, server, false) }
    }

    // MARK: Events

    func received(_ bytes: ByteBuffer) {
        loop.perform { [self] in
            guard isActive else { return }
            pipeline.syncOperations.fireChannelRead(NIOAny(bytes))
            pipeline.syncOperations.fireChannelReadComplete()
        }
    }

    func fire(_ event: any Sendable) {
        loop.perform { [self] in
            if isActive { pipeline.syncOperations.fireUserInboundEventTriggered(event) }
        }
    }

    /// Closes, because the client is gone or the server ends. Unsent bytes are lost.
    func lost() {
        link?.lose()
        link = nil
        loop.perform { [self] in close0(error: ChannelError.eof, mode: .all, promise: nil) }
    }

    /// Whether no call is open.
    var isIdle: Bool {
        guard isActive else { return true }
        let inspection = ConnectionInspection()
        loop.run { pipeline.syncOperations.fireUserInboundEventTriggered(inspection) }
        return inspection.activity?.openCalls ?? 0 == 0
    }

    // MARK: The channel

    func write0(_ data: NIOAny, promise: EventLoopPromise<Void>?) { written.append((unwrapData(data), promise)) }

    func flush0() {
        let sent = written
        written = []
        for (bytes, promise) in sent {
            if bytes.readableBytes > 0 { link?.sendToClient(bytes) }
            promise?.succeed()
        }
        guard isActive, isWritable, scheduler.happens(10) else { return }
        setWritable(false)
        loop.perform { [self] in setWritable(true) }
    }

    private func setWritable(_ isWritable: Bool) {
        self.isWritable = isWritable
        if isActive { pipeline.syncOperations.fireChannelWritabilityChanged() }
    }

    func close0(error: any Error, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard isActive else { promise?.fail(ChannelError.alreadyClosed); return }
        link?.closeToClient()
        promise?.succeed()
        guard mode != .output else { return }
        (link, isActive) = (nil, false)
        pipeline.syncOperations.fireChannelInactive()
        loop.perform { [self] in
            removeHandlers(pipeline: pipeline)
            closed.succeed()
        }
    }

    var eventLoop: any EventLoop { loop }
    var allocator: ByteBufferAllocator { ByteBufferAllocator() }
    var closeFuture: EventLoopFuture<Void> { closed.futureResult }
    var localAddress: SocketAddress? { nil }
    var parent: (any Channel)? { nil }
    var _channelCore: any ChannelCore { self }

    // MARK: Unused requirements

    func setOption<Option: ChannelOption>(_ option: Option, value: Option.Value) -> EventLoopFuture<Void> {
        loop.makeFailedFuture(ChannelError.operationUnsupported)
    }

    func getOption<Option: ChannelOption>(_ option: Option) -> EventLoopFuture<Option.Value> {
        loop.makeFailedFuture(ChannelError.operationUnsupported)
    }

    func localAddress0() throws -> SocketAddress { throw ChannelError.operationUnsupported }
    func remoteAddress0() throws -> SocketAddress { throw ChannelError.operationUnsupported }
    func register0(promise: EventLoopPromise<Void>?) { promise?.fail(ChannelError.operationUnsupported) }
    func bind0(to: SocketAddress, promise: EventLoopPromise<Void>?) { promise?.fail(ChannelError.operationUnsupported) }
    func connect0(to: SocketAddress, promise: EventLoopPromise<Void>?) {
        promise?.fail(ChannelError.operationUnsupported)
    }

    func registerAlreadyConfigured0(promise: EventLoopPromise<Void>?) {
        promise?.fail(ChannelError.operationUnsupported)
    }

    func triggerUserOutboundEvent0(_ event: Any, promise: EventLoopPromise<Void>?) {
        promise?.fail(ChannelError.operationUnsupported)
    }

    func read0() {}
    func channelRead0(_ data: NIOAny) {}
    func errorCaught0(error: any Error) {}
}
