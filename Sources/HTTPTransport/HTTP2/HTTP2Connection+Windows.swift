internal import HTTPCalls
internal import NIOCore
internal import NIOHPACK
internal import NIOHTTP2
internal import RPCCore
internal import RPCTransport

/// The windows of the peer, which are the credit of its streams, and of this side.
extension HTTP2Connection {
    func initialWindowChanged(to size: Int) {
        let change = size - initialWindow
        initialWindow = size
        for stream in streams.values { stream.window += change }
    }

    func windowChanged(_ event: NIOHTTP2WindowUpdatedEvent) {
        guard event.streamID != .rootStream else { return connectionWindowChanged(event) }
        guard let stream = streams[StreamID(event.streamID)] else { return }
        if let size = event.inboundWindowSize { stream.inboundWindow = size }
        if let size = event.outboundWindowSize { stream.window = size }
    }

    private func connectionWindowChanged(_ event: NIOHTTP2WindowUpdatedEvent) {
        if let size = event.inboundWindowSize {
            inboundWindow = size
            giveBackWindow()
        }
        if let size = event.outboundWindowSize { window = size }
    }

    /// Lets the peer send more, unless it has begun large requests and not ended them. The window counts what is discarded
    /// too, and padding.
    func giveBackWindow() {
        guard inboundWindow <= Self.defaultWindow / 2, heldByteCount <= server.configuration.limits.maximumHeldBytes
        else {
            return
        }
        widenWindow(by: Self.defaultWindow - inboundWindow, of: .rootStream)
        // The HTTP/2 handler reports this window only after DATA.
        inboundWindow = Self.defaultWindow
    }

    func widenWindow(by byteCount: Int, of id: HTTP2StreamID) {
        write(HTTP2Frame(streamID: id, payload: .windowUpdate(windowSizeIncrement: byteCount)))
    }

    /// Lets the streams that wait for the peer send their next messages, if the peer takes them.
    ///
    /// It is called when all events of a read or a flush have arrived. In between a frame may be counted as sent, and the
    /// window not as used.
    func resumeStreams() {
        guard waitingCount > 0 else { return }
        for stream in streams.values where stream.isWaiting && hasRoom(stream) {
            stopWaiting(stream)
            calls.runner.grant(1, to: stream.id)
        }
    }

    func wait(_ stream: HTTP2Stream) {
        guard !stream.isWaiting else { return }
        stream.isWaiting = true
        waitingCount += 1
    }

    private func stopWaiting(_ stream: HTTP2Stream) {
        guard stream.isWaiting else { return }
        stream.isWaiting = false
        waitingCount -= 1
    }

    func hasRoom(_ stream: HTTP2Stream) -> Bool { stream.room > 0 && window - unsentByteCount > 0 }

    /// Notes that a frame was sent.
    func sent(_ frame: HTTP2Frame) {
        switch frame.payload {
        case .goAway: if ownGoAwayCount > 0 { ownGoAwayCount -= 1 } else { hasFailed = true }
        case .headers: pings.sent()
        case .data(let data):
            pings.sent()
            prepayFrames(for: data.data.readableBytes)
            dataSent(data.data.readableBytes, on: StreamID(frame.streamID))
        case .rstStream: resetByHandler(StreamID(frame.streamID))
        default: break
        }
    }

    private func dataSent(_ byteCount: Int, on id: StreamID) {
        unsentByteCount -= byteCount
        streams[id]?.unsentByteCount -= byteCount
    }

    /// Resets the streams of which the peer takes no byte between two looks. Their calls are over, so nothing else ends
    /// them.
    func checkAnswers() {
        guard let look = nextLook, look <= now else { return }
        nextLook = nil
        for stream in Array(streams.values) where stream.isAnswered && stream.unsentByteCount > 0 {
            guard stream.unsentByteCount == stream.unsentAtLastLook else {
                stream.unsentAtLastLook = stream.unsentByteCount
                continue
            }
            counters.count(.creditTimeout)
            write(HTTP2Frame(streamID: HTTP2StreamID(stream.id), payload: .rstStream(.cancel)))
        }
    }

    private func planLook() {
        guard unsentByteCount > 0, nextLook == nil else { return }
        nextLook = now + TimeAmount(server.configuration.limits.creditTimeout)
    }

    /// Notes that a stream is closed, by its last frames or by a reset.
    func streamClosed(_ event: StreamClosedEvent) {
        let id = StreamID(event.streamID)
        guard let stream = streams.removeValue(forKey: id) else { return }
        unsentByteCount -= stream.unsentByteCount
        stopWaiting(stream)
        requestEnded(of: stream)
        guard event.reason != nil, !stream.isAnswered else { return }
        if stream.isRunning {
            calls.runner.cancel(id)
            calls.performActions(on: self)
        }
        if !stream.isFaulty { wasCancelled(stream) }
    }

    /// Reports the bytes that wait for the peer, and those of its requests that are not answered, to the server's budgets.
    func reportBytes() {
        planLook()
        shares.report(
            unsentByteCount: isClosing ? 0 : unsentByteCount,
            inboundByteCount: isClosing ? 0 : heldByteCount + workingByteCount,
            of: context.channel,
            to: server
        )
    }
}
