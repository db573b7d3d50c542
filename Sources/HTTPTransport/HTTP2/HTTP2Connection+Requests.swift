internal import HTTPCalls
internal import NIOCore
internal import NIOHPACK
internal import NIOHTTP2
internal import RPCCore
internal import RPCTransport

/// The requests of calls: their heads, their messages, and the calls that they begin.
extension HTTP2Connection {
    func begin(_ id: StreamID, _ headers: HPACKHeaders, isEnd: Bool) {
        let stream = HTTP2Stream(id, windows.newStream())
        stream.isInputClosed = isEnd
        streams[id] = stream
        goAways.streamBegan(id)
        switch rules.read(headers, isLoopback: isLoopback, isHTTP2: true) {
        case .call(let head):
            guard runningCount < server.configuration.limits.maximumStreams else {
                return refuseUnprocessed(stream, .streamLimit(server.configuration.limits.maximumStreams))
            }
            stream.answer = CallAnswer(to: head, compresses: rules.compressesAnswers)
            stream.bodyBegins(head.contentLength)
            do throws(RPCError) {
                try accept(head, on: stream)
            } catch {
                refuse(stream, error, metadata: head.metadata)
            }
        case .answered(let answer):
            writeWhole(answer.headers, answer.body, on: stream)
        case .malformed:
            return resetMalformed(stream)
        }
        if isEnd {
            inputEnded(on: id)
        } else if case .open = stream.request {
            incomplete.began(id, now: now)
        }
    }

    private func accept(_ head: CallHead, on stream: HTTP2Stream) throws(RPCError) {
        let method = try server.method(of: head)
        stream.method = method
        try stream.answer?.methodFound(method)
        stream.request = .open(head, method, try CallBody(head, of: method))
    }

    /// Resets a stream on which nothing has run, so that its client may send the call again at once (RFC 9113, section 8.7).
    ///
    /// A client that cancels calls may begin others before the work of the first has stopped. It keeps within the streams
    /// that it may open, and cannot know of that work.
    private func refuseUnprocessed(_ stream: HTTP2Stream, _ refusal: Refusal) {
        counters.count(ServerEvent(refusal))
        requestEnded(of: stream)
        stream.isAnswered = true
        write(HTTP2Frame(streamID: HTTP2StreamID(stream.id), payload: .rstStream(.refusedStream)))
    }

    /// Refuses the requests that are not complete, because the connection ends.
    func refuseIncomplete() {
        while let id = incomplete.first {
            incomplete.ended(id)
            if let stream = streams[id] { refuseUnprocessed(stream, .draining) }
        }
    }

    // MARK: Malformed requests

    /// Resets a stream whose request is malformed, and stops its call.
    private func resetMalformed(_ stream: HTTP2Stream) {
        requestEnded(of: stream)
        guard !stream.isAnswered else { return }
        if stream.isRunning {
            calls.runner.cancel(stream.id)
            calls.performActions(on: self)
        }
        reset(stream, .protocolError)
        faultCount += 1
        countFaults()
    }

    /// Takes the headers behind the messages of a request, which say nothing that a call uses.
    func receivedTrailers(_ headers: HPACKHeaders, on id: StreamID, isEnd: Bool) {
        if let stream = streams[id], !HeaderCheck.areTrailers(headers) { return resetMalformed(stream) }
        if isEnd { inputEnded(on: id) }
    }

    // MARK: Bytes

    func received(_ bytes: ByteBuffer, on id: StreamID) {
        guard let stream = streams[id] else { return }
        guard stream.bodyReceived(bytes.readableBytes) else { return resetMalformed(stream) }
        do throws(RPCError) {
            switch stream.request {
            case .open(let head, let method, let body) where method.takesFurtherRequests:
                try receivedFirst(bytes, head, method, body, on: stream)
            case .open(let head, let method, var body):
                // The body's buffer is not shared while it is changed.
                stream.request = .taken
                try body.append(bytes)
                stream.request = .open(head, method, body)
                hold(body.byteCount, of: stream)
            case .conversation(let body):
                stream.request = .taken
                try receivedFurther(bytes, body, on: stream)
            case .taken:
                break
            }
        } catch {
            refuse(stream, error)
        }
    }

