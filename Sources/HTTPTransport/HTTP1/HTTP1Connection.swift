internal import HTTPCalls
internal import Logging
internal import NIOCore
internal import NIOHPACK
internal import NIOHTTP1
internal import RPCCore
internal import RPCTransport

/// One HTTP/1.1 connection: its requests, one after the other, and their calls.
///
/// Everything runs on the connection's event loop.
final class HTTP1Connection {
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

    /// The parts of requests that wait for the answer to the one before.
    private var pending = CircularBuffer<HTTPServerRequestPart>()
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
    /// The time at which the peer last took some of them.
    var lastProgress: NIODeadline
    /// The bytes of requests whose work is running.
    private var workingByteCount = 0
    var shares = ByteShares()

    // Time and the end
    var timer: LoopTimer?
    /// The time by which the headers of a request have to be complete; nil if none has begun.
    var headDeadline: NIODeadline?
    var idle: IdleTimer?
    var age: ConnectionAge?
    var isDraining = false
    var isInputClosed = false
    /// The time at which the connection closes, whether the peer has closed its side or not; nil until the last answer was
    /// written.
    var lingerDeadline: NIODeadline?

    init(context: ChannelHandlerContext, server: ServerContext, rules: HTTPRules) {
        let limits = server.configuration.limits
        let isUnix = context.channel.localAddress?.pathname != nil
        let now = NIODeadline.now()
        self.context = context
        self.server = server
        self.rules = rules
        self.now = now
        isLoopback = context.channel.isLoopback
        lastProgress = now
        counters = server.counters(of: context.eventLoop)
        calls = ConnectionCalls(creditTimeout: limits.creditTimeout, on: context.eventLoop, counters: counters)
        if let timeout = limits.idleTimeout, !isUnix { idle = IdleTimer(timeout: timeout, now: now) }
        age = ConnectionAge(server.configuration, now: now)
        headDeadline = now + TimeAmount(limits.frameTimeout)
        armTimer()
    }

    // MARK: Requests

    /// Whether the next bytes are read. The requests of one read are answered before.
    var isReading: Bool { pending.isEmpty }

    /// Notes that bytes have arrived, which may be the beginning of a request.
    func bytesReceived() {
        guard exchange == nil, headDeadline == nil else { return }
        headDeadline = .now() + TimeAmount(server.configuration.limits.frameTimeout)
    }

    func received(_ part: HTTPServerRequestPart) {
        guard !isClosing, lingerDeadline == nil else { return }
        now = .now()
        pending.append(part)
        readPending()
    }

    /// Reads the parts that have arrived, up to the next request while one is being answered.
    private func readPending() {
        while !isClosing, lingerDeadline == nil, let part = pending.first {
            if case .head = part, exchange != nil { return }
            pending.removeFirst()
            switch part {
            case .head(let head): begin(head)
            case .body(let bytes): received(bytes)
            case .end: inputEnded()
            }
        }
    }

    /// Discards the requests that wait, because the answer before was the last.
    func discardPending() { pending.removeAll() }

    private func begin(_ head: HTTPRequestHead) {
        headDeadline = nil
        lastID += 1
        let exchange = HTTP1Exchange(
            StreamID(rawValue: lastID),
            // The parser stops at a request for another protocol, which is answered in this one.
            keepsAlive: head.isKeepAlive && head.version.minor > 0 && !head.headers.contains(name: "upgrade"),
            readsRest: head.hasShortBody,
            deadline: now + TimeAmount(server.configuration.limits.frameTimeout)
        )
        self.exchange = exchange
        switch rules.read(HPACKHeaders(head), isLoopback: isLoopback, isHTTP2: false) {
        case .answered(let answer): refuse(.whole(answer.headers, answer.body))
        case .call(let call):
            exchange.answer = CallAnswer(to: call, compresses: rules.compressesAnswers)
            do throws(RPCError) {
                try accept(call, on: exchange)
                if head.headers.contains(name: "expect") { writeContinue() }
            } catch {
                refuse(error)
            }
        }
    }

    private func accept(_ head: CallHead, on exchange: HTTP1Exchange) throws(RPCError) {
        let method = try server.method(of: head)
        // Nothing but the end of the drain would end it.
        guard !isDraining || !method.isWatch else {
            counters.count(ServerEvent(Refusal.draining))
            throw Refusal.draining.error
        }
        try exchange.answer?.methodFound(method)
        exchange.request = .open(head, method, try CallBody(head, of: method))
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
            writeEnd(refusal)
        } else if case .open(let head, let method, let body) = request {
            do throws(RPCError) {
                try begin(exchange, head, method, try body.end())
            } catch {
                refuse(error)
            }
        }
        settle()
    }

    private func begin(
        _ exchange: HTTP1Exchange,
        _ head: CallHead,
        _ method: RPCCore.Method,
        _ message: ByteBuffer
    ) throws(RPCError) {
        let wantsStream = head.format.takesStream
        let call = try IncomingCall(
            message,
            metadata: head.metadata,
            timeoutNanoseconds: head.timeoutNanoseconds,
            to: method,
            wantsStream: wantsStream,
            unaryTimeout: server.unaryTimeout,
            now: now,
            from: calls.caller,
            end: method.isWatch ? calls.end(of: exchange.id, on: self) : nil
        )
        exchange.isRunning = true
        let answer = calls.begin(exchange.id, method, call, wantsStream: wantsStream, credit: .messages(1), on: self)
        if let answer { respond(exchange.id, answer) }
    }

    private func refuse(_ error: RPCError) {
        guard let exchange, let answer = exchange.answer, !exchange.isAnswered else { return }
        if error.isFaultOfPeer { counters.count(.malformedRequest) }
        refuse(answer.failure(error, hasSentHead: exchange.hasSentHead))
    }

    /// Answers a request that begins no call, once it has arrived: the connection can be used again then.
    private func refuse(_ end: CallAnswer.End) {
        guard let exchange else { return }
        exchange.request = .taken
        if exchange.isInputEnded || !exchange.readsRest {
            writeEnd(end)
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
        readPending()
        calls.sendMessages(on: self)
        flush()
        guard !isClosing else { return }
        let heldByteCount = exchange?.heldByteCount ?? 0
        shares.report(
            unsentByteCount: unsentByteCount,
            inboundByteCount: heldByteCount + workingByteCount,
            of: context.channel,
            to: server
        )
        armTimer()
        onTurn?()
    }

    func beginTurn() {
        now = .now()
        turnEnded()
    }

    func workingBytesChanged(by difference: Int) { workingByteCount += difference }
}

extension HPACKHeaders {
    /// Makes HTTP/2's headers of a request of HTTP/1.1.
    fileprivate init(_ head: HTTPRequestHead) {
        self.init([(":method", head.method.rawValue), (":path", head.uri)])
        for (name, value) in head.headers { add(name: name.lowercased(), value: value) }
    }
}

extension HTTPRequestHead {
    /// The maximum size of the rest of a request that is read to be discarded, in bytes.
    private static let maximumRestByteCount = 64 * 1024

    /// Whether the body is short and will come, whatever is answered.
    fileprivate var hasShortBody: Bool {
        if headers.contains(name: "expect") || headers.contains(name: "transfer-encoding") { return false }
        guard let length = headers.first(name: "content-length") else { return true }
        return Int(length).map { $0 <= Self.maximumRestByteCount } ?? false
    }
}
