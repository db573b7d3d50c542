internal import HTTPFraming
internal import NIOCore
internal import RPCCore

/// The windows of the peer, which are the credit of its streams, and of this side.
extension HTTP2Connection {
    func openConnectionWindow() {
        requestWindows.connectionWindowChanged(to: frames.inboundWindow)
        let byteCount = requestWindows.connectionIncrement()
        if byteCount > 0 { frames.openConnectionWindow(by: byteCount) }
    }

    func openWindow(of stream: HTTP2Stream) {
        guard let missing = stream.missingByteCount, let size = frames.inboundWindow(of: stream.id) else { return }
        let byteCount = RequestWindows.streamIncrement(size: size, missing: missing)
        guard byteCount > 0 else { return }
        // A conversation keeps no more than one message, which is hardly longer than the first window.
        if let rest = stream.maximumRestByteCount, !requestWindows.admits(stream.id, rest - size) { return }
        frames.openWindow(by: byteCount, on: stream.id)
    }

    /// Notes that nothing more of a stream's request needs a window, and lets in those that wait for that.
    func windowEnded(of stream: HTTP2Stream) {
        requestWindows.ended(stream.id)
        while let id = requestWindows.nextAdmitted() {
            guard let next = streams.value(of: id) else {
                requestWindows.ended(id)
                continue
            }
            // It could send nothing while it waited.
            incomplete.restarted(id, now: now)
            openWindow(of: next)
        }
    }

    /// Notes the bytes that a stream's incomplete request has in memory.
    func hold(_ byteCount: Int, of stream: HTTP2Stream) {
        requestWindows.held(byteCount - stream.heldByteCount)
        stream.heldByteCount = byteCount
    }

    // MARK: Streams that wait

    /// Lets the streams that wait for the peer send their next messages, if the peer takes them.
    func resumeStreams() {
        guard waitingCount > 0 else { return }
        for stream in streams.values where stream.isWaiting && frames.hasRoom(on: stream.id) {
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
        for id in frames.stalledStreams() {
            guard let stream = streams.value(of: id) else { continue }
            counters.count(.creditTimeout)
            guard stream.isAnswered else {
                calls.runner.fail(stream.id, CallInterruption.creditTimeout(after: calls.runner.creditTimeout).error)
                continue
            }
            reset(stream)
        }
    }

    // MARK: The end of streams

    func forgetClosedStreams() {
        while let id = frames.nextClosed() {
            if let stream = streams.value(of: id) { forget(stream) }
        }
    }

    func forget(_ stream: HTTP2Stream) {
        guard streams.remove(stream.id) != nil else { return }
        stopWaiting(stream)
        requestEnded(of: stream)
    }

    /// Forgets a stream that was reset, and stops its call.
    ///
    /// - Returns: Whether there was one that was not answered.
    @discardableResult
    func abandon(_ id: StreamID) -> Bool {
        guard let stream = streams.value(of: id) else { return false }
        forget(stream)
        guard !stream.isAnswered else { return false }
        stream.isAnswered = true
        calls.runner.cancel(id)
        calls.performActions(on: self)
        return true
    }

    // MARK: Bytes

    /// The bytes behind the peer's windows.
    var waitingByteCount: Int { frames.unsentByteCount }

    /// The bytes of requests that are in memory. A frame that is not complete counts if it is no small one.
    var inboundByteCount: Int {
        let frame = frames.inputByteCount
        return requestWindows.heldByteCount + calls.workingByteCount + (frame < Self.uncountedBytes ? 0 : frame)
    }

    private static let uncountedBytes = 1024
}
