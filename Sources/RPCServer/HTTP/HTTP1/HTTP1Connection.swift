internal import Glibc
internal import HTTPFraming
internal import Logging
internal import MarvelDomain
internal import NIOCore
internal import NIOHPACK
internal import NIOHTTP1
internal import RPCCore

/// One HTTP/1.1 connection: its requests, one after the other, and their calls.
final class HTTP1Connection: WireConnection, HTTPConnection {
    typealias Input = HTTPServerRequestPart
    typealias Output = HTTPServerResponsePart

    struct Settings {
        let rules: HTTPRules
        /// The responder of a port without calls; nil if there are calls.
        let pages: PageResponder?
        let raw: RawBytes
        let decoder: HTTP1RequestDecoder
    }

    let life: ConnectionLifecycle
    let calls: ConnectionCalls
    let rules: HTTPRules
    private let pages: PageResponder?
    private let counters: EventCounters
    private let raw: RawBytes
    private let decoder: HTTP1RequestDecoder
    private let isLoopback: Bool

    /// A part of a request, or the end of what can be read.
    private enum PendingInput {
        case part(HTTPServerRequestPart, arrivedAt: NIODeadline)
        /// The bytes that follow are no request. They are answered with this, and are the last.
        case malformed(PlainAnswer)

        /// Whether it is read only when there is no other request.
        var isNext: Bool {
            switch self {
            case .part(.head, _), .malformed: true
            case .part: false
            }
        }
    }

    private var pending = CircularBuffer<PendingInput>()
    private var pendingByteCount = 0
    /// The request that is being read or answered; nil if there is none.
    private var exchange: HTTP1Exchange?
    private var lastID: UInt32 = 0
    /// Whether bytes have arrived that are no request. Nothing is read after them.
    private var isInputMalformed = false
    /// The time by which the headers of a request have to be complete; nil if none has begun.
    private(set) var inputDeadline: NIODeadline?
    private var hasHeadBegun = false
    private var isDraining: Bool { calls.runner.isDraining }

    private var hasWritten = false
    /// The bytes of bodies that were written and that the kernel has not taken.
    private var unsentByteCount = 0
    private var date = DateHeader()

    init(_ life: ConnectionLifecycle, _ settings: Settings) {
        let server = life.server
        let limits = server.configuration.limits
        self.life = life
        rules = settings.rules
        pages = settings.pages
        raw = settings.raw
        decoder = settings.decoder
        counters = life.counters
        isLoopback = life.context.channel.isLoopback
        calls = ConnectionCalls(of: server, on: life.context.channel)
        life.limitAge()
        inputDeadline = life.now + TimeAmount(limits.frameTimeout)
        raw.connection = self
    }

    // MARK: Requests

    /// The requests of one read are answered before the next bytes are read.
    var isReading: Bool { pending.isEmpty }

    /// Notes that bytes have arrived, which may be the beginning of a request.
    ///
    /// - Returns: Whether they are parsed. After the last request they are discarded.
    func bytesReceived(_ byteCount: Int) -> Bool {
        guard !isClosing, !isInputMalformed else {
            life.discard(byteCount)
            return false
        }
        pendingByteCount += byteCount
        if exchange == nil, !hasHeadBegun {
            hasHeadBegun = true
            if inputDeadline == nil || isDraining {
                inputDeadline = life.context.eventLoop.now + TimeAmount(life.server.configuration.limits.frameTimeout)
            }
        }
        return true
    }

    func received(_ part: HTTPServerRequestPart) {
        decoder.passed(part)
        guard !isClosing else { return }
        life.turnBegins()
        take(.part(part, arrivedAt: now))
    }

    /// Handles bytes that are no request, which the parser tells in one or two errors.
    private func receivedMalformed(_ answer: PlainAnswer) {
        guard !isInputMalformed else { return }
        isInputMalformed = true
        countMalformedRequest()
        guard !isClosing else { return }
        life.turnBegins()
        take(.malformed(answer))
    }

    private func take(_ input: PendingInput) {
        pending.append(input)
        readPending()
    }

