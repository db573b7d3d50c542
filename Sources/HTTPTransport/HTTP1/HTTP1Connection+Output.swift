internal import Glibc
internal import HTTPFraming
internal import NIOCore
internal import NIOHPACK
internal import NIOHTTP1
internal import RPCCore
internal import RPCTransport

/// The answers of calls, as parts of HTTP/1.1.
extension HTTP1Connection: HTTPCallWire {
    func reject(_ id: StreamID, _ error: RPCError) {
        if error.isFaultOfPeer { counters.count(.malformedRequest) }
        fail(id, error, isOver: true)
    }

    func callEnded(_ id: StreamID) {
        guard exchange?.id == id else { return }
        exchange?.isRunning = false
        settle()
    }

    func writable(_ id: StreamID) -> HTTP1Exchange? {
        guard !isClosing, let exchange, exchange.id == id, !exchange.isAnswered else { return nil }
        return exchange
    }

    func hasRoom(for exchange: HTTP1Exchange) -> Bool { hasRoom }

    func wait(_ exchange: HTTP1Exchange) { exchange.isWaiting = true }

    // MARK: Turns

    func takesMessage() -> Bool { hasRoom }

    /// Whether the next message may be made. If not, the peer has to take bytes first.
    var hasRoom: Bool {
        context.channel.isWritable && unsentByteCount < server.configuration.limits.maximumUnsentBytes
    }

    /// Lets a stream that waits for the peer send its next message, if the peer takes it.
    func resume() {
        guard !isClosing, hasRoom else { return }
        if let exchange, exchange.isWaiting {
            exchange.isWaiting = false
            calls.runner.grant(1, to: exchange.id)
        }
        calls.scheduleTurn(of: self)
    }

    // MARK: Parts

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
        writeBody(body)
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
        fields.add(name: "date", value: date.value(at: Int64(time(nil))))
        if !exchange.keepsAlive { fields.add(name: "connection", value: "close") }
        // To an answer of HTTP/1.0 the encoder adds no chunks: it ends with the connection.
        let version = exchange.isHTTP10 ? HTTPVersion.http1_0 : .http1_1
        write(.head(HTTPResponseHead(version: version, status: status, headers: fields)))
    }

    func writeContinue() { write(.head(HTTPResponseHead(version: .http1_1, status: .continue))) }

    /// The maximum bytes of a part: a stream goes on when the peer has taken one.
    private static let partByteCount = 16 * 1024

    private func writeBody(_ bytes: ByteBuffer) {
        var rest = bytes
        while let part = rest.readSlice(length: min(Self.partByteCount, rest.readableBytes)), part.readableBytes > 0 {
            let byteCount = part.readableBytes
            unsentByteCount += byteCount
            let promise = context.eventLoop.makePromise(of: Void.self)
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
        unsentAnswerCount += 1
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenComplete { [self] _ in answerSent() }
        write(.end(nil), promise)
    }

    private func write(_ part: HTTPServerResponsePart, _ promise: EventLoopPromise<Void>? = nil) {
        hasWritten = true
        context.write(NIOAny(part), promise: promise)
    }

    func flush() {
        calls.countEnded()
        guard hasWritten else { return }
        hasWritten = false
        context.flush()
    }
}
