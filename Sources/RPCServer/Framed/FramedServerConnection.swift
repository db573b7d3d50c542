internal import Framing
internal import Logging
internal import NIOCore
internal import RPCCore
internal import WireMessages

/// One framed connection: it reads frames, carries out what `FrameRules` decide, and writes frames.
///
/// Answers from memory are made in the turn in which their requests arrived, and all answers to one read leave with one write.
final class FramedServerConnection: WireConnection {
    typealias Output = ByteBuffer

    let life: ConnectionLifecycle
    let calls: ConnectionCalls
    private let methods: MethodTable
    private let configuration: ServerConfiguration
    private let counters: EventCounters

    private var rules: FrameRules
    private var decoder: FrameDecoder
    private var inbound = ByteBuffer()
    /// Whether `inbound` is the buffer that the channel read into, and would reuse.
    private var inboundIsReceiveBuffer = false
    /// The requests that wait while the peer does not read.
    private var held: HeldRequests
    /// Whether requests wait; later ones wait behind them. It is noted, because asking `held` for each frame would copy it.
    private var isHolding = false
    /// The arrival of the held frame that is being processed; nil for a frame that has just arrived.
    private var heldSince: NIODeadline?
    /// The time at which the frame that has begun to arrive has to be complete, and at first the time for the first one. It does
    /// not move with each byte, so a peer that sends byte by byte gains no time. Nil also while the peer does not read: then the
    /// rest of its frame may have arrived long ago.
    private(set) var inputDeadline: NIODeadline?
    /// Whether something was received since the last turn.
    private var hasReceived = false
    private var hasReadFrame = false

    private var outbound = AnswerBuffer()
    /// The channel's writability at its last change: asking it for each frame costs as much as decoding the frame.
    private var isWritable = true
    private var isFlushing = false
    private var isPongUnflushed = false

    /// The wait for the last calls of a plain peer while the server drains; nil if there is none.
    private var quiet: Quiet?

    private struct Quiet {
        var nextCheck: NIODeadline
        /// The time at which the connection closes when no call is open, whether the peer is silent or not.
        let limit: NIODeadline
        /// The time since which no call was open, at the last check.
        var since: NIODeadline?
    }

    init(_ life: ConnectionLifecycle, _: Void) {
        let server = life.server
        let limits = server.configuration.limits
        self.life = life
        methods = server.methods
        configuration = server.configuration
        counters = life.counters
        rules = FrameRules(limits: limits)
        calls = ConnectionCalls(of: server, on: life.context.channel)
        decoder = FrameDecoder(
            maximumDataLength: limits.maximumFrameLength,
            maximumUnnamedLength: limits.maximumUnnamedFrameLength
        )
        held = HeldRequests(maximumCount: limits.maximumStreams, maximumBytes: limits.maximumHeldBytes)
        if !life.isUnix { inputDeadline = life.now + TimeAmount(limits.frameTimeout) }
    }

    // MARK: Bytes in

    /// The connection still reads from a peer that reads nothing, until its requests fill the held memory: the connection may be
    /// waiting for the peer's Cancel, Credit or Pong.
    var isReading: Bool { isWritable || !held.isFull }

    func received(_ bytes: ByteBuffer) {
        guard !isClosing else { return life.discard(bytes.readableBytes) }
        hasReceived = true
        life.bytesReceived()
        if inbound.readableBytes == 0 {
            inbound = bytes
            inboundIsReceiveBuffer = true
        } else {
            inbound.discardReadBytes()
            inbound.writeImmutableBuffer(bytes)
        }
    }

    /// Ends a read. A read without data is the end of the input. Writing then, to a peer that is gone, would close the
    /// channel while NIO still works on it.
    func readCompleted() {
        if hasReceived { turnEnded() }
    }

    func makeAnswers() {
        hasReceived = false
        processInbound()
        calls.sendMessages(on: self)
    }

