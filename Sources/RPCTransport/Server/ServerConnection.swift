internal import Framing
internal import Logging
internal import NIOCore
internal import RPCCore
internal import WireMessages

/// One connection: bytes in, frames to the machine, what it decides carried out, bytes out.
///
/// Everything runs on the connection's event loop. What memory can answer is answered in the turn in which it arrived,
/// and everything that one read brought in is answered with one write.
final class ServerConnection {
    let context: ChannelHandlerContext
    let server: ServerContext
    let methods: MethodTable
    let configuration: ServerConfiguration
    let counters: EventCounters
    /// This connection, where its calls share something with those of others.
    let caller = CallerID.next()

    // Touched several times a call, by methods that call no one who could come back while they change it: the checks
    // for overlapping access that Swift makes at run time found nothing and took 7 % of a page's time.
    @exclusivity(unchecked) var machine: ServerConnectionStateMachine
    @exclusivity(unchecked) var outbound = AnswerBuffer()
    @exclusivity(unchecked) var calls: [StreamID: ActiveCall] = [:]
    @exclusivity(unchecked) var watchdog: ConnectionWatchdog
    @exclusivity(unchecked) var keepalive: Keepalive
    @exclusivity(unchecked) private var decoder: FrameDecoder
    @exclusivity(unchecked) private var inbound = ByteBuffer()
    /// `inbound` is what the channel read into, and would use again.
    @exclusivity(unchecked) private var inboundIsReceiveBuffer = false
    /// The time of this turn of the event loop, read once for all that it brings.
    @exclusivity(unchecked) var now: NIODeadline
    /// As the channel said last: asking it for each frame costs as much as cutting the frame.
    @exclusivity(unchecked) var isWritable = true
    /// The peer sends nothing more.
    @exclusivity(unchecked) var isInputClosed = false
    /// Nothing more is made; what was made is sent, if the peer takes it.
    @exclusivity(unchecked) var isClosing = false
    /// Requests wait in `held`; those that come now wait behind them.
    @exclusivity(unchecked) private var isHolding = false

    /// Calls that have something to send, or could make it, in turn.
    var readyCalls: [ActiveCall] = []
    var isPumpScheduled = false
    /// When some call may have waited for as long as it wanted to, or earlier; nil while none does.
    var waitCheck: NIODeadline?
    var held: HeldRequests
    var isClosed = false
    var ending = ConnectionEnding()
    /// Something was received in this turn.
    private var hasReceived = false

    /// Where the calls' work runs.
    private(set) lazy var executor = EventLoopExecutor(context.eventLoop)
    var timer: LoopTimer?
    /// The parts of the server's budgets that this connection has used so far.
    var unsentShare: SharedBudget.Share?
    private var inboundShare: SharedBudget.Share?
    /// The bytes of large requests whose work is under way.
    private var workingRequestBytes = 0
    /// When to look whether grown buffers are still used; nil while there are none.
    var storageCheck: NIODeadline?
    /// Something was sent since the last such look.
    var hasFlushed = false
    var isPongUnflushed = false
    /// When to look whether the peer has acknowledged what was sent, and how much that was; nil while nothing was sent.
    var deliveryCheck: (time: NIODeadline, flushedBytes: Int)?
    /// The kernel ends the connection if the peer acknowledges nothing for a while. Over TCP only, until the peer first
    /// lets bytes wait.
    var hasUserTimeout: Bool
    let isTCP: Bool
    /// All bytes that were handed to the channel.
    var flushedBytes = 0
    /// Inside a write.
    var isFlushing = false

    init(context: ChannelHandlerContext, server: ServerContext) {
        let now = NIODeadline.now()
        // Whoever may open a unix socket is trusted to hold it and say nothing.
        let isUnix = context.channel.localAddress?.pathname != nil
        var limits = server.configuration.limits
        if isUnix { limits.idleTimeout = nil }
        self.context = context
        self.server = server
        self.methods = server.methods
        self.configuration = server.configuration
        self.counters = server.counters.counters(of: context.eventLoop)
        self.now = now
        self.hasUserTimeout = !isUnix
        self.isTCP = !isUnix
        self.machine = ServerConnectionStateMachine(limits: limits, now: now)
        self.decoder = FrameDecoder(
            maximumDataLength: limits.maximumFrameLength,
            maximumUnnamedLength: limits.maximumUnnamedFrameLength
        )
        self.held = HeldRequests(maximumCount: limits.maximumStreams, maximumBytes: limits.maximumHeldBytes)
        self.watchdog = ConnectionWatchdog(
            frameTimeout: limits.frameTimeout,
            writeTimeout: limits.writeTimeout,
            minimumReadRate: limits.minimumReadRate,
            firstFrameBegins: isUnix ? nil : now
        )
        self.keepalive = Keepalive(interval: limits.keepaliveInterval, timeout: limits.keepaliveTimeout, now: now)
        armTimer()
    }

    // MARK: What is kept of what came in

    /// Gives the receive buffer back, to be used for the next read, and keeps a copy of what no frame has taken.
    func settleInbound() {
        if inbound.readableBytes == 0 {
            inbound = ByteBuffer()
        } else if inboundIsReceiveBuffer || inbound.readerIndex > 0 {
            inbound = ByteBuffer(bytes: inbound.readableBytesView)
        }
        inboundIsReceiveBuffer = false
        reportInboundBytes()
    }

    /// Tells the server what is kept here: unfinished frames, requests that wait, and large ones that are worked on.
    func reportInboundBytes() {
        let kept = isClosed ? 0 : inbound.storageCapacity + held.byteCount + workingRequestBytes
        let byteCount = kept < Self.uncountedBytes ? 0 : kept
        if inboundShare == nil {
            guard byteCount > 0 else { return }
            inboundShare = server.inbound.makeShare(of: context.channel)
        }
        inboundShare?.hold(byteCount)
    }

