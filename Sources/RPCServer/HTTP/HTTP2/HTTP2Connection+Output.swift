internal import HTTPFraming
internal import NIOCore
internal import NIOHPACK
internal import RPCCore

extension HTTP2Connection: HTTPCallWire {
    func writeStatus(_ error: RPCError, on stream: HTTP2Stream) {
        guard error.mayWaitForPeer || !frames.isStuck(stream.id) else { return reset(stream) }
        guard let answer = stream.answer else { return }
        writeEnd(answer.failure(error, hasSentHead: stream.hasSentHead), on: stream)
    }

    func hasRoom(for stream: HTTP2Stream) -> Bool { frames.hasRoom(on: stream.id) }

    func writable(_ id: StreamID) -> HTTP2Stream? {
        guard !isClosing, let stream = streams.value(of: id), !stream.isAnswered else { return nil }
        return stream
    }

    // MARK: Turns

    /// The windows of the peer do not count here. A stream that waits for one has no credit, so each keeps one message at most;
    /// and a call that has no message to send yet must not wait for the windows of others.
    func takesMessage() -> Bool {
        hasRoom && frames.unflushedByteCount < life.server.configuration.limits.maximumUnsentBytes
    }

    var hasRoom: Bool { life.context.channel.isWritable }

    var hasWaitingRequests: Bool { !incomplete.isEmpty }

    // MARK: Frames

    func writeHead(on stream: HTTP2Stream) {
        guard !stream.hasSentHead, let answer = stream.answer else { return }
        stream.hasSentHead = true
        frames.sendHeaders(answer.head, isEnd: false, on: stream.id)
    }

    func writeMessage(_ message: any OutgoingMessage, isLast: Bool, on stream: HTTP2Stream) throws(RPCError) {
        guard let answer = stream.answer else { return }
        guard answer.isPlain else {
            let bytes = try answer.envelope(of: message)
            return sendMessage(isLast: isLast, on: stream) { $0.writeImmutableBuffer(bytes) }
        }
        sendMessage(isLast: isLast, on: stream) { CallAnswer.appendEnvelope(of: message, to: &$0) }
    }

    /// Sends a message behind the headers. Those of a stream that continues share the DATA frames of a turn.
    private func sendMessage(isLast: Bool, on stream: HTTP2Stream, _ write: (inout ByteBuffer) -> Void) {
        writeHead(on: stream)
        if isLast {
            frames.sendData(isEnd: false, on: stream.id, write)
        } else {
            frames.gatherData(on: stream.id, write)
        }
    }

    func writeEnd(_ end: CallAnswer.End, on stream: HTTP2Stream) {
        switch end {
        case .headers(let headers): writeHeaders(headers, on: stream, isEnd: true)
        case .body(let bytes): writeLast(bytes, on: stream)
        case .whole(let headers, let body): writeWhole(headers, body, on: stream)
        }
    }

    func writeWhole(_ headers: HPACKHeaders, _ body: ByteBuffer, on stream: HTTP2Stream) {
        let isEnd = body.readableBytes == 0 || stream.isHead
        writeHeaders(headers, on: stream, isEnd: isEnd)
        if !isEnd { writeLast(body, on: stream) }
    }

    private func writeLast(_ bytes: ByteBuffer, on stream: HTTP2Stream) {
        frames.sendData(isEnd: true, on: stream.id) { $0.writeImmutableBuffer(bytes) }
        answered(stream)
    }

    private func writeHeaders(_ headers: HPACKHeaders, on stream: HTTP2Stream, isEnd: Bool) {
        frames.sendHeaders(headers, isEnd: isEnd, on: stream.id)
        if isEnd { answered(stream) }
    }

    /// Resets a stream whose answer nobody takes, or gets.
    func reset(_ stream: HTTP2Stream, _ code: HTTP2FaultCode = .cancel) {
        stream.isAnswered = true
        frames.reset(stream.id, code)
        forget(stream)
    }

    private func answered(_ stream: HTTP2Stream) {
        stream.isAnswered = true
        if !stream.isInputClosed { answeredEarly.append(stream.id) }
    }

    func flush() {
        calls.countEnded(on: self)
        frames.sendGathered()
        forgetClosedStreams()
        resumeStreams()
        if frames.unsentByteCount > 0 { stallCheck.dataWaits(now: now) }
        guard frames.hasOutput else { return }
        let written = frames.takeWritten()
        if !written.isEmpty {
            pings.sent()
            allowControlFrames(for: written)
        }
        let bytes = frames.takeOutput()
        life.delivery.sent(bytes.readableBytes)
        life.context.writeAndFlush(NIOAny(bytes), promise: nil)
    }
}

extension RPCError {
    /// Whether a status may wait behind the rest of a message, for a peer that reads. The ends of a deadline and of the wait for
    /// credit may not: that peer has not read for as long, or does not wait any more.
    fileprivate var mayWaitForPeer: Bool { reason != .deadlineExceeded && reason != .creditTimeout }
}
