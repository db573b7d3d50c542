internal import HTTPFraming
internal import Logging
internal import NIOCore
internal import NIOHPACK
internal import NIOHTTP1
internal import RPCCore
internal import RPCTransport

/// One HTTP/1.1 connection: its requests, one after the other, and their calls.
///
/// Everything runs on the connection's event loop.
final class HTTP1Connection: ServerChannelConnection {
    let context: ChannelHandlerContext
    let server: ServerContext
    let rules: HTTPRules
    let counters: EventCounters
    let calls: ConnectionCalls
    /// Whether the peer is on this machine.
    let isLoopback: Bool
    /// The time of this turn of the event loop.
    var now: NIODeadline
    var isClosing = false

    /// A part of a request, or the end of what can be read.
    private enum Input {
        case part(HTTPServerRequestPart)
        /// The bytes that follow are no request. They are answered with this, and are the last.
        case malformed(PlainAnswer)

        /// Whether it is read only when there is no other request.
        var isNext: Bool {
            switch self {
            case .part(.head), .malformed: true
            case .part(.body), .part(.end): false
            }
        }
    }

    /// The parts of requests that wait for the answer to the one before.
    private var pending = CircularBuffer<Input>()
    /// The bytes of the reads that brought them.
    private var pendingByteCount = 0
    /// The request that is being read or answered; nil if there is none.
    var exchange: HTTP1Exchange?
    var lastID: UInt32 = 0
    /// A function to call at the end of a turn.
    var onTurn: (() -> Void)?

    // Bytes
    var hasWritten = false
    /// The bytes that the peer has not taken.
    var unsentByteCount = 0
    /// The answers whose last bytes the kernel has not taken.
    var unsentAnswerCount = 0
    /// The check whether the peer reads.
    var delivery: WriteTimeout
    private let raw: RawBytes
    /// The bytes of requests whose work is running.
    private var workingByteCount = 0
    /// The bytes that have arrived after the last request.
    private var discardedByteCount = 0
    var shares = ByteShares()
    var date = DateHeader()

    // Time and the end
    var timer: LoopTimer?
    /// The time by which the headers of a request have to be complete; nil if none has begun.
    var headDeadline: NIODeadline?
    /// Whether a part of the headers of the next request has arrived.
    var hasHeadBegun = false
    var idle: IdleTimer?
    var age: ConnectionAge?
    var isDraining = false
    var isInputClosed = false
    /// Whether bytes have arrived that are no request. Nothing is read after them.
    private var isInputMalformed = false
    /// The time at which the connection closes, whether the peer has closed its side or not; nil until the last answer was
    /// written, and without an end until the peer has taken it.
    var lingerDeadline: NIODeadline?

    init(context: ChannelHandlerContext, server: ServerContext, raw: RawBytes, rules: HTTPRules) {
        let limits = server.configuration.limits
        let isUnix = context.channel.localAddress?.pathname != nil
        let now = NIODeadline.now()
        self.context = context
        self.server = server
        self.raw = raw
        self.rules = rules
        self.now = now
        isLoopback = context.channel.isLoopback
        delivery = WriteTimeout(of: context.channel, limits)
        counters = server.counters(of: context.eventLoop)
        calls = ConnectionCalls(of: server, on: context.channel)
        if let timeout = limits.idleTimeout, !isUnix { idle = IdleTimer(timeout: timeout, now: now) }
        age = ConnectionAge(server.configuration, now: now)
        headDeadline = now + TimeAmount(limits.frameTimeout)
        armTimer()
    }

    // MARK: Requests

    /// Whether a request was received.
    var hasHadRequest: Bool { lastID > 0 }

    /// Whether the next bytes are read. The requests of one read are answered before.
    var isReading: Bool { !hasPending }

    /// Notes that bytes have arrived, which may be the beginning of a request.
    ///
    /// - Returns: Whether they are parsed. After the last request they are discarded.
    func bytesReceived(_ byteCount: Int) -> Bool {
        guard !isClosing, lingerDeadline == nil, !isInputMalformed else {
            discardedByteCount += byteCount
            if discardedByteCount > Self.maximumDiscardedBytes { close() }
            return false
        }
        pendingByteCount += byteCount
        if exchange == nil, !hasHeadBegun {
            hasHeadBegun = true
            if headDeadline == nil || isDraining {
                headDeadline = .now() + TimeAmount(server.configuration.limits.frameTimeout)
            }
        }
        return true
    }

    /// The bytes that a peer may still send after its last request.
    private static let maximumDiscardedBytes = 1024 * 1024

