package import NIOCore

/// Finds the peer that begins a frame and does not end it, says nothing at all, or reads nothing.
///
/// A value without a clock: events carry the time, and `nextCheck` says when `check` could have something to say.
/// A deadline does not move with each byte that arrives, so dripping bytes buys no time.
package struct ConnectionWatchdog: Sendable {
    private struct Stall {
        /// What would be waiting if nothing had left since the last look.
        var unsentBytes: Int
        var deadline: NIODeadline
    }

    private let frameTimeout: Duration
    private let writeTimeout: Duration
    private var frameDeadline: NIODeadline?
    private var stall: Stall?

    /// - Parameters:
    ///   - frameTimeout: From a frame's first byte to its last.
    ///   - writeTimeout: Without one unsent byte having left.
    ///   - firstFrameBegins: When the wait for the first frame began; nil where a peer may stay silent (unix sockets).
    package init(frameTimeout: Duration, writeTimeout: Duration, firstFrameBegins: NIODeadline?) {
        self.frameTimeout = frameTimeout
        self.writeTimeout = writeTimeout
        if let firstFrameBegins { frameBegan(now: firstFrameBegins) }
    }

    /// Bytes of a frame are here and it is not whole. Only the first such event of a frame counts, and none while the
    /// peer does not read: it is not read from either then, so the rest of its frame may long be there.
    package mutating func frameBegan(now: NIODeadline) {
        guard frameDeadline == nil, stall == nil else { return }
        frameDeadline = now + TimeAmount(frameTimeout)
    }

    /// Nothing is left of the last frame: it was taken, or its data is thrown away to the end.
    package mutating func frameEnded() {
        frameDeadline = nil
    }

    /// - Parameters:
    ///   - unsentBytes: What waits to be sent.
    ///   - now: The time.
    package mutating func becameUnwritable(unsentBytes: Int, now: NIODeadline) {
        stall = Stall(unsentBytes: unsentBytes, deadline: now + TimeAmount(writeTimeout))
        frameDeadline = nil
    }

    /// Answers that were already being made join what waits to be sent. That is no lack of progress.
    package mutating func bytesQueued(_ byteCount: Int) {
        stall?.unsentBytes += byteCount
    }

    package mutating func becameWritable() {
        stall = nil
    }

    /// When to call `check`; nil while nothing is awaited.
    package var nextCheck: NIODeadline? {
        guard let frameDeadline, let stall else { return frameDeadline ?? stall?.deadline }
        return min(frameDeadline, stall.deadline)
    }

    /// Whether the peer has used up its time.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - unsentBytes: What waits to be sent now; less than what was there and what was queued since is progress.
    /// - Returns: Why to close the connection, or nil.
    package mutating func check(now: NIODeadline, unsentBytes: Int) -> ConnectionError? {
        if let frameDeadline, frameDeadline <= now { return .frameTimeout(after: frameTimeout) }
        guard let stall, stall.deadline <= now else { return nil }
        guard unsentBytes < stall.unsentBytes else { return .writeTimeout(after: writeTimeout) }
        becameUnwritable(unsentBytes: unsentBytes, now: now)
        return nil
    }
}
