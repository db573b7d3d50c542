internal import HTTPCalls
internal import NIOCore
internal import NIOHPACK
internal import NIOHTTP2
internal import RPCCore
internal import RPCTransport

/// The answers of calls, as frames.
extension HTTP2Connection: HTTPCallWire {
    func reject(_ id: StreamID, _ error: RPCError) {
        fail(id, error, isOver: true)
        if error.isFaultOfPeer { countMalformedRequest() }
    }

    func callEnded(_ id: StreamID) {
        runningCount -= 1
        if runningCount == 0 { idle?.lastCallEnded(now: now) }
    }

    func writeStatus(_ error: RPCError, on stream: HTTP2Stream) {
        guard !windows.isStuck(stream.outbound) || error.mayWaitForPeer else { return reset(stream) }
        guard let answer = stream.answer else { return }
        writeEnd(answer.failure(error, hasSentHead: stream.hasSentHead), on: stream)
    }

    func hasRoom(for stream: HTTP2Stream) -> Bool { windows.hasRoom(for: stream.outbound) }

    func writable(_ id: StreamID) -> HTTP2Stream? {
        guard !isClosing, let stream = streams[id], !stream.isAnswered else { return nil }
        return stream
    }

    // MARK: Turns

    /// The windows of the peer do not count here. A stream that waits for one has no credit, so each keeps one message at most;
    /// and a call that has no message to send yet must not wait for the windows of others.
    func takesMessage() -> Bool {
        guard context.channel.isWritable else { return false }
        guard unflushedByteCount >= server.configuration.limits.maximumUnsentBytes else { return true }
        // Continue in a later task of the loop, so that one fast reader does not keep the other connections waiting.
        flush()
        if context.channel.isWritable { calls.scheduleTurn(of: self) }
        return false
    }

    func beginTurn() {
        now = .now()
        turnEnded()
    }

    func workingBytesChanged(by difference: Int) { workingByteCount += difference }

    // MARK: Frames

    func writeHead(on stream: HTTP2Stream) {
        guard !stream.hasSentHead, let answer = stream.answer else { return }
        stream.hasSentHead = true
        writeHeaderFrame(answer.head, on: stream, isEnd: false)
    }

    /// Adds a message to those that a stream sends in this turn. A DATA frame for all of them costs little more than one for
    /// each: the HTTP/2 handler takes as long for a frame as all else takes for ten messages.
    func writeMessage(_ message: any OutgoingMessage, on stream: HTTP2Stream) throws(RPCError) {
        guard let answer = stream.answer else { return }
        let gatheredBefore = stream.gathered.readableBytes
        // The second message shows that there may be many: the memory grows once.
        let capacity = gatheredBefore == 0 ? message.byteCount + EnvelopeReader.prefixByteCount : Self.gatheredByteCount
        stream.gathered.reserveCapacity(capacity)
        try answer.appendEnvelope(of: message, to: &stream.gathered)
        writeHead(on: stream)
        if gatheredBefore == 0 { gathering.append(stream) }
        noteWritten(stream.gathered.readableBytes - gatheredBefore, on: stream)
        if stream.gathered.readableBytes >= Self.gatheredByteCount { writeGathered(of: stream, isEnd: false) }
    }

    /// The size of the messages of a stream from which they are written as DATA, in bytes: that of a frame.
    private static let gatheredByteCount = 16 * 1024

    func writeEnd(_ end: CallAnswer.End, on stream: HTTP2Stream) {
        switch end {
        case .headers(let headers): writeHeaders(headers, on: stream, isEnd: true)
        case .body(let bytes): writeLast(bytes, on: stream)
        case .whole(let headers, let body): writeWhole(headers, body, on: stream)
        }
    }

    func writeWhole(_ headers: HPACKHeaders, _ body: ByteBuffer, on stream: HTTP2Stream) {
        writeHeaders(headers, on: stream, isEnd: body.readableBytes == 0)
        if body.readableBytes > 0 { writeLast(body, on: stream) }
    }

    /// Writes the last bytes of an answer.
    private func writeLast(_ bytes: ByteBuffer, on stream: HTTP2Stream) {
        noteWritten(bytes.readableBytes, on: stream)
        stream.gathered.writeImmutableBuffer(bytes)
        writeGathered(of: stream, isEnd: true)
    }

    private func noteWritten(_ byteCount: Int, on stream: HTTP2Stream) {
        windows.written(byteCount, on: &stream.outbound)
        unflushedByteCount += byteCount
        hasWritten = true
    }

    private func writeGathered(of stream: HTTP2Stream, isEnd: Bool) {
        let data = HTTP2Frame.FramePayload.Data(data: .byteBuffer(stream.gathered), endStream: isEnd)
        stream.gathered = ByteBuffer()
        write(HTTP2Frame(streamID: HTTP2StreamID(stream.id), payload: .data(data)))
        if isEnd { answered(stream) }
    }

    /// Writes the messages of all streams.
    private func writeGathered() {
        for stream in gathering where stream.gathered.readableBytes > 0 { writeGathered(of: stream, isEnd: false) }
        gathering.removeAll(keepingCapacity: true)
    }

    private func writeHeaders(_ headers: HPACKHeaders, on stream: HTTP2Stream, isEnd: Bool) {
        if stream.gathered.readableBytes > 0 { writeGathered(of: stream, isEnd: false) }
        writeHeaderFrame(headers, on: stream, isEnd: isEnd)
    }

    private func writeHeaderFrame(_ headers: HPACKHeaders, on stream: HTTP2Stream, isEnd: Bool) {
        let payload = HTTP2Frame.FramePayload.headers(.init(headers: headers, endStream: isEnd))
        write(HTTP2Frame(streamID: HTTP2StreamID(stream.id), payload: payload))
        if isEnd { answered(stream) }
    }

    /// Resets a stream whose answer nobody takes, or gets.
    func reset(_ stream: HTTP2Stream, _ code: HTTP2ErrorCode = .cancel) {
        stream.isAnswered = true
        stream.gathered = ByteBuffer()
        write(HTTP2Frame(streamID: HTTP2StreamID(stream.id), payload: .rstStream(code)))
    }

    private func answered(_ stream: HTTP2Stream) {
        stream.isAnswered = true
        if !stream.isInputClosed { answeredEarly.append(stream.id) }
    }

    /// Tells the peer that nothing more is wanted of the requests that were answered before their end (RFC 9113, section
    /// 8.1). The end of most has arrived with the same read, and some clients do not expect a reset after it.
    func resetAnsweredEarly() {
        guard !answeredEarly.isEmpty else { return }
        for id in answeredEarly where streams[id]?.isInputClosed == false {
            write(HTTP2Frame(streamID: HTTP2StreamID(id), payload: .rstStream(.noError)))
        }
        answeredEarly.removeAll()
    }

    func write(_ frame: HTTP2Frame) {
        hasWritten = true
        context.write(NIOAny(frame), promise: nil)
    }

    func flush() {
        calls.countEnded()
        guard hasWritten else { return }
        writeGathered()
        hasWritten = false
        unflushedByteCount = 0
        context.flush()
    }
}

extension RPCError {
    /// Whether a status may wait behind the rest of a message, for a peer that reads. The ends of a deadline and of the wait for
    /// credit may not: that peer has not read for as long, or does not wait any more.
    fileprivate var mayWaitForPeer: Bool { reason != .deadlineExceeded && reason != .creditTimeout }
}
