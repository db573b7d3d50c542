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
    let methods: MethodTable
    let configuration: ServerConfiguration
    private let logger: Logger

    // Touched several times a call, by methods that call no one who could come back while they change it: the checks
    // for overlapping access that Swift makes at run time found nothing and took 7 % of a page's time.
    @exclusivity(unchecked) var machine: ServerConnectionStateMachine
    @exclusivity(unchecked) var outbound = AnswerBuffer()
    @exclusivity(unchecked) var calls: [StreamID: ActiveCall] = [:]
    @exclusivity(unchecked) private var decoder: FrameDecoder
    @exclusivity(unchecked) private var inbound = ByteBuffer()
    @exclusivity(unchecked) private var watchdog: ConnectionWatchdog

    /// Streams that could send their next message, in turn.
    var readyStreams: [StreamID] = []
    var isPumpScheduled = false
    /// As the channel said last: asking it for each frame costs as much as cutting the frame.
    @exclusivity(unchecked) private var isWritable = true
    @exclusivity(unchecked) private(set) var isInputClosed = false
    @exclusivity(unchecked) private(set) var isClosing = false
    private var watchdogTimer: (time: NIODeadline, task: Scheduled<Void>)?

    init(
        context: ChannelHandlerContext,
        methods: MethodTable,
        configuration: ServerConfiguration,
        logger: Logger
    ) {
        self.context = context
        self.methods = methods
        self.configuration = configuration
        self.logger = logger
        self.machine = ServerConnectionStateMachine(maximumStreams: configuration.maximumStreams)
        self.decoder = FrameDecoder(maximumDataLength: configuration.maximumFrameLength)
        // Whoever may open a unix socket is trusted to hold it and say nothing.
        let isUnix = context.channel.localAddress?.pathname != nil
        self.watchdog = ConnectionWatchdog(
            frameTimeout: configuration.frameTimeout,
            writeTimeout: configuration.writeTimeout,
            firstFrameBegins: isUnix ? nil : .now()
        )
        armWatchdog()
    }

    // MARK: Bytes in

    func received(_ bytes: ByteBuffer) {
        if inbound.readableBytes == 0 {
            inbound = bytes
        } else {
            inbound.discardReadBytes()
            inbound.writeImmutableBuffer(bytes)
        }
        processInbound()
    }

    /// Everything that one read brought in has been seen.
    func turnEnded() {
        pump()
        flush()
    }

    func writabilityChanged() {
        isWritable = context.channel.isWritable
        if isWritable {
            watchdog.becameWritable()
            processInbound()
            turnEnded()
        } else {
            watchdog.becameUnwritable(unsentBytes: unsentBytes, now: .now())
            armWatchdog()
        }
    }

    private func processInbound() {
        do throws(ConnectionError) {
            while !isClosing, hasRoom(), let output = try decoder.next(from: &inbound) {
                watchdog.frameEnded()
                switch output {
                case .frame(let frame):
                    carryOut(machine.frameReceived(frame), frame.data)
                case .oversized(let header):
                    let action = machine.oversizedFrameReceived(header, maximum: decoder.maximumDataLength)
                    carryOut(action, ByteBuffer())
                }
            }
        } catch {
            return close(because: error)
        }
        // What is left over while the peer does not read is whole frames for all we know: no frame is late then.
        if !isClosing, isWritable, decoder.isInsideFrame(inbound) {
            watchdog.frameBegan(now: .now())
            armWatchdog()
        }
    }

    private func carryOut(_ action: ServerConnectionStateMachine.OnFrame, _ data: ByteBuffer) {
        switch action {
        case .startCall(let id, let wantsStream):
            startCall(id, wantsStream: wantsStream, request: data)
        case .stopCall(let id):
            end(id)
        case .failCall(let id, let refusal):
            fail(id, refusal.error)
        case .resumeCall(let id):
            readyStreams.append(id)
        case .refuse(let id, let refusal):
            outbound.writeError(refusal.error, on: id)
        case .readHello:
            answerHello(data)
        case .sendPong:
            outbound.writeToConnection(.pong, data)
        case .ignore:
            break
        }
    }

    private func answerHello(_ data: ByteBuffer) {
        let hello: HelloMessage
        do {
            hello = try HelloMessage(decoding: data, limit: .request)
        } catch {
            return close(because: ConnectionError.malformedHello)
        }
        guard machine.helloReceived(initialCredit: hello.initialCredit) == .sendHello else { return }
        let answer = HelloMessage(
            version: 1,
            software: configuration.software,
            initialCredit: 0,
            maximumFrameLength: UInt32(clamping: configuration.maximumFrameLength),
            maximumStreams: UInt32(clamping: configuration.maximumStreams)
        )
        outbound.writeToConnection(.hello, answer.encoded())
    }

    // MARK: Bytes out

    func flush() {
        guard outbound.byteCount > 0 else { return }
        context.writeAndFlush(NIOAny(outbound.bytes), promise: nil)
        outbound.clear()
    }

    /// Whether the peer reads what it is sent. Flushes what is there to find out.
    func hasRoom() -> Bool {
        if outbound.byteCount >= configuration.maximumUnsentBytes { flush() }
        return isWritable
    }

    private var unsentBytes: Int {
        (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    // MARK: The end

    /// The peer sends nothing more. It may have gone, or only closed its side: what it asked for and needs no further
    /// word from it is still answered; a stream that would have to wait is not.
    func inputClosed() {
        isInputClosed = true
        for (id, call) in calls where call.style == .stream && !readyStreams.contains(id) { end(id) }
        flush()
        if calls.isEmpty { closeAfterFlush() }
    }

    /// The server stops: open calls finish, new ones are refused.
    func drain() {
        switch machine.drain() {
        case .finishCalls(let last, let sendGoAway):
            if sendGoAway { writeGoAway(lastStreamID: last) }
            // A stream that waits for credit would not end by itself; its caller goes on elsewhere from its token.
            for (id, call) in calls where call.rest != nil && !readyStreams.contains(id) {
                fail(id, Refusal.draining.error)
            }
            flush()
        case .closeConnection(let last, let sendGoAway):
            if sendGoAway { writeGoAway(lastStreamID: last) }
            closeAfterFlush()
        case .ignore:
            break
        }
    }

    private func writeGoAway(lastStreamID: StreamID) {
        let message = GoAwayMessage(
            lastStreamID: lastStreamID.rawValue,
            reason: "DRAINING",
            retryAfter: .seconds(1),
            alternatives: []
        )
        outbound.writeToConnection(.goAway, message.encoded())
    }

    func closeAfterFlush() {
        guard !isClosing else { return }
        isClosing = true
        let context = NIOLoopBound(context, eventLoop: context.eventLoop)
        let written = context.value.writeAndFlush(NIOAny(outbound.bytes))
        outbound.clear()
        written.whenComplete { _ in context.value.close(promise: nil) }
    }

    func close(because error: any Error) {
        guard !isClosing else { return }
        isClosing = true
        logger.debug("connection closed", metadata: ["error": "\(error)"])
        context.close(promise: nil)
    }

    /// The channel is closed, whoever closed it: nobody waits for what its calls still do.
    func closed() {
        isClosing = true
        _ = machine.connectionClosed()
        for call in calls.values { call.stop() }
        calls.removeAll()
        readyStreams.removeAll()
        watchdogTimer?.task.cancel()
    }

    // MARK: Time

    /// One timer at a time. One that fires too early costs less than setting it anew with every frame.
    private func armWatchdog() {
        guard !isClosing, let time = watchdog.nextCheck else { return }
        if let watchdogTimer {
            guard time < watchdogTimer.time else { return }
            watchdogTimer.task.cancel()
        }
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        let task = context.eventLoop.scheduleTask(deadline: time) { connection.value.watchdogFired() }
        watchdogTimer = (time, task)
    }

    private func watchdogFired() {
        watchdogTimer = nil
        if let error = watchdog.check(now: .now(), unsentBytes: unsentBytes) {
            close(because: error)
        } else {
            armWatchdog()
        }
    }
}
