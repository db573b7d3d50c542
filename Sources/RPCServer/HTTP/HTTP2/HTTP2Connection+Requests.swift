internal import HTTPFraming
internal import NIOCore
internal import NIOHPACK
internal import RPCCore

/// The requests of calls: their heads, their messages, and the calls that they begin.
extension HTTP2Connection {
    func begin(_ id: StreamID, _ headers: HeaderList, isEnd: Bool) {
        let stream = HTTP2Stream(id)
        stream.isInputClosed = isEnd
        streams.insert(stream, id)
        goAways.streamBegan(id)
        guard begin(headers, on: stream) else { return }
        if isEnd {
            inputEnded(of: stream)
        } else if case .begun = stream.request {
            incomplete.began(id, now: now)
        }
    }

    /// Begins the request that headers describe, or answers it.
    ///
    /// - Returns: Whether the stream is still there.
    private func begin(_ headers: HeaderList, on stream: HTTP2Stream) -> Bool {
        let areTooLarge = headers.areTooLarge
        let meaning = rules.read(
            headers.headers,
            isLoopback: isLoopback,
            isHTTP2: true,
            areTooLarge: areTooLarge,
            isReadable: life.server.isReadable(httpPath:)
        )
        switch meaning {
        case .call(let head):
            stream.isHead = head.isHead
            stream.bodyBegins(head.contentLength)
            guard !stream.isInputClosed || stream.isBodyComplete else { return refuseMalformed(stream) }
            do throws(RPCError) {
                let call = try request(head, of: stream)
                let maximum = life.server.configuration.limits.maximumStreams
                guard calls.runner.runningCount < maximum else {
                    refuseUnprocessed(stream, .streamLimit(maximum))
                    return false
                }
                stream.request = .begun
                // The message of a GET is in its headers.
                if head.format != .grpc, !stream.isInputClosed { hold(call.body.byteCount, of: stream) }
            } catch {
                answerRefused(stream, error)
            }
        case .answered(let plain, let request):
            stream.isHead = request.isHead
            stream.bodyBegins(request.contentLength)
            guard !stream.isInputClosed || stream.isBodyComplete else { return refuseMalformed(stream) }
            let answer = plain.isRefusal ? refusal(plain, to: request) : plain
            answerAtEnd(of: stream, .whole(answer.headers, answer.body))
            if areTooLarge { countMalformedRequest() }
            if plain.isRefusal { calls.endIfRefused(nil, on: self) }
        case .malformed:
            return refuseMalformed(stream)
        }
        return true
    }

    /// Resets the stream of a malformed request.
    ///
    /// - Returns: Always false: the stream is gone.
    private func refuseMalformed(_ stream: HTTP2Stream) -> Bool {
        calls.countUnread(now: now)
        resetMalformed(stream)
        return false
    }

    /// Resets a stream on which nothing has run, so that its client may send the call again at once (RFC 9113, section 8.7).
    ///
    /// A client that cancels calls may begin others before the work of the first has stopped. It keeps within the streams
    /// that it may open, and cannot know of that work.
    private func refuseUnprocessed(_ stream: HTTP2Stream, _ refusal: Refusal) {
        counters.count(ServerEvent(refusal))
        reset(stream, .refusedStream)
    }

    /// Refuses the requests that are not complete, because the connection ends.
    func refuseIncomplete() {
        while let id = incomplete.first {
            incomplete.ended(id)
            if let stream = streams.value(of: id) { refuseUnprocessed(stream, .draining) }
        }
    }

    // MARK: Malformed requests

    /// Resets a stream whose request is malformed, and stops its call. An answer that waits for the end of the request is not
    /// sent.
    private func resetMalformed(_ stream: HTTP2Stream) {
        requestEnded(of: stream)
        guard !stream.isAnswered else { return }
        calls.runner.cancel(stream.id)
        calls.performActions(on: self)
        reset(stream, .protocolError)
        countFault()
    }

    /// Takes the headers behind the messages of a request, which say nothing that a call uses.
    func receivedTrailers(_ list: HeaderList, on id: StreamID) {
        guard let stream = streams.value(of: id) else { return }
        guard HeaderCheck.areTrailers(list.headers) else { return resetMalformed(stream) }
        guard list.areTooLarge, !stream.isAnswered else { return inputEnded(of: stream) }
        stream.isInputClosed = true
        if !sendPendingAnswer(of: stream) { refuse(stream, .headersTooLarge) }
    }

    // MARK: Bytes

    func received(_ bytes: ByteBuffer, on id: StreamID, isEnd: Bool) {
        if let stream = streams.value(of: id) {
            take(bytes, isEnd: isEnd, on: stream)
            if isEnd { inputEnded(of: stream) } else { openWindow(of: stream) }
        }
        openConnectionWindow()
    }

