package import NIOCore

/// Finds the peer that begins a frame and does not end it, says nothing at all, or reads too little.
///
/// A value without a clock: events carry the time, and `nextCheck` says when `check` could have something to say.
/// A frame's deadline does not move with each byte that arrives, so dripping bytes buys no time.
///
/// A peer that does not take all that it is sent makes progress when it acknowledges bytes: as many as `minimumReadRate`
/// asks for in `writeTimeout`, or all that is queued. Each time it has done so, it has the same time again. TCP may open
/// a closed window only when much of it is free, and unix sockets free whole buffers, so the acknowledgements of a slow
/// reader can come in lumps: after a lump the peer has twice the time that the lump took, as far as the lump pays for
/// that time at the minimum rate.
package struct ConnectionWatchdog: Sendable {
    private struct Stall {
        /// When the peer last made progress, or the stall began.
        var since: NIODeadline
        var deadline: NIODeadline
        /// When to look whether it made progress.
        var nextLook: NIODeadline
        /// The bytes that would be queued if nothing had been acknowledged since.
        var queuedBytes: Int
    }

    /// The number of times that a stalled peer is looked at within `writeTimeout`.
    private static let looks = 8

    private let frameTimeout: Duration
    private let writeTimeout: TimeAmount
    /// In bytes a second.
    private let minimumReadRate: Int
    private var frameDeadline: NIODeadline?
    private var stall: Stall?
    private var hasStalled = false
    /// The time that the next progress may take.
    private var patience: TimeAmount

    /// - Parameters:
    ///   - frameTimeout: From a frame's first byte to its last.
    ///   - writeTimeout: Without progress of a peer that bytes wait for.
    ///   - minimumReadRate: In bytes a second, over `writeTimeout`.
    ///   - firstFrameBegins: When the wait for the first frame began; nil where a peer may stay silent (unix sockets).
    package init(
        frameTimeout: Duration,
        writeTimeout: Duration,
        minimumReadRate: Int,
        firstFrameBegins: NIODeadline?
    ) {
        self.frameTimeout = frameTimeout
        self.writeTimeout = TimeAmount(writeTimeout)
        self.minimumReadRate = minimumReadRate
        self.patience = TimeAmount(writeTimeout)
        if let firstFrameBegins { frameBegan(now: firstFrameBegins) }
    }

    // MARK: Frames

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

    // MARK: Reading

    /// - Parameters:
    ///   - queuedBytes: The bytes that were handed to the socket and that the peer has not acknowledged.
    ///   - acknowledgedBytes: What it acknowledged before. Its system took these in at once, and acknowledges no more before
    ///     it has read much of them: they pay for up to twice the usual time of its first stall.
    ///   - now: The time.
    package mutating func becameUnwritable(queuedBytes: Int, acknowledgedBytes: Int = 0, now: NIODeadline) {
        if !hasStalled { patience = patience(after: acknowledgedBytes, in: writeTimeout) }
        hasStalled = true
        beginStall(queuedBytes: queuedBytes, now: now)
        frameDeadline = nil
    }

    /// Answers that were already being made join the queue. That is no lack of progress.
    package mutating func bytesQueued(_ byteCount: Int) {
        stall?.queuedBytes += byteCount
    }

    /// - Parameters:
    ///   - queuedBytes: As in `becameUnwritable`. Asked for only if the peer took long.
    ///   - now: The time.
    package mutating func becameWritable(queuedBytes: @autoclosure () -> Int, now: NIODeadline) {
        guard let stall else { return }
        self.stall = nil
        let isSlow = (now - stall.since) * 2 > writeTimeout
        patience = isSlow ? patience(after: stall.queuedBytes - queuedBytes(), in: now - stall.since) : writeTimeout
    }

    /// Whether the peer is expected to acknowledge something.
    package var isStalled: Bool { stall != nil }

    /// When to call `check`; nil while nothing is awaited.
    package var nextCheck: NIODeadline? {
        guard let stall else { return frameDeadline }
        let look = min(stall.nextLook, stall.deadline)
        return frameDeadline.map { min($0, look) } ?? look
    }

    /// Whether the peer has used up its time.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - queuedBytes: As in `becameUnwritable`; less than what was there and what was queued since is progress.
    /// - Returns: Why to close the connection, or nil.
    package mutating func check(now: NIODeadline, queuedBytes: @autoclosure () -> Int) -> ConnectionError? {
        if let frameDeadline, frameDeadline <= now { return .frameTimeout(after: frameTimeout) }
        guard let stall, min(stall.nextLook, stall.deadline) <= now else { return nil }
        let queued = queuedBytes()
        let acknowledged = stall.queuedBytes - queued
        if acknowledged >= progress(of: stall) {
            patience = patience(after: acknowledged, in: now - stall.since)
            beginStall(queuedBytes: queued, now: now)
        } else if stall.deadline <= now {
            return .writeTimeout(after: .nanoseconds(writeTimeout.nanoseconds))
        } else {
            let nextLook = now + lookInterval
            self.stall?.nextLook = nextLook
        }
        return nil
    }

    private mutating func beginStall(queuedBytes: Int, now: NIODeadline) {
        stall = Stall(since: now, deadline: now + patience, nextLook: now + lookInterval, queuedBytes: queuedBytes)
    }

    private var lookInterval: TimeAmount { .nanoseconds(max(1, writeTimeout.nanoseconds / Int64(Self.looks))) }

    /// The number of bytes that a peer must acknowledge.
    private func progress(of stall: Stall) -> Int {
        let seconds = Double(writeTimeout.nanoseconds) / 1e9
        return max(1, min(Int(seconds * Double(minimumReadRate)), stall.queuedBytes))
    }

    private func patience(after acknowledged: Int, in time: TimeAmount) -> TimeAmount {
        let seconds = Double(max(0, acknowledged)) / Double(max(1, minimumReadRate))
        let paidFor = TimeAmount(.seconds(min(seconds, 3600)))
        return max(writeTimeout, min(min(time, .hours(1)) * 2, paidFor))
    }
}