    func received(_ part: HTTPServerRequestPart) { received(.part(part)) }

    /// Handles bytes that are no request, which the parser tells in one or two errors.
    func receivedMalformed(_ answer: PlainAnswer) {
        guard !isInputMalformed else { return }
        isInputMalformed = true
        counters.count(.malformedRequest)
        received(.malformed(answer))
    }

    private func received(_ input: Input) {
        guard !isClosing, lingerDeadline == nil else { return }
        now = .now()
        pending.append(input)
        readPending()
    }

    /// Reads what has arrived, up to the next request while one is being answered, or the peer has to take answers first.
    private func readPending() {
        while !isClosing, lingerDeadline == nil, let input = pending.first {
            // Malformed bytes may be the rest of a request that is not complete.
            if input.isNext, exchange?.isInputEnded == true || !hasRoom { return }
            pending.removeFirst()
            switch input {
            case .part(.head(let head)): begin(head)
            case .part(.body(let bytes)): received(bytes)
            case .part(.end): inputEnded()
            case .malformed(let answer): end(with: answer)
            }
        }
    }

    private func end(with answer: PlainAnswer) {
        lastID += 1
        let exchange = HTTP1Exchange(malformed: StreamID(rawValue: lastID), now: now)
        self.exchange = exchange
        writeWhole(answer.headers, answer.body, on: exchange)
        settle()
    }

    /// Whether requests wait that have arrived.
    var hasPending: Bool { !pending.isEmpty }

    /// Discards the requests that wait, because the answer before was the last.
    func discardPending() { pending.removeAll() }

    private func begin(_ head: HTTPRequestHead) {
        headDeadline = nil
        hasHeadBegun = false
        lastID += 1
        let deadline = now + TimeAmount(server.configuration.limits.frameTimeout)
        let exchange = HTTP1Exchange(StreamID(rawValue: lastID), head, deadline: deadline)
        self.exchange = exchange
        guard let fields = head.fields else {
            counters.count(.malformedRequest)
            exchange.keepsAlive = false
            return refuse(.badRequest)
        }
        guard head.hasKnownCoding else {
            exchange.keepsAlive = false
            return refuse(.codingNotImplemented)
        }
        switch rules.read(fields, isLoopback: isLoopback, isHTTP2: false, isReadable: server.isReadable(httpPath:)) {
        case .answered(let answer, _):
            if answer.isRefusal { calls.countRefused(now: now, reason: answer.loggedReason) }
            refuse(answer)
            if answer.isRefusal { calls.endIfRefused(nil, on: self) }
        case .malformed: refuse(.badRequest)
        case .call(let call):
            exchange.answer = CallAnswer(to: call, compresses: rules.compressesAnswers)
            exchange.metadata = call.metadata
            do throws(RPCError) {
                let maximum = try accept(call, on: exchange)
                if let length = call.contentLength, length > maximum, head.waitsForContinue {
                    let error = RPCError.requestTooLarge(length, maximum: maximum, call.format.codec)
                    refuseContent(error)
                } else if head.waitsForContinue {
                    writeContinue()
                }
            } catch {
                refuse(error)
            }
        }
    }

    /// Takes the head of a call.
    ///
    /// - Returns: The maximum of bytes that the body may have.
    private func accept(_ head: CallHead, on exchange: HTTP1Exchange) throws(RPCError) -> Int {
        let method = try server.method(of: head)
        exchange.method = method
        try exchange.answer?.methodFound(method)
        let body = try CallBody(head, of: method)
        exchange.request = .open(head, method, body)
        return body.maximumRestByteCount
    }

    private func received(_ bytes: ByteBuffer) {
        guard let exchange, case .open(let head, let method, var body) = exchange.request else { return }
        // The body's buffer is not shared while it is changed.
        exchange.request = .taken
        do throws(RPCError) {
            try body.append(bytes)
            exchange.request = .open(head, method, body)
        } catch {
            refuse(error)
        }
    }

    private func inputEnded() {
        guard let exchange else { return }
        exchange.isInputEnded = true
        let request = exchange.request
        exchange.request = .taken
        if let refusal = exchange.refusal {
            exchange.refusal = nil
            writeEnd(refusal, on: exchange)
        } else if case .open(let head, let method, let body) = request {
            do throws(RPCError) {
                begin(exchange, CallRequest(head, to: method, try body.end()))
            } catch {
                refuse(error)
            }
        }
        settle()
    }