    private func take(_ bytes: ByteBuffer, isEnd: Bool, on stream: HTTP2Stream) {
        guard stream.bodyReceived(bytes.readableBytes) else { return resetMalformed(stream) }
        do throws(RPCError) {
            switch stream.request {
            case .begun:
                guard let call = stream.requested else { return }
                // The hot path: a body keeps nothing of what arrives at once.
                if isEnd, !call.method.takesFurtherRequests, let message = call.body.onlyMessage(of: bytes) {
                    stream.request = .complete(message)
                } else {
                    try received(bytes, call.body, isEnd: isEnd, on: stream)
                }
            case .open(let body):
                try received(bytes, body, isEnd: isEnd, on: stream)
            case .conversation(let body):
                stream.request = .taken
                try receivedFurther(bytes, body, on: stream)
            case .complete, .answerPending, .taken:
                break
            }
        } catch {
            refuse(stream, error)
        }
    }

    private func received(
        _ bytes: ByteBuffer,
        _ body: CallBody,
        isEnd: Bool,
        on stream: HTTP2Stream
    ) throws(RPCError) {
        guard stream.requested?.method.takesFurtherRequests == false else {
            return try receivedFirst(bytes, body, on: stream)
        }
        // The body's buffer is not shared while it is changed.
        stream.request = .taken
        var body = body
        try body.append(bytes)
        stream.request = .open(body)
        // The call that begins at the end holds its message itself.
        if !isEnd { hold(body.byteCount, of: stream) }
    }

    /// Takes bytes of a call that takes further requests. It begins with the first of them.
    private func receivedFirst(_ bytes: ByteBuffer, _ body: CallBody, on stream: HTTP2Stream) throws(RPCError) {
        var body = body
        stream.request = .taken
        body.appendToEnvelopes(bytes)
        guard let first = try body.nextMessage() else {
            stream.request = .open(body)
            return hold(body.byteCount, of: stream)
        }
        requestEnded(of: stream)
        begin(stream, first, hasMoreRequests: true)
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
        if case .answerPending = stream.request { pendingAnswers.ended(stream.id) }
        stream.request = .taken
        incomplete.ended(stream.id)
        if stream.heldByteCount > 0 { hold(0, of: stream) }
        windowEnded(of: stream)
    }

    func checkRequests() {
        while let id = incomplete.nextExpired(now: now) {
            incomplete.ended(id)
            guard let stream = streams.value(of: id) else { continue }
            counters.count(.frameTimeout)
            let error = RPCError.requestIncomplete(after: life.server.configuration.limits.frameTimeout)
            requestEnded(of: stream)
            noteRefused(stream, error)
            writeStatus(error, on: stream)
        }
    }

    // MARK: Calls

    /// Begins the call of a stream whose request is complete; or ends the requests of one that takes further ones.
    private func inputEnded(of stream: HTTP2Stream) {
        guard stream.isBodyComplete else { return resetMalformed(stream) }
        stream.isInputClosed = true
        if sendPendingAnswer(of: stream) { return }
        let request = stream.request
        requestEnded(of: stream)
        do throws(RPCError) {
            switch request {
            case .complete(let message): begin(stream, message)
            case .begun: if let call = stream.requested { try end(call, call.body, on: stream) }
            case .open(let body): if let call = stream.requested { try end(call, body, on: stream) }
            case .conversation(let body):
                try body.checkEnd()
                calls.runner.requestsEnded(on: stream.id)
            case .answerPending, .taken:
                break
            }
        } catch {
            refuse(stream, error)
        }
    }

    private func end(_ call: RequestedCall, _ body: CallBody, on stream: HTTP2Stream) throws(RPCError) {
        if call.method.takesFurtherRequests { return try endWithoutRequest(call, body, on: stream) }
        begin(stream, try body.end())
    }

    /// Answers a call that takes further requests and has none: there are no answers either.
    private func endWithoutRequest(
        _ call: RequestedCall,
        _ body: CallBody,
        on stream: HTTP2Stream
    ) throws(RPCError) {
        try body.checkEnd()
        stream.requested = nil
        let head = call.head
        calls.endedEmpty(call.method, head.format.system, by: call.caller, now: now, metadata: head.metadata)
        writeHead(on: stream)
        writeEnd(call.answer.success, on: stream)
    }

    /// Answers a request that begins no call, or the rest of whose requests are not taken.
    private func refuse(_ stream: HTTP2Stream, _ error: RPCError) {
        requestEnded(of: stream)
        guard stream.requested == nil else {
            noteRefused(stream, error)
            return answerRefused(stream, error)
        }
        calls.runner.fail(stream.id, error)
        calls.performActions(on: self)
        if error.isFaultOfPeer { countMalformedRequest() }
    }
}

extension RPCError {
    static func requestIncomplete(after timeout: Duration) -> RPCError {
        RPCError(.deadlineExceeded, reason: .deadlineExceeded, "the request was incomplete after \(timeout)")
    }
}