    /// Reads what has arrived, up to the next request while one is being answered, or the peer has to take answers first.
    private func readPending() {
        while !isClosing, let input = pending.first {
            // Malformed bytes may be the rest of a request that is not complete.
            if input.isNext, exchange?.isInputEnded == true || !hasRoom { return }
            pending.removeFirst()
            switch input {
            case .part(.head(let head), let arrivedAt): begin(head, arrivedAt: arrivedAt)
            case .part(.body(let bytes), _): received(bytes)
            case .part(.end, _): inputEnded()
            case .malformed(let answer): end(with: answer)
            }
        }
    }

    private func end(with answer: PlainAnswer) {
        // The bytes are the rest of a request whose answer is known.
        if sendRefusal() { return closeAfterAnswer() }
        if exchange?.isIncomplete != true { calls.callers.countUnread(now: now) }
        lastID &+= 1
        exchange?.page?.cancel()
        let exchange = HTTP1Exchange(malformed: StreamID(rawValue: lastID), now: now)
        self.exchange = exchange
        writeWhole(answer.headers, answer.body, on: exchange)
        settle()
    }

    private func begin(_ head: HTTPRequestHead, arrivedAt: NIODeadline) {
        inputDeadline = nil
        hasHeadBegun = false
        lastID &+= 1
        let deadline = now + TimeAmount(life.server.configuration.limits.frameTimeout)
        let exchange = HTTP1Exchange(StreamID(rawValue: lastID), head, deadline: deadline)
        self.exchange = exchange
        guard let fields = head.fields else {
            countMalformedRequest()
            calls.callers.countUnread(now: now)
            exchange.keepsAlive = false
            return refuse(.badRequest)
        }
        guard head.hasKnownCoding else {
            calls.callers.countUnread(now: now)
            exchange.keepsAlive = false
            return refuse(.codingNotImplemented)
        }
        if let pages { return begin(fields, pages, on: exchange) }
        let isReadable = life.server.methods.isReadable(httpPath:)
        switch rules.read(fields, isLoopback: isLoopback, isHTTP2: false, isReadable: isReadable) {
        case .answered(let answer, let request):
            guard answer.isRefusal else { return refuse(answer) }
            refuse(refusal(answer, to: request))
            calls.endIfRefused(nil, on: self)
        case .malformed: refuse(.badRequest)
        case .call(let call):
            do throws(RPCError) {
                let body = try request(call, of: exchange, arrivedAt: arrivedAt).body
                exchange.body = body
                let maximum = body.maximumRestByteCount
                if let length = call.contentLength, length > maximum, head.waitsForContinue {
                    refuseContent(.requestTooLarge(maximum: maximum, call.format.codec))
                } else if head.waitsForContinue {
                    writeContinue()
                }
            } catch {
                answerRefused(exchange, error)
            }
        }
    }

    private func received(_ bytes: ByteBuffer) {
        guard let exchange, var body = exchange.body else { return }
        // The body's buffer is not shared while it is changed.
        exchange.body = nil
        do throws(RPCError) {
            try body.append(bytes)
            exchange.body = body
        } catch {
            refuse(error)
        }
    }

    private func inputEnded() {
        guard let exchange else { return }
        exchange.isInputEnded = true
        life.server.noteProgress(of: life.context.channel, isAnswering: true)
        let body = exchange.body.take()
        if !sendRefusal(), let body {
            do throws(RPCError) {
                begin(exchange, try body.end())
            } catch {
                refuse(error)
            }
        }
        settle()
    }

    private func refuse(_ answer: PlainAnswer) {
        if let exchange { answerAtEnd(of: exchange, .whole(answer.headers, answer.body)) }
    }

    private func refuse(_ error: RPCError) {
        guard let exchange, !exchange.isAnswered else { return }
        noteEnded(exchange, error)
        answerRefused(exchange, error)
    }

    func countMalformedRequest() { counters.count(.malformedRequest) }

    /// Refuses a body whose size its client has asked for before it sends it (RFC 9110, section 10.1.1).
    private func refuseContent(_ error: RPCError) {
        guard let exchange, let answer = exchange.answer else { return }
        countMalformedRequest()
        noteEnded(exchange, error)
        exchange.keepsAlive = false
        answerAtEnd(of: exchange, answer.contentTooLarge(error))
        calls.endIfRefused(error, on: self)
    }

