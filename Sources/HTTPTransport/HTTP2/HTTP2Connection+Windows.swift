internal import HTTPCalls
internal import NIOCore
internal import NIOHPACK
internal import NIOHTTP2
internal import RPCCore
internal import RPCTransport

/// The windows of the peer, which are the credit of its streams, and of this side.
extension HTTP2Connection {
    func initialWindowChanged(to size: Int) {
        let difference = windows.initialWindowChanged(to: size)
        for stream in streams.values { windows.streamWindowMoved(by: difference, of: &stream.outbound) }
    }

    func windowChanged(_ event: NIOHTTP2WindowUpdatedEvent) {
        guard event.streamID != .rootStream else { return connectionWindowChanged(event) }
        guard let stream = streams[StreamID(event.streamID)] else { return }
        if let size = event.outboundWindowSize { windows.streamWindowChanged(to: size, of: &stream.outbound) }
        // It comes after the DATA that it counts.
        if let size = event.inboundWindowSize, let missing = stream.missingByteCount {
            open(by: RequestWindows.streamIncrement(size: size, missing: missing), event.streamID)
        }
    }

    private func connectionWindowChanged(_ event: NIOHTTP2WindowUpdatedEvent) {
        if let size = event.outboundWindowSize { windows.connectionWindowChanged(to: size) }
        if let size = event.inboundWindowSize {
            requestWindows.connectionWindowChanged(to: size)
            openConnectionWindow()
        }
    }

    /// Lets the peer send more, unless it has begun large requests and not ended them.
    private func openConnectionWindow() { open(by: requestWindows.connectionIncrement(), .rootStream) }

    private func open(by byteCount: Int, _ id: HTTP2StreamID) {
        guard byteCount > 0 else { return }
        write(HTTP2Frame(streamID: id, payload: .windowUpdate(windowSizeIncrement: byteCount)))
    }

    /// Notes the bytes that a stream's incomplete request has in memory.
    func hold(_ byteCount: Int, of stream: HTTP2Stream) {
        requestWindows.held(byteCount - stream.heldByteCount)
        stream.heldByteCount = byteCount
        openConnectionWindow()
    }

    // MARK: Streams that wait

    /// Lets the streams that wait for the peer send their next messages, if the peer takes them.
    ///
    /// It is called when all events of a read or a flush have arrived. In between a frame may be counted as sent, and the
    /// window not as used.
    func resumeStreams() {
        guard waitingCount > 0 else { return }
        for stream in streams.values where stream.isWaiting && windows.hasRoom(for: stream.outbound) {
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

    /// Ends the streams of whose DATA the peer takes no byte between two checks. A call that is answered, or that has nothing
    /// more to send for now, has no other limit.
    func checkStalledStreams() {
        guard stallCheck.isDue(now: now) else { return }
        for stream in Array(streams.values) where stream.outbound.isStalled() {
            counters.count(.creditTimeout)
            guard stream.isAnswered else {
                calls.runner.fail(stream.id, CallInterruption.creditTimeout(after: calls.runner.creditTimeout).error)
                continue
            }
            reset(stream)
        }
    }

    // MARK: Frames that were sent

    /// Notes that a frame was sent.
    func sent(_ frame: HTTP2Frame) {
        switch frame.payload {
        case .goAway: goAways.sent()
        case .headers: pings.sent()
        case .data(let data):
            let byteCount = data.data.readableBytes
            pings.sent()
            allowControlFrames(for: byteCount)
            if let stream = streams[StreamID(frame.streamID)] { windows.sent(byteCount, on: &stream.outbound) }
        case .rstStream: resetByHandler(StreamID(frame.streamID))
        default: break
        }
    }

    /// Notes that a stream is closed, by its last frames or by a reset.
    func streamClosed(_ event: StreamClosedEvent) {
        let id = StreamID(event.streamID)
        guard let stream = streams.removeValue(forKey: id) else { return }
        windows.closed(stream.outbound)
        stream.gathered = ByteBuffer()
        stopWaiting(stream)
        requestEnded(of: stream)
        guard event.reason != nil, !stream.isAnswered else { return }
        if stream.isRunning {
            calls.runner.cancel(id)
            calls.performActions(on: self)
        }
        if !stream.isFaulty { wasCancelled(stream) }
    }

    var activity: ConnectionActivity {
        ConnectionActivity(openCalls: calls.runner.openCallCount, unsentByteCount: unsentByteCount)
    }

    /// The bytes that were made for the peer and that it has not taken. Those behind the windows are counted while it reads;
    /// looking for the others takes a system call.
    private var unsentByteCount: Int {
        guard delivery.isStalled else { return windows.unsentByteCount }
        return windows.unsentByteCount + delivery.queuedByteCount + calls.runner.finishedByteCount
    }

    /// Notes what was sent in this turn.
    func noteDelivery() {
        let wasStalled = delivery.isStalled
        delivery.sent(raw.takeSentByteCount())
        delivery.turnEnded(isWritable: context.channel.isWritable, now: now)
        if wasStalled { stallMayHaveEnded() }
    }

    /// Checks whether the peer reads.
    ///
    /// - Returns: The error to close the connection with, or nil.
    func checkDelivery() -> ConnectionError? {
        let wasStalled = delivery.isStalled
        defer { if wasStalled { stallMayHaveEnded() } }
        return delivery.check(
            isWritable: context.channel.isWritable,
            isMemoryShort: server.unsent.isHalfUsed,
            now: now
        )
    }

    /// A peer that has read is alive.
    private func stallMayHaveEnded() { if !delivery.isStalled { keepalive.bytesReceived(now: now) } }

    /// Reports the bytes that wait for the peer, and those of its requests that are not answered, to the server's budgets.
    func reportBytes() {
        if windows.unsentByteCount > 0 { stallCheck.dataWaits(now: now) }
        shares.report(
            unsentByteCount: isClosing ? 0 : unsentByteCount,
            inboundByteCount: isClosing ? 0 : requestWindows.heldByteCount + workingByteCount,
            for: calls.caller,
            of: context.channel,
            to: server
        )
    }
}
