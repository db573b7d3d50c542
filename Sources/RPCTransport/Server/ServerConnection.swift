internal import Framing
internal import Logging
internal import NIOCore
internal import RPCCore
internal import WireMessages

/// One connection: it reads bytes, gives frames to the state machine, carries out its actions, and writes bytes.
///
/// Everything runs on the connection's event loop. Answers from memory are made in the turn in which their requests
/// arrived, and all answers to one read leave with one write.
final class ServerConnection: ServerChannelConnection {
    let context: ChannelHandlerContext
    let server: ServerContext
    let methods: MethodTable
    let configuration: ServerConfiguration
    let counters: EventCounters
    let calls: ConnectionCalls

    var machine: ServerConnectionStateMachine
    var outbound = AnswerBuffer()
    var delivery: WriteTimeout
    /// The time at which the frame that has begun to arrive has to be complete, and at first the time for the first one. It does
    /// not move with each byte, so a peer that sends byte by byte gains no time. Nil also while the peer does not read: then the
    /// rest of its frame may have arrived long ago.
    var frameDeadline: NIODeadline?
    var keepalive: Keepalive
    private var decoder: FrameDecoder
    private var inbound = ByteBuffer()
    /// Whether `inbound` is the buffer that the channel read into, and would reuse.
    private var inboundIsReceiveBuffer = false
    /// The time of this turn of the event loop, read once for the whole turn.
    var now: NIODeadline
    /// The channel's writability at its last change: asking it for each frame costs as much as decoding the frame.
    var isWritable = true
    /// Whether the peer sends nothing more.
    var isInputClosed = false
    /// Whether the connection is closing: no more answers are made; those in the buffer are sent if the peer takes
    /// them.
    var isClosing = false
    /// Whether requests wait in `held`; later ones wait behind them.
    private var isHolding = false

    var held: HeldRequests
    var isClosed = false
    var closingState = ClosingState()
    /// Whether something was received in this turn.
    private var hasReceived = false
    /// Whether a frame was received.
    private var hasReadFrame = false

    var timer: LoopTimer?
    /// The parts of the server's budgets that this connection uses.
    var unsentShare: SharedBudget.Share?
    private var inboundShare: SharedBudget.Share?
    /// The bytes of large requests whose work is running.
    var workingRequestBytes = 0
    /// The time of the next check whether grown buffers are still used; nil if there are none.
    var storageCheck: NIODeadline?
    /// Whether something was sent since the last such check.
    var hasFlushed = false
    var isPongUnflushed = false
    /// Whether a write is in progress.
    var isFlushing = false

    init(context: ChannelHandlerContext, server: ServerContext) {
        let now = NIODeadline.now()
        // A client that may open a unix socket is trusted to keep it open and silent.
        let isUnix = context.channel.localAddress?.pathname != nil
        var limits = server.configuration.limits
        if isUnix { limits.idleTimeout = nil }
        self.context = context
        self.server = server
        self.methods = server.methods
        self.configuration = server.configuration
        self.counters = server.counters.counters(of: context.eventLoop)
        self.now = now
        self.machine = ServerConnectionStateMachine(limits: limits, now: now)
        self.calls = ConnectionCalls(of: server, on: context.channel)
        self.decoder = FrameDecoder(
            maximumDataLength: limits.maximumFrameLength,
            maximumUnnamedLength: limits.maximumUnnamedFrameLength
        )
        self.held = HeldRequests(maximumCount: limits.maximumStreams, maximumBytes: limits.maximumHeldBytes)
        self.delivery = WriteTimeout(of: context.channel, limits)
        if !isUnix { frameDeadline = now + TimeAmount(limits.frameTimeout) }
        self.keepalive = Keepalive(limits, now: now)
        armTimer()
    }

    // MARK: Buffered input

    /// Gives the receive buffer back, to be used for the next read, and keeps a copy of the bytes that no frame has
    /// taken.
    func settleInbound() {
        if inbound.readableBytes == 0 {
            inbound = ByteBuffer()
        } else if inboundIsReceiveBuffer || inbound.readerIndex > 0 {
            inbound = ByteBuffer(bytes: inbound.readableBytesView)
        }
        inboundIsReceiveBuffer = false
        reportInboundBytes()
    }

    /// Reports to the server's budget the bytes that are kept: unfinished frames, held requests, and large ones in
    /// progress.
    func reportInboundBytes() {
        let kept = isClosed ? 0 : inbound.storageCapacity + held.byteCount + workingRequestBytes
        let byteCount = kept < Self.uncountedBytes ? 0 : kept
        if inboundShare == nil {
            guard byteCount > 0 else { return }
            inboundShare = server.inbound.makeShare(of: context.channel, for: calls.caller)
        }
        inboundShare?.hold(byteCount, for: calls.caller)
    }

    func giveBackShares() {
        unsentShare?.giveBack()
        inboundShare?.giveBack()
        (unsentShare, inboundShare) = (nil, nil)
    }

    /// The size below which the bytes of one connection are not counted.
    static let uncountedBytes = 1024

    // MARK: Bytes in

    /// Whether to read. The connection still reads from a peer that reads nothing, until its requests fill the held
    /// memory: the connection may be waiting for the peer's Cancel, Credit or Pong.
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

    /// Ends a read. A read without data is the end of the input. Writing then, to a peer that is gone, would close the
    /// channel while NIO still works on it.
    func readCompleted() {
        guard hasReceived else { return }
        hasReceived = false
        turnEnded()
        settleInbound()
    }

    /// Makes and sends all answers that this turn of the event loop made possible.
    func turnEnded() {
        calls.sendMessages(on: self)
        flush()
        if isInputClosed { closeIfFinished() }
    }

    func processInbound() {
        do throws(ConnectionError) {
            if isHolding { releaseHeld() }
            while !isClosing, !(isHolding && held.isFull), let output = try nextOutput() {
                frameDeadline = nil
                hasReadFrame = true
                if !isHolding, hasRoom() {
                    process(output)
                } else {
                    hold(output)
                }
            }
        } catch {
            return error == .notThisProtocol(.http) && !hasReadFrame ? answerHTTP() : close(because: error)
        }
        // The bytes left over while the peer does not read may be whole frames, so no frame is late then.
        if !isClosing, isWritable, decoder.isInsideFrame(inbound) {
            if frameDeadline == nil { frameDeadline = now + TimeAmount(configuration.limits.frameTimeout) }
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

    /// Keeps a frame while the peer does not read: its requests wait, unanswered and undecoded.
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
            calls.runner.cancel(id)
            calls.performActions(on: self)
        case .failCall(let id, let refusal):
            counters.count(ServerEvent(refusal))
            calls.runner.fail(id, refusal.error)
            calls.performActions(on: self)
        case .grantCredit(let id, let messages):
            if !calls.runner.grant(messages, to: id) { counters.count(.frameIgnored) }
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
        case .endConnection(let termination):
            end(termination)
        }
    }

    func refuse(_ id: StreamID, _ refusal: Refusal) {
        counters.count(ServerEvent(refusal))
        calls.countRefused(now: now)
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
        calls.helloReceived(credentials: hello.authorization)
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
