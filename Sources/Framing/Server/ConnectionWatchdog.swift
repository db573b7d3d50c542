package import NIOCore

/// A check for peers that begin a frame and do not end it, send nothing at all, or read too little.
///
/// It is a value without a clock: events carry the time, and `nextCheck` is the time of the next `check`. A frame's
/// deadline does not move with each byte that arrives, so a peer that sends byte by byte gains no time.
///
/// A peer that does not take all that it is sent makes progress when it acknowledges bytes: as many as
/// `minimumReadRate` requires for `writeTimeout`, or all that are queued. After each progress it has the same time
/// again. TCP may open a closed window only when much of it is free, and unix sockets free whole buffers, so the
/// acknowledgements of a slow reader can come in large groups. After such a group the peer has twice the time that the
/// group took, limited to the time that the acknowledged bytes pay for at the minimum rate.
/// that time at the minimum rate.
package struct ConnectionWatchdog: Sendable {
    private struct Stall {
        /// The time of the peer's last progress, or the start of the stall.
        var since: NIODeadline
        var deadline: NIODeadline
        /// The time of the next check for progress.
        var nextLook: NIODeadline
        /// The bytes that would be queued if the peer had acknowledged nothing since then.
        var queuedBytes: Int
    }

    /// The number of checks of a stalled peer within `writeTimeout`.
    private static let looks = 8

    private let frameTimeout: Duration
    private let writeTimeout: TimeAmount
    /// The minimum rate, in bytes a second.
    private let minimumReadRate: Int
    private var frameDeadline: NIODeadline?
    private var stall: Stall?
    private var hasStalled = false
    /// The time that the next progress may take.
    private var patience: TimeAmount

    /// - Parameters:
    ///   - frameTimeout: The maximum time from a frame's first byte to its last.
    ///   - writeTimeout: The maximum time without progress of a peer while bytes wait for it.
    ///   - minimumReadRate: The rate of progress, in bytes a second, over `writeTimeout`.
    ///   - firstFrameBegins: The start of the wait for the first frame; nil if a peer may stay silent (unix sockets).
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

    /// Notes that a part of a frame has arrived. Only the first such event of a frame counts, and none while the peer
    /// does not read: then the server does not read from it either, so the rest of the frame may have arrived long ago.
    package mutating func frameBegan(now: NIODeadline) {
        guard frameDeadline == nil, stall == nil else { return }
        frameDeadline = now + TimeAmount(frameTimeout)
    }

    /// Notes that no part of a frame is waiting: the last frame was taken, or all of its data was discarded.
    package mutating func frameEnded() {
        frameDeadline = nil
    }

    // MARK: Reading

    /// Notes that the peer takes no more bytes for now.
    ///
    /// - Parameters:
    ///   - queuedBytes: The bytes that were handed to the socket and that the peer has not acknowledged.
    ///   - acknowledgedBytes: The bytes that the peer acknowledged before. Its system took these at once, and
    ///     acknowledges no more before the peer has read many of them: they pay for up to twice the usual time of its
    ///     first stall.
    ///   - now: The time.
    package mutating func becameUnwritable(queuedBytes: Int, acknowledgedBytes: Int = 0, now: NIODeadline) {
        if !hasStalled { patience = patience(after: acknowledgedBytes, in: writeTimeout) }
        hasStalled = true
        beginStall(queuedBytes: queuedBytes, now: now)
        frameDeadline = nil
    }

    /// Notes that answers which were already being made were queued. They are no lack of progress.
    package mutating func bytesQueued(_ byteCount: Int) {
        stall?.queuedBytes += byteCount
    }

    /// Notes that the peer takes bytes again.
    ///
    /// - Parameters:
    ///   - queuedBytes: The same as in `becameUnwritable`. Evaluated only if the peer took long.
    ///   - now: The time.
    package mutating func becameWritable(queuedBytes: @autoclosure () -> Int, now: NIODeadline) {
        guard let stall else { return }
        self.stall = nil
        let isSlow = (now - stall.since) * 2 > writeTimeout
        patience = isSlow ? patience(after: stall.queuedBytes - queuedBytes(), in: now - stall.since) : writeTimeout
    }

    /// Whether bytes wait for the peer, so that it has to acknowledge some.
    package var isStalled: Bool { stall != nil }

    /// The time at which to call `check`; nil if nothing is awaited.
    package var nextCheck: NIODeadline? {
        guard let stall else { return frameDeadline }
        let look = min(stall.nextLook, stall.deadline)
        return frameDeadline.map { min($0, look) } ?? look
    }

    /// Checks whether the peer has used up its time.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - queuedBytes: The same as in `becameUnwritable`. A number below the bytes that were there and were queued
    ///     since is progress.
    /// - Returns: The error to close the connection with, or nil.
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