    private func processInbound() {
        guard decoder.isInsideFrame(inbound) || isHolding else { return }
        defer { settleInbound() }
        do throws(ConnectionError) {
            if isHolding { releaseHeld() }
            while !isClosing, !(isHolding && held.isFull), let output = try nextOutput() {
                inputDeadline = nil
                hasReadFrame = true
                if !isHolding, makesRoom() {
                    process(output)
                } else {
                    hold(output)
                }
            }
        } catch {
            return error == .foreignHTTP && !hasReadFrame ? answerHTTP() : close(because: error)
        }
        // The bytes left over while the peer does not read may be whole frames, so no frame is late then.
        if !isClosing, isWritable, decoder.isInsideFrame(inbound), inputDeadline == nil {
            inputDeadline = now + TimeAmount(configuration.limits.frameTimeout)
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
            carryOut(rules.received(frame, calls: calls.runner, now: now), frame.data)
        case .oversized(let header, let maximum):
            let action = rules.receivedOversized(header, maximum: maximum, calls: calls.runner, now: now)
            carryOut(action, ByteBuffer())
        }
    }

    /// Keeps a frame while the peer does not read: its requests wait, unanswered and undecoded.
    private func hold(_ output: FrameDecoder.Output) {
        let action = held.frameReceived(output, obeysCancel: rules.peerSpeaksExtensions, now: now)
        isHolding = !held.isEmpty
        switch action {
        case .hold:
            rules.requestHeld()
            counters.count(.frameHeld)
        case .withdraw: carryOut(rules.requestWithdrawn(now: now), ByteBuffer())
        case .process: process(output)
        }
    }

    private func releaseHeld() {
        defer { heldSince = nil }
        while makesRoom(), let (output, arrivedAt) = held.next() {
            isHolding = !held.isEmpty
            heldSince = arrivedAt
            process(output)
        }
    }

    private func carryOut(_ action: FrameRules.Action, _ data: ByteBuffer) {
        switch action {
        case .startCall(let id, let wantsStream):
            startCall(id, wantsStream: wantsStream, request: data)
        case .stopCall(let id):
            counters.count(.cancelReceived)
            calls.runner.cancel(id)
            calls.performActions(on: self)
        case .failCall(let id, let refusal):
            counters.count(refusal.event)
            calls.runner.fail(id, refusal.error)
            calls.performActions(on: self)
        case .grantCredit(let id, let messages):
            if !calls.runner.grant(messages, to: id) { counters.count(.frameIgnored) }
        case .refuse(let id, let refusal):
            counters.count(refusal.event)
            calls.callers.countUnread(now: now)
            outbound.writeError(refusal.error, on: id)
            // Faults have limits of their own.
            if !refusal.isFault { calls.endIfRefused(refusal.error, on: self) }
        case .readHello:
            answerHello(data)
        case .sendPong:
            isPongUnflushed = true
            outbound.writeToConnection(.pong, data)
        case .done:
            break
        case .ignore:
            counters.count(.frameIgnored)
        case .endConnection(let error):
            end(because: error)
        }
    }

    private func answerHello(_ data: ByteBuffer) {
        let hello: HelloMessage
        do {
            hello = try HelloMessage(decoding: data, limit: .request)
        } catch {
            return close(because: .malformedHello)
        }
        rules.helloReceived(initialCredit: hello.initialCredit)
        calls.callers.helloReceived(credentials: hello.authorization)
        outbound.limit(to: hello.maximumFrameLength)
        let answer = HelloMessage(
            version: 1,
            software: configuration.software,
            initialCredit: 0,
            maximumFrameLength: UInt32(clamping: configuration.limits.maximumFrameLength),
            maximumStreams: UInt32(clamping: configuration.limits.maximumStreams)
        )
        outbound.writeToConnection(.hello, answer.encoded())
        // The peer had not sent Hello when the drain began.
        if calls.runner.isDraining { writeGoAway(reason: ErrorReason.draining.rawValue) }
    }

    // MARK: Calls

