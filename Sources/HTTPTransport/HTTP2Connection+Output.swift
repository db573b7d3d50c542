internal import Framing
internal import HTTPCalls
internal import NIOCore
internal import NIOHPACK
internal import NIOHTTP2
internal import RPCCore
internal import RPCTransport

/// The answers of calls, as frames.
extension HTTP2Connection: CallWire {
    func respond(_ id: StreamID, _ message: any OutgoingMessage) {
        guard let stream = writable(id) else { return callEnded(id) }
        writeMessage(message, on: stream)
        writeHeaders(GRPCResponseHeaders.success, on: stream, isEnd: true)
        callEnded(id)
    }

    func send(_ message: StreamMessage) {
        guard let stream = writable(message.id) else {
            if message.isLast { callEnded(message.id) }
            return
        }
        writeMessage(message.message, on: stream)
        guard !message.isLast else {
            writeHeaders(GRPCResponseHeaders.success, on: stream, isEnd: true)
            return callEnded(message.id)
        }
        if hasRoom(stream) { calls.runner.grant(1, to: stream.id) } else { wait(stream) }
    }

    func endStream(_ id: StreamID) {
        if let stream = writable(id) {
            writeHead(on: stream)
            writeHeaders(GRPCResponseHeaders.success, on: stream, isEnd: true)
        }
        callEnded(id)
    }

    func reject(_ id: StreamID, _ error: RPCError) {
        if error.isFaultOfPeer { counters.count(.malformedRequest) }
        fail(id, error, isOver: true)
    }

    func fail(_ id: StreamID, _ error: RPCError, isOver: Bool) {
        if let stream = writable(id) { writeStatus(error, on: stream) }
        if isOver { callEnded(id) }
    }

    func callEnded(_ id: StreamID) {
        runningCount -= 1
        if runningCount == 0 { idle?.lastCallEnded(now: now) }
    }

    func writeStatus(_ error: RPCError, on stream: HTTP2Stream) {
        // Behind what the peer does not take, the status would wait with it.
        guard stream.unsentByteCount == 0 || stream.room >= 0 && window >= unsentByteCount else {
            stream.isAnswered = true
            return write(HTTP2Frame(streamID: HTTP2StreamID(stream.id), payload: .rstStream(.cancel)))
        }
        let headers =
            stream.hasSentHead ? GRPCResponseHeaders.trailers(error) : GRPCResponseHeaders.trailersOnly(error)
        writeHeaders(headers, on: stream, isEnd: true)
    }

    /// Returns a stream whose answer is not complete; nil also if the peer has reset it.
    private func writable(_ id: StreamID) -> HTTP2Stream? {
        guard !isClosing, let stream = streams[id], !stream.isAnswered else { return nil }
        return stream
    }

    // MARK: Turns

    func takesMessage() -> Bool {
        guard context.channel.isWritable else { return false }
        guard unsentByteCount >= server.configuration.limits.maximumUnsentBytes else { return true }
        // Continue in a later task of the loop, so that one fast reader does not keep the other connections waiting.
        flush()
        if unsentByteCount < server.configuration.limits.maximumUnsentBytes { calls.scheduleTurn(of: self) }
        return false
    }

    func beginTurn() {
        now = .now()
        turnEnded()
    }

    func workingBytesChanged(by difference: Int) { workingByteCount += difference }

    // MARK: Frames

    private func writeHead(on stream: HTTP2Stream) {
        guard !stream.hasSentHead else { return }
        stream.hasSentHead = true
        writeHeaders(GRPCResponseHeaders.head, on: stream, isEnd: false)
    }

    private func writeMessage(_ message: any OutgoingMessage, on stream: HTTP2Stream) {
        writeHead(on: stream)
        let byteCount = GRPCMessageReader.prefixByteCount + message.byteCount
        var bytes = context.channel.allocator.buffer(capacity: byteCount)
        bytes.write(byteCount: byteCount) { writer in
            writer.write(0 as UInt8)
            writer.write(UInt32(message.byteCount))
            message.write(to: &writer)
        }
        stream.unsentByteCount += byteCount
        unsentByteCount += byteCount
        write(HTTP2Frame(streamID: HTTP2StreamID(stream.id), payload: .data(.init(data: .byteBuffer(bytes)))))
    }

    func writeHeaders(_ headers: HPACKHeaders, on stream: HTTP2Stream, isEnd: Bool) {
        let id = HTTP2StreamID(stream.id)
        if isEnd { stream.isAnswered = true }
        write(HTTP2Frame(streamID: id, payload: .headers(.init(headers: headers, endStream: isEnd))))
        if isEnd, !stream.isInputClosed { answeredEarly.append(stream.id) }
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
        guard hasWritten else { return }
        hasWritten = false
        context.flush()
    }
}