    /// Answers a request that begins no call, once it has arrived: the connection can be used again then.
    func answerAtEnd(of exchange: HTTP1Exchange, _ answer: CallAnswer.End) {
        exchange.body = nil
        if exchange.isInputEnded || !exchange.readsRest {
            writeEnd(answer, on: exchange)
            settle()
        } else {
            exchange.refusal = answer
        }
    }

    /// Sends the refusal that waits for the end of its request.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    private func sendRefusal() -> Bool {
        guard let exchange, let refusal = exchange.refusal else { return false }
        exchange.refusal = nil
        writeEnd(refusal, on: exchange)
        return true
    }

    /// Whether the request's call, or page, is not over.
    private var isRunning: Bool {
        guard let exchange else { return false }
        return exchange.page != nil || calls.runner.progress(of: exchange.id, now: now) != nil
    }

    /// Lets the next request begin if this one is over.
    private func settle() {
        guard let exchange, exchange.isAnswered, !isRunning else { return }
        self.exchange = nil
        life.server.noteProgress(of: life.context.channel, isAnswering: false)
        // The rest of a request that was answered before its end would be read for nothing.
        guard exchange.isInputEnded, exchange.keepsAlive, !isDraining else { return closeAfterAnswer() }
        life.noteUse()
    }

    // MARK: Turns

    func readCompleted() { beginTurn() }

    func makeAnswers() {
        // An answer that is sent lets the next request begin.
        repeat {
            readPending()
            calls.sendMessages(on: self)
            settle()
        } while !isClosing && exchange == nil && !pending.isEmpty && hasRoom
        if pending.isEmpty { pendingByteCount = 0 }
    }

    var waitingByteCount: Int { exchange?.waitingByteCount ?? 0 }

    var inboundByteCount: Int {
        let pendingByteCount = pendingByteCount + pending.count * Self.partByteCount
        return (exchange?.heldByteCount ?? 0) + calls.requestByteCount + pendingByteCount
    }

    /// The bytes of memory that a part of a request has besides its own, about.
    private static let partByteCount = 128

    /// Always false: requests come one after the other, and one client's.
    var hasWaitingRequests: Bool { false }

    var isInUse: Bool { exchange != nil }

    var isFinished: Bool { life.isInputClosed && !isInUse && pending.isEmpty }

    // MARK: Pages

    private func begin(_ fields: HPACKHeaders, _ responder: @escaping PageResponder, on exchange: HTTP1Exchange) {
        let request = PageRequest(fields, from: ConnectionPeer(life.context.channel))
        let id = exchange.id
        let eventLoop = life.context.eventLoop
        let connection = NIOLoopBound(self, eventLoop: eventLoop)
        let task = life.server.registry.makePage {
            let answer = await responder(request)
            eventLoop.execute { connection.value.pageMade(answer, id) }
        }
        exchange.page = .making(task, deadline: now + life.server.unaryTimeout)
    }

    private func pageMade(_ answer: PageAnswer, _ id: StreamID) {
        guard !isClosing, let exchange, exchange.id == id, case .making = exchange.page else { return }
        life.turnBegins()
        if answer.delay > .zero, !isDraining {
            exchange.page = .delayed(answer, until: now + TimeAmount(answer.delay))
            // A new connection may take its place: callers whose answers are delayed must not keep others out.
            life.server.noteProgress(of: life.context.channel, isAnswering: false)
        } else {
            send(answer, on: exchange)
        }
        turnEnded()
    }

    private func send(_ page: PageAnswer, on exchange: HTTP1Exchange) {
        exchange.page = nil
        if page.isCut { exchange.keepsAlive = false }
        var body = page.answer.body
        if page.isCut { body = body.getSlice(at: body.readerIndex, length: body.readableBytes / 2) ?? ByteBuffer() }
        answerAtEnd(of: exchange, .whole(page.answer.headers, body))
    }

    private func checkPage() {
        guard let exchange, let page = exchange.page, isDraining || page.deadline <= now else { return }
        switch page {
        case .delayed(let answer, _): send(answer, on: exchange)
        case .making(let task, let deadline):
            guard deadline <= now else { return }
            task.cancel()
            send(PageAnswer(.timedOut), on: exchange)
        }
    }

    // MARK: Answers

    func writabilityChanged() { if life.context.channel.isWritable { resume() } }

    func writable(_ id: StreamID) -> HTTP1Exchange? {
        guard !isClosing, let exchange, exchange.id == id, !exchange.isAnswered else { return nil }
        return exchange
    }

    /// Always false: the answer before was taken.
    func refusesAnswer(byteCount: Int, on exchange: HTTP1Exchange) -> Bool { false }

    func hasRoom(for exchange: HTTP1Exchange) -> Bool { hasRoom }

    func wait(_ exchange: HTTP1Exchange) { exchange.isWaiting = true }

    func takesMessage() -> Bool { hasRoom }

    /// Whether the next message may be made. A part of which the kernel has taken a piece counts whole: the channel may have
    /// room where this has none.
    var hasRoom: Bool {
        life.context.channel.isWritable && unsentByteCount < life.server.configuration.limits.maximumUnsentBytes
    }

    /// Lets a stream that waits for the peer send its next message, if the peer takes it.
    private func resume() {
        guard !isClosing, hasRoom else { return }
        if let exchange, exchange.isWaiting {
            exchange.isWaiting = false
            calls.runner.grant(1, to: exchange.id)
        }
        calls.scheduleTurn(of: self)
    }

    func writeMessage(_ message: any OutgoingMessage, isLast: Bool, on exchange: HTTP1Exchange) throws(RPCError) {
        guard let answer = exchange.answer else { return }
        let bytes = try answer.envelope(of: message)
        writeHead(answer.head, on: exchange)
        writeBody(bytes)
    }

    func writeStatus(_ error: RPCError, on exchange: HTTP1Exchange) {
        guard let answer = exchange.answer, !exchange.isAnswered else { return }
        writeEnd(answer.failure(error, hasSentHead: exchange.hasSentHead), on: exchange)
    }

    func writeEnd(_ end: CallAnswer.End, on exchange: HTTP1Exchange) {
        switch end {
        case .whole(let headers, let body): writeWhole(headers, body, on: exchange)
        case .body(let bytes):
            writeBody(bytes)
            endAnswer(exchange)
        case .headers:
            // gRPC, which this version of HTTP does not carry.
            endAnswer(exchange)
        }
    }

    func writeWhole(_ headers: HPACKHeaders, _ body: ByteBuffer, on exchange: HTTP1Exchange) {
        writeHead(headers, on: exchange)
        if !exchange.isHead { writeBody(body) }
        endAnswer(exchange)
    }

    func writeHead(on exchange: HTTP1Exchange) {
        if let answer = exchange.answer { writeHead(answer.head, on: exchange) }
    }

    private func writeHead(_ headers: HPACKHeaders, on exchange: HTTP1Exchange) {
        guard !exchange.hasSentHead else { return }
        exchange.hasSentHead = true
        if !exchange.isInputEnded || isDraining { exchange.keepsAlive = false }
        var fields = HTTPHeaders()
        var status = HTTPResponseStatus.ok
        for (name, value, _) in headers {
            if name == ":status" {
                status = HTTPResponseStatus(statusCode: Int(value) ?? 500)
            } else {
                fields.add(name: name, value: value)
            }
        }
        fields.add(name: "date", value: date.value())
        if !exchange.keepsAlive { fields.add(name: "connection", value: "close") }
        // To an answer of HTTP/1.0 the encoder adds no chunks: it ends with the connection.
        let version = exchange.isHTTP10 ? HTTPVersion.http1_0 : .http1_1
        write(.head(HTTPResponseHead(version: version, status: status, headers: fields)))
    }

    private func writeContinue() { write(.head(HTTPResponseHead(version: .http1_1, status: .continue))) }

    /// The maximum bytes of a part: a stream continues when the peer has taken one.
    private static let maximumPartByteCount = 16 * 1024

    private func writeBody(_ bytes: ByteBuffer) {
        var rest = bytes
        while let part = rest.readSlice(length: min(Self.maximumPartByteCount, rest.readableBytes)),
            part.readableBytes > 0
        {
            let byteCount = part.readableBytes
            unsentByteCount += byteCount
            let promise = life.context.eventLoop.makePromise(of: Void.self)
            promise.futureResult.assumeIsolated().whenComplete { [self] _ in sent(byteCount) }
            write(.body(.byteBuffer(part)), promise)
        }
    }

    private func sent(_ byteCount: Int) {
        unsentByteCount -= byteCount
        resume()
    }

    private func endAnswer(_ exchange: HTTP1Exchange) {
        exchange.isAnswered = true
        write(.end(nil))
    }

    private func write(_ part: HTTPServerResponsePart, _ promise: EventLoopPromise<Void>? = nil) {
        hasWritten = true
        life.context.write(NIOAny(part), promise: promise)
    }

    func flush() {
        calls.countEnded(on: self)
        guard hasWritten else { return }
        hasWritten = false
        life.flush(raw.takeSentByteCount())
    }

    func whenWritten() -> EventLoopFuture<Void> {
        raw.whenWritten() ?? life.context.eventLoop.makeSucceededVoidFuture()
    }

    // MARK: Time

    var nextCheck: NIODeadline? {
        var first = FirstDeadline()
        if let exchange, exchange.isIncomplete { first.consider(exchange.deadline) }
        first.consider(exchange?.page?.deadline)
        return first.time
    }

    func timePassed() {
        if let exchange, exchange.isIncomplete, exchange.deadline <= now { requestTimedOut(exchange) }
        checkPage()
    }

    func inputTimedOut() {
        guard isDraining, !hasHeadBegun else {
            return close(because: .frameTimeout(after: life.server.configuration.limits.frameTimeout))
        }
        // An answer may be unsent.
        closeAfterAnswer()
    }

    private func requestTimedOut(_ exchange: HTTP1Exchange) {
        counters.count(.frameTimeout)
        exchange.body = nil
        if !sendRefusal() {
            let error = RPCError.requestIncomplete(after: life.server.configuration.limits.frameTimeout)
            noteEnded(exchange, error)
            writeStatus(error, on: exchange)
        }
        // Without an answer, the deadline would pass again and again.
        if exchange.isAnswered { settle() } else { life.closeNow(self) }
    }

    func readingPaused(for time: TimeAmount) {
        inputDeadline = inputDeadline.map { $0 + time }
        if let exchange { exchange.deadline = exchange.deadline + time }
    }

    var answersPings: Bool { false }

    func sendPing() {}

    // MARK: The end

    /// Begins to drain: the request that is being answered, or whose headers have begun to arrive, is the last. Without one,
    /// the next may be under way: it is answered.
    func drainBegins() {
        guard !isClosing, !isDraining else { return }
        life.turnBegins()
        calls.runner.drain()
        checkPage()
        if !hasHeadBegun, exchange == nil, pending.isEmpty {
            inputDeadline = now + TimeAmount(life.server.configuration.drainQuietTime)
        }
        turnEnded()
    }

    func drainEnds() {
        if let exchange, let page = exchange.page {
            page.cancel()
            send(PageAnswer(.timedOut), on: exchange)
        }
        turnEnded()
        closeAfterAnswer()
    }

    /// Handles the end of the peer's input: the peer is gone. Closing its side is the only way in which it can cancel a
    /// call. An answer that was written is still sent, in case it reads on, and so are those of requests that wait for room.
    func inputClosed() {
        if let exchange, case .making(let task, let deadline) = exchange.page {
            // The client of a page still gets it, but may be gone: it keeps no place in a queue for long.
            let end = min(deadline, now + TimeAmount(life.server.configuration.lingerTimeout))
            exchange.page = .making(task, deadline: end)
            armTimer()
        }
        guard exchange != nil || pending.isEmpty, exchange?.page == nil else { return }
        if isRunning { life.closeNow(self) } else { closeAfterAnswer() }
    }

    /// Handles an error of the parser, after which it reads nothing more; or of the socket.
    func caught(_ error: any Error) {
        guard !isClosing else { return }
        if error is UnknownMethod {
            receivedMalformed(.methodNotImplemented)
            return turnEnded()
        }
        guard let error = error as? HTTPParserError else { return life.close(because: error, of: self) }
        switch error {
        case .headerOverflow: receivedMalformed(.headersTooLarge)
        case .invalidVersion: receivedMalformed(.versionNotSupported)
        default: receivedMalformed(.badRequest)
        }
        turnEnded()
    }

    /// Closes the connection when the answers that were written are sent.
    private func closeAfterAnswer() {
        sendRefusal()
        exchange?.page?.cancel()
        exchange = nil
        pending.removeAll()
        life.closeAfterFlush(of: self)
    }

    /// Ends the connection: the answer that is being written is the last.
    func end(because error: ConnectionError) {
        guard !isClosing else { return }
        counters.count(error.event)
        // The answer that waits for the end of its request is the last.
        if let exchange, !exchange.isAnswered { exchange.keepsAlive = false } else { closeAfterAnswer() }
    }

    func sendLast() {
        guard !isClosing else { return }
        sendRefusal()
        flush()
    }

    func closed() {
        exchange?.page?.cancel()
        exchange = nil
        raw.connection = nil
    }
}