    /// Takes bytes of a call that takes further requests. It begins with the first of them.
    private func receivedFirst(
        _ bytes: ByteBuffer,
        _ head: CallHead,
        _ method: RPCCore.Method,
        _ body: CallBody,
        on stream: HTTP2Stream
    ) throws(RPCError) {
        var body = body
        stream.request = .taken
        body.appendToEnvelopes(bytes)
        guard let first = try body.nextMessage() else {
            stream.request = .open(head, method, body)
            return hold(body.byteCount, of: stream)
        }
        requestEnded(of: stream)
        begin(stream, CallRequest(head, to: method, first), hasMoreRequests: true)
        try receivedFurther(ByteBuffer(), body, on: stream)
    }

    private func receivedFurther(_ bytes: ByteBuffer, _ body: CallBody, on stream: HTTP2Stream) throws(RPCError) {
        var body = body
        body.appendToEnvelopes(bytes)
        while let next = try body.nextMessage() { calls.runner.requestReceived(next, on: stream.id) }
        stream.request = .conversation(body)
        hold(body.byteCount, of: stream)
    }

    /// Notes that a request is complete, or that nothing more of it is wanted.
    func requestEnded(of stream: HTTP2Stream) {
        stream.request = .taken
        incomplete.ended(stream.id)
        if stream.heldByteCount > 0 { hold(0, of: stream) }
    }

    /// Ends the calls whose requests take too long.
    func checkRequests() {
        while let id = incomplete.nextExpired(now: now) {
            incomplete.ended(id)
            guard let stream = streams[id] else { continue }
            counters.count(.frameTimeout)
            refuse(stream, .requestIncomplete(after: server.configuration.limits.frameTimeout))
        }
    }

    // MARK: Calls

    /// Begins the call of a stream whose request is complete; or ends the requests of one that takes further ones.
    func inputEnded(on id: StreamID) {
        guard let stream = streams[id] else { return }
        guard stream.isBodyComplete else { return resetMalformed(stream) }
        stream.isInputClosed = true
        let request = stream.request
        requestEnded(of: stream)
        do throws(RPCError) {
            switch request {
            case .open(let head, let method, let body):
                if method.takesFurtherRequests { return try endWithoutRequest(stream, body) }
                begin(stream, CallRequest(head, to: method, try body.end()))
            case .conversation(let body):
                try body.checkEnd()
                calls.runner.requestsEnded(on: id)
            case .taken:
                break
            }
        } catch {
            refuse(stream, error)
        }
    }

    private func begin(_ stream: HTTP2Stream, _ request: CallRequest, hasMoreRequests: Bool = false) {
        stream.isRunning = true
        runningCount += 1
        let id = stream.id
        let answer = calls.begin(id, request, credit: .messages(1), hasMoreRequests: hasMoreRequests, on: self)
        if let answer { respond(id, answer) }
    }

    /// Answers a call that takes further requests and has none: there are no answers either.
    private func endWithoutRequest(_ stream: HTTP2Stream, _ body: CallBody) throws(RPCError) {
        try body.checkEnd()
        calls.refused(stream.method, stream.answer?.format.system ?? .grpc, nil, now: now)
        writeHead(on: stream)
        if let answer = stream.answer { writeEnd(answer.success, on: stream) }
    }

    /// Answers a request that begins no call, or the rest of whose requests are not taken.
    private func refuse(_ stream: HTTP2Stream, _ error: RPCError, metadata: Metadata = Metadata()) {
        requestEnded(of: stream)
        if stream.isRunning {
            calls.runner.fail(stream.id, error)
            calls.performActions(on: self)
        } else {
            let system = stream.answer?.format.system ?? .grpc
            calls.refused(stream.method, system, error, now: now, metadata: metadata)
            writeStatus(error, on: stream)
        }
        if error.isFaultOfPeer { countMalformedRequest() }
    }
}

extension RPCError {
    static func requestIncomplete(after timeout: Duration) -> RPCError {
        RPCError(.deadlineExceeded, reason: .deadlineExceeded, "the request was not complete after \(timeout)")
    }
}