    private func startCall(_ id: StreamID, wantsStream: Bool, request: ByteBuffer) {
        var metadata = Metadata()
        do throws(RPCError) {
            var call = try methods.call(request, wantsStream: wantsStream, metadata: &metadata)
            call.arrivedAt = heldSince
            let isStream = call.isStream
            guard let message = calls.begin(id, call, credit: rules.initialCredit, on: self) else { return }
            if isStream {
                send(StreamMessage(id: id, message: message, isFirst: true, isLast: true))
            } else {
                respond(id, message)
            }
        } catch {
            let refusal = calls.refusal(error, metadata, now: now)
            calls.noteEnded(nil, .ttrpc, refusal.error, of: refusal.principal, now: now, metadata: metadata)
            // A request that is wrong stays so when its caller is told something else.
            reject(id, refusal.error, isFault: error.isFaultOfPeer)
            calls.endIfRefused(refusal.error, on: self)
        }
    }

    func respond(_ id: StreamID, _ message: any OutgoingMessage) {
        guard !isClosing else { return }
        do throws(RPCError) {
            try outbound.writeResponse(message, on: id)
        } catch {
            calls.answerReplaced(on: id, by: error)
            outbound.writeError(error, on: id)
        }
    }

    func send(_ message: StreamMessage) {
        guard !isClosing else { return }
        let id = message.id
        do throws(RPCError) {
            try outbound.writeMessage(message.message, isLast: message.isLast, on: id)
        } catch {
            guard message.isLast else { return calls.runner.fail(id, error) }
            calls.answerReplaced(on: id, by: error)
            return fail(id, error)
        }
        rules.messageSent()
    }

    func endStream(_ id: StreamID) {
        guard !isClosing else { return }
        outbound.writeEndOfStream(on: id)
    }

    func reject(_ id: StreamID, _ error: RPCError) { reject(id, error, isFault: error.isFaultOfPeer) }

    private func reject(_ id: StreamID, _ error: RPCError, isFault: Bool) {
        guard !isClosing else { return }
        outbound.writeError(error, on: id)
        guard isFault else { return }
        counters.count(.malformedRequest)
        if let error = rules.requestFaulted(now: now) { end(because: error) }
    }

    func fail(_ id: StreamID, _ error: RPCError) {
        if !isClosing { outbound.writeError(error, on: id) }
    }

    func takesMessage() -> Bool { isWritable && outbound.byteCount < configuration.limits.maximumUnsentBytes }

    var hasRoom: Bool { isWritable }

    var hasWaitingRequests: Bool { isHolding }

    var isInUse: Bool { calls.runner.runningCount > 0 || isHolding }

    // MARK: Bytes out

    func flush() {
        calls.countEnded(on: self)
        let byteCount = outbound.byteCount
        guard byteCount > 0 else { return }
        let couldWrite = isWritable
        isFlushing = true
        life.context.write(NIOAny(outbound.bytes), promise: flushPromise())
        life.flush(byteCount)
        outbound.clear()
        isFlushing = false
        if !isWritable {
            inputDeadline = nil
        } else if !couldWrite {
            calls.scheduleTurn(of: self)
        }
    }

    /// Makes a promise only if a Pong is to be sent: the next Ping is answered when that Pong was sent.
    private func flushPromise() -> EventLoopPromise<Void>? {
        guard isPongUnflushed else { return nil }
        isPongUnflushed = false
        let promise = life.context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenSuccess { [self] in rules.pongSent() }
        return promise
    }

    /// Returns whether the peer reads. Flushes the buffer to find out, which may find that it is gone.
    private func makesRoom() -> Bool {
        if outbound.byteCount >= configuration.limits.maximumUnsentBytes { flush() }
        return isWritable && !isClosing
    }

    /// Notes a change of writability. A large write that the kernel takes at once reports two changes: only `flush`
    /// knows the result, when the write has returned.
    func writabilityChanged() {
        isWritable = life.context.channel.isWritable
        if isWritable, !isFlushing { calls.scheduleTurn(of: self) }
    }

    // MARK: Memory

    /// The size below which the bytes of one connection are not counted.
    private static let uncountedBytes = 1024