/// The value of the `Date` header, which is made once a second (RFC 9110, section 6.6.1).
private struct DateHeader {
    private var second: Int64 = 0
    private var text = ""

    mutating func value() -> String {
        let now = Int64(time(nil))
        if now != second || text.isEmpty { (second, text) = (now, HTTPDate.text(now)) }
        return text
    }
}

final class HTTP1Exchange: HTTPCall {
    let id: StreamID
    /// Whether the client knows neither the answer 100 nor chunks.
    let isHTTP10: Bool
    var keepsAlive: Bool
    /// The body, until the call has begun or is refused. Then the rest of the request is discarded.
    var body: CallBody?
    var requested: RequestedCall?
    var answer: CallAnswer?
    /// The time by which the request has to be complete.
    var deadline: NIODeadline
    var isInputEnded = false
    var hasSentHead = false
    var isAnswered = false
    /// Whether the call's next message waits until the peer takes it.
    var isWaiting = false
    /// Whether only the headers of the answer are wanted.
    let isHead: Bool
    /// The unsent page; nil after it was sent.
    var page: PendingPage?

    /// Whether the rest of the request is read before an answer that refuses it: it is short, and will come.
    let readsRest: Bool
    /// The answer that is written when the rest of the request has arrived.
    var refusal: CallAnswer.End?