    /// A task begins that holds a request of this size.
    func requestWorkBegan(byteCount: Int) {
        guard byteCount >= Self.uncountedBytes else { return }
        workingRequestBytes += byteCount
        reportInboundBytes()
    }

    func requestWorkEnded(byteCount: Int) {
        guard byteCount >= Self.uncountedBytes else { return }
        workingRequestBytes -= byteCount
        reportInboundBytes()
    }

    func giveBackShares() {
        unsentShare?.giveBack()
        inboundShare?.giveBack()
        (unsentShare, inboundShare) = (nil, nil)
    }

    /// The bytes of one connection that are not worth counting.
    private static let uncountedBytes = 1024

    // MARK: Bytes in

    /// Whether to read. A peer that reads nothing is still read from, until what it asks for fills what is kept of it:
    /// its Cancel, Credit and Pong may be what is waited for.
    var isReading: Bool { isWritable || !held.isFull }

    func received(_ bytes: ByteBuffer) {
        guard !isClosing else { return receivedWhileClosing(bytes.readableBytes) }
        hasReceived = true
        now = .now()
        keepalive.bytesReceived(now: now)
        if inbound.readableBytes == 0 {
            inbound = bytes
            inboundIsReceiveBuffer = true
        } else {
            inbound.discardReadBytes()
            inbound.writeImmutableBuffer(bytes)
        }
        processInbound()
    }

    /// Everything that one read brought in has been seen. A read that brought nothing brought the end: whoever writes
    /// in the middle of that, to a peer that is gone, closes the channel while NIO still works on it.
    func readCompleted() {
        guard hasReceived else { return }
        hasReceived = false
        turnEnded()
        settleInbound()
    }

    /// What this turn of the event loop made possible is made and sent.
    func turnEnded() {
        pump()
        flush()
        if isInputClosed { closeIfFinished() }
    }

    func processInbound() {
        do throws(ConnectionError) {
            if isHolding { releaseHeld() }
            while !isClosing, !(isHolding && held.isFull), let output = try nextOutput() {
                watchdog.frameEnded()
                if !isHolding, hasRoom() {
                    process(output)
                } else {
                    hold(output)
                }
            }
        } catch {
            return close(because: error)
        }
        // What is left over while the peer does not read is whole frames for all we know: no frame is late then.
        if !isClosing, isWritable, decoder.isInsideFrame(inbound) {
            watchdog.frameBegan(now: now)
            armTimer()
        }
    }

    private func nextOutput() throws(ConnectionError) -> FrameDecoder.Output? {
        try decoder.next(from: &inbound) { [methods] header, beginning in
            header.type == .request ? methods.maximumFrameLength(ofRequestBeginning: beginning) : 0
        }
    }

    private func process(_ output: FrameDecoder.Output) {
        switch output {
        case .frame(let frame):
            carryOut(machine.frameReceived(frame, now: now), frame.data)
        case .oversized(let header, let maximum):
            let action = machine.oversizedFrameReceived(header, maximum: maximum, now: now)
            carryOut(action, ByteBuffer())
        }
    }

    /// The peer does not read: its requests wait, unanswered and undecoded.
    private func hold(_ output: FrameDecoder.Output) {
        switch held.frameReceived(output, obeysCancel: machine.peerSpeaksExtensions) {
        case .hold: counters.count(.frameHeld)
        case .withdraw: carryOut(machine.requestWithdrawn(now: now), ByteBuffer())
        case .process: process(output)
        }
        isHolding = !held.isEmpty
    }

    private func releaseHeld() {
        while !isClosing, hasRoom(), let output = held.next() { process(output) }
        isHolding = !held.isEmpty
    }

    private func carryOut(_ action: ServerConnectionStateMachine.OnFrame, _ data: ByteBuffer) {
        switch action {
        case .startCall(let id, let wantsStream):
            startCall(id, wantsStream: wantsStream, request: data)
        case .stopCall(let id):
            counters.count(.cancelReceived)
            end(id)
        case .failCall(let id, let refusal):
            counters.count(ServerEvent(refusal))
            fail(id, refusal.error)
        case .resumeCall(let id):
            if let call = calls[id] { readyCalls.append(call) }
        case .refuse(let id, let refusal):
            refuse(id, refusal)
        case .readHello:
            answerHello(data)
        case .sendPong:
            isPongUnflushed = true
            outbound.writeToConnection(.pong, data)
        case .done:
            break
        case .ignore:
            counters.count(.frameIgnored)
        case .endConnection(let farewell):
            end(farewell)
        }
    }

    func refuse(_ id: StreamID, _ refusal: Refusal) {
        counters.count(ServerEvent(refusal))
        outbound.writeEncodedResponse(server.refusals.response(to: refusal), on: id)
    }

    private func answerHello(_ data: ByteBuffer) {
        let hello: HelloMessage
        do {
            hello = try HelloMessage(decoding: data, limit: .request)
        } catch {
            return close(because: .malformedHello)
        }
        guard machine.helloReceived(initialCredit: hello.initialCredit) == .sendHello else { return }
        outbound.limit(to: hello.maximumFrameLength)
        let answer = HelloMessage(
            version: 1,
            software: configuration.software,
            initialCredit: 0,
            maximumFrameLength: UInt32(clamping: configuration.limits.maximumFrameLength),
            maximumStreams: UInt32(clamping: configuration.limits.maximumStreams)
        )
        outbound.writeToConnection(.hello, answer.encoded())
        helloAnswered()
        armTimer()
    }
}