    /// Gives the receive buffer back, to be used for the next read, and keeps a copy of the bytes that no frame has
    /// taken.
    private func settleInbound() {
        if inbound.readableBytes == 0 {
            inbound = ByteBuffer()
        } else if inboundIsReceiveBuffer || inbound.readerIndex > 0 {
            inbound = ByteBuffer(bytes: inbound.readableBytesView)
        }
        inboundIsReceiveBuffer = false
    }

    /// The bytes of unfinished frames, held requests, and large ones in progress.
    var inboundByteCount: Int {
        let kept = inbound.storageCapacity + held.byteCount + calls.requestByteCount
        return kept < Self.uncountedBytes ? 0 : kept
    }

    var waitingByteCount: Int { outbound.byteCount }

    // MARK: Time

    var nextCheck: NIODeadline? { quiet?.nextCheck }

    func timePassed() { checkQuiet() }

    /// A plain peer knows no Ping.
    var answersPings: Bool { isWritable && rules.peerSpeaksExtensions }

    /// Anything that arrives is a sign of life, so the content has no meaning.
    func sendPing() { outbound.writeToConnection(.ping, ByteBuffer(integer: now.uptimeNanoseconds)) }

    // MARK: The end

    /// Handles the end of the peer's input. The peer may have closed the connection, or only its side: its requests are
    /// still answered, also a stream whose first message takes work. Any other stream that would have to wait ends with
    /// a status, because closing the connection is the only way in which a plain client can cancel.
    func inputClosed() {
        calls.runner.inputClosed()
        turnEnded()
    }

    /// Requests that are held when a drain has ended all calls are later than the GoAway says: their caller sends them elsewhere.
    var isFinished: Bool {
        if life.isInputClosed, calls.runner.isEmpty, !isHolding { return true }
        return calls.runner.isDraining && rules.peerSpeaksExtensions && calls.runner.runningCount == 0
    }

    func drainBegins() {
        guard !isClosing, !calls.runner.isDraining else { return }
        life.turnBegins()
        if rules.peerSpeaksExtensions { writeGoAway(reason: ErrorReason.draining.rawValue) }
        calls.runner.drain()
        turnEnded()
        if !rules.peerSpeaksExtensions { waitForQuiet() }
    }

    func drainEnds() { life.closeAfterFlush(of: self) }

    /// Waits until a plain peer sends no more calls. It knows no GoAway, and a call may be under way. Each call is
    /// answered with DRAINING until none has arrived for a while.
    private func waitForQuiet() {
        let time = TimeAmount(configuration.drainQuietTime)
        quiet = Quiet(nextCheck: now + time, limit: now + time * 5, since: isInUse ? nil : now)
        armTimer()
    }

    private func checkQuiet() {
        guard var quiet, quiet.nextCheck <= now else { return }
        if !isInUse {
            let wasQuiet = quiet.since.map { life.keepalive.lastReceived <= $0 } ?? false
            guard !wasQuiet, now < quiet.limit else { return life.closeAfterFlush(of: self) }
            quiet.since = now
        } else {
            quiet.since = nil
        }
        quiet.nextCheck = now + TimeAmount(configuration.drainQuietTime)
        self.quiet = quiet
    }

    func readingPaused(for time: TimeAmount) { inputDeadline = inputDeadline.map { $0 + time } }

    func idleTimedOut(_ error: ConnectionError) { end(because: error) }

    /// Ends the connection because of its peer, which gets a GoAway if it knows that frame.
    func end(because error: ConnectionError) {
        guard !isClosing else { return }
        life.note(error)
        if rules.peerSpeaksExtensions { writeGoAway(reason: error.reason) }
        life.closeAfterFlush(of: self)
    }

    /// Tells a peer that speaks HTTP that this is another port, and closes.
    private func answerHTTP() {
        life.note(.foreignHTTP)
        outbound.writeAnswerToHTTP()
        life.closeAfterFlush(of: self)
    }