    private func begin(_ exchange: HTTP1Exchange, _ request: CallRequest) {
        exchange.isRunning = true
        exchange.metadata = Metadata()
        let answer = calls.begin(exchange.id, request, credit: .messages(1), on: self)
        if let answer { respond(exchange.id, answer) }
    }

    private func refuse(_ answer: PlainAnswer) { refuse(.whole(answer.headers, answer.body)) }

    private func refuse(_ error: RPCError) {
        guard let exchange, let answer = exchange.answer, !exchange.isAnswered else { return }
        let error = counted(error, exchange, answer)
        refuse(answer.failure(error, hasSentHead: exchange.hasSentHead))
        calls.endIfRefused(error, on: self)
    }

    /// Refuses a body whose size its client has asked for before it sends it (RFC 9110, section 10.1.1).
    private func refuseContent(_ error: RPCError) {
        guard let exchange, let answer = exchange.answer else { return }
        let error = counted(error, exchange, answer)
        exchange.keepsAlive = false
        // The caller may have to be told something else.
        if error.reason == .messageTooLarge {
            refuse(answer.contentTooLarge(error))
        } else {
            refuse(answer.failure(error, hasSentHead: exchange.hasSentHead))
        }
        calls.endIfRefused(error, on: self)
    }

    /// Counts a call that is refused.
    ///
    /// - Returns: The error to answer with.
    func counted(_ error: RPCError, _ exchange: HTTP1Exchange, _ answer: CallAnswer) -> RPCError {
        if error.isFaultOfPeer { counters.count(.malformedRequest) }
        defer { exchange.metadata = Metadata() }
        return calls.refused(exchange.method, answer.format.system, error, now: now, metadata: exchange.metadata)
    }

    /// Answers a request that begins no call, once it has arrived: the connection can be used again then.
    private func refuse(_ end: CallAnswer.End) {
        guard let exchange else { return }
        exchange.request = .taken
        if exchange.isInputEnded || !exchange.readsRest {
            writeEnd(end, on: exchange)
            settle()
        } else {
            exchange.refusal = end
        }
    }

    /// Lets the next request begin if this one is over.
    func settle() {
        guard let exchange, exchange.isAnswered, !exchange.isRunning else { return }
        // The rest of a request that was answered before its end would be read for nothing.
        guard exchange.isInputEnded, exchange.keepsAlive, !isDraining else {
            self.exchange = nil
            return closeAfterAnswer()
        }
        self.exchange = nil
        idle?.lastCallEnded(now: now)
    }

    // MARK: Turns

    /// Makes and sends all answers that this turn of the event loop made possible.
    func turnEnded() {
        guard !isClosing else { return }
        // An answer that is sent lets the next request begin.
        repeat {
            readPending()
            calls.sendMessages(on: self)
        } while !isClosing && lingerDeadline == nil && exchange == nil && !pending.isEmpty && hasRoom
        flush()
        if isInputClosed, lingerDeadline == nil, exchange == nil, !hasPending { inputClosed() }
        guard !isClosing else { return }
        delivery.sent(raw.takeSentByteCount())
        // A part of which the kernel has taken a piece counts whole here: the channel may have room where this has none.
        delivery.turnEnded(isWritable: hasRoom, now: now)
        reportBytes()
        armTimer()
        onTurn?()
    }

    /// Reports the bytes that wait for the peer, and those of its requests that are not answered, to the server's budgets.
    private func reportBytes() {
        if pending.isEmpty { pendingByteCount = 0 }
        let heldByteCount = exchange?.heldByteCount ?? 0
        let pendingByteCount = pendingByteCount + pending.count * Self.partByteCount
        shares.report(
            // Bytes that the kernel holds are counted for a stalled peer only: looking for them takes a system call.
            unsentByteCount: delivery.isStalled
                ? delivery.queuedByteCount + calls.runner.finishedByteCount : unsentByteCount,
            inboundByteCount: heldByteCount + workingByteCount + pendingByteCount,
            for: calls.caller,
            of: context.channel,
            to: server
        )
    }

    /// The bytes of memory that a part of a request has besides its own, about.
    private static let partByteCount = 128

    func beginTurn() {
        now = .now()
        turnEnded()
    }

    var activity: ConnectionActivity {
        ConnectionActivity(openCalls: calls.runner.openCallCount, unsentByteCount: unsentByteCount)
    }

    func workingBytesChanged(by difference: Int) { workingByteCount += difference }

    /// Always false: requests come one after the other, and one client's.
    var hasWaitingRequests: Bool { false }
}