    init(_ id: StreamID, _ head: HTTPRequestHead, deadline: NIODeadline) {
        self.id = id
        isHTTP10 = head.isHTTP10
        isHead = head.method == .HEAD
        keepsAlive = head.permitsAnother
        readsRest = head.hasShortBody
        self.deadline = deadline
    }

    /// Makes the exchange of a request that cannot be read.
    init(malformed id: StreamID, now: NIODeadline) {
        self.id = id
        (isHTTP10, isHead, keepsAlive, readsRest) = (false, false, false, false)
        deadline = now
    }

    var isIncomplete: Bool { !isInputEnded && !isAnswered }

    /// The bytes of the request that are kept while it is not complete.
    var heldByteCount: Int { body?.byteCount ?? 0 }

    /// The bytes of the answer that waits for its time, or for the rest of the request.
    var waitingByteCount: Int {
        if case .delayed(let answer, _) = page { return answer.answer.body.readableBytes }
        if case .whole(_, let body) = refusal { return body.readableBytes }
        return 0
    }
}

enum PendingPage {
    case making(Task<Void, Never>, deadline: NIODeadline)
    case delayed(PageAnswer, until: NIODeadline)

    var deadline: NIODeadline {
        switch self {
        case .making(_, let deadline), .delayed(_, let deadline): deadline
        }
    }

    func cancel() {
        if case .making(let task, _) = self { task.cancel() }
    }
}