    private func writeGoAway(reason: String) {
        let last = rules.lastStreamID.rawValue
        let message = GoAwayMessage(lastStreamID: last, reason: reason, retryAfter: .seconds(1))
        outbound.writeToConnection(.goAway, message.encoded())
    }
}

/// The frames that are sent with the next write. It has memory only while there are some.
struct AnswerBuffer {
    private(set) var bytes = ByteBuffer()
    /// The size of the last write: the next one is likely to be of that size.
    private var lastByteCount = 0
    /// The largest size that is taken for the next one. A peer that reads nothing would hold as much for each Pong.
    private static let maximumExpected = 64 * 1024
    /// The longest frame data that the peer accepts, from its Hello. Errors are sent whatever their length.
    private(set) var maximumDataLength = FrameDecoder.protocolMaximum

    var byteCount: Int { bytes.readableBytes }

    /// Writes the Response of a call: the frame's header, the envelope's, and the message, each once and in place.
    mutating func writeResponse(_ message: some OutgoingMessage, on id: StreamID) throws(RPCError) {
        let payload = message.byteCount
        let length = ResponseEnvelope.headerByteCount(payloadByteCount: payload) + payload
        try check(length)
        takeMemory()
        bytes.write(byteCount: FrameHeader.byteCount + length) { writer in
            writer.write(FrameHeader(length: UInt32(length), streamID: id, type: .response, flags: FrameFlags()))
            ResponseEnvelope.writeHeader(payloadByteCount: payload, to: &writer)
            message.write(to: &writer)
        }
    }

    /// Writes a message of a stream. The last one may end the stream itself (ttrpc's PROTOCOL.md, "Data Flags").
    mutating func writeMessage(_ message: some OutgoingMessage, isLast: Bool, on id: StreamID) throws(RPCError) {
        let length = message.byteCount
        try check(length)
        let flags: FrameFlags = isLast ? .remoteClosed : FrameFlags()
        takeMemory()
        bytes.write(byteCount: FrameHeader.byteCount + length) { writer in
            writer.write(FrameHeader(length: UInt32(length), streamID: id, type: .data, flags: flags))
            message.write(to: &writer)
        }
    }

    mutating func writeEndOfStream(on id: StreamID) {
        takeMemory()
        bytes.writeFrame(.data, on: id, flags: [.remoteClosed, .noData])
    }

    mutating func writeError(_ error: RPCError, on id: StreamID) {
        takeMemory()
        bytes.writeFrame(.response, on: id, data: ResponseEnvelope(status: error).encoded())
    }

    mutating func writeToConnection(_ type: FrameType, _ data: ByteBuffer) {
        takeMemory()
        bytes.writeFrame(type, on: .connection, data: data)
    }

    /// Writes the answer to a peer that speaks HTTP.
    mutating func writeAnswerToHTTP() {
        let text = "This is the framed port. HTTP has another one, by default 6161.\n"
        bytes.writeString(
            """
            HTTP/1.1 400 Bad Request\r
            Content-Type: text/plain; charset=utf-8\r
            Content-Length: \(text.utf8.count)\r
            Connection: close\r
            \r
            \(text)
            """
        )
    }

    mutating func clear() {
        lastByteCount = byteCount
        bytes = ByteBuffer()
    }

    private mutating func takeMemory() {
        if byteCount == 0 { bytes.reserveCapacity(min(lastByteCount, Self.maximumExpected)) }
    }

    /// - Parameter length: The maximum in the peer's Hello; 0 means that it sets no limit of its own.
    mutating func limit(to length: UInt32) {
        if length > 0 { maximumDataLength = min(Int(length), FrameDecoder.protocolMaximum) }
    }

    private func check(_ length: Int) throws(RPCError) {
        guard length <= maximumDataLength else {
            throw RPCError(
                .resourceExhausted,
                reason: .answerTooLarge,
                "answer has \(length) bytes, maximum is \(maximumDataLength): ask for smaller pages",
                metadata: ["bytes": "\(length)", "maximum": "\(maximumDataLength)"]
            )
        }
    }
}
