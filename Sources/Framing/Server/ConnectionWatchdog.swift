package import NIOCore
package import RPCCore

/// A check for peers that begin a frame and do not end it, send nothing at all, or read too little.
///
/// It is a value without a clock: events carry the time, and `nextCheck` is the time of the next `check`. A frame's
/// deadline does not move with each byte that arrives, so a peer that sends byte by byte gains no time.
///
/// A peer that does not take all that it is sent has `writeTimeout`. Each byte that it acknowledges adds the time that the
/// byte takes at `minimumReadRate`, so a peer may read at that rate without end.
///
/// The acknowledgements of a slow reader come in large groups. Its system takes in 64 to 128 KiB at once, and acknowledges
/// nothing more before the program has read most of it: every 13 to 20 s at 10 KB/s, every 65 to 71 s at 2 KB/s. Until then
/// such a reader cannot be distinguished from one that has stopped. So a peer may save up to `savings` times
/// `writeTimeout`; a peer that has stopped costs only memory meanwhile. When memory is short, each peer has `writeTimeout`
/// at most.
package struct ConnectionWatchdog: Sendable {
    /// The time that a peer has left, and the most that it may have.
    private struct Allowance {
        let maximum: TimeAmount
        var end = NIODeadline.uptimeNanoseconds(0)

        mutating func add(_ time: TimeAmount, now: NIODeadline) { end = min(end + time, now + maximum) }
    }

    /// The number of checks of a stalled peer within `writeTimeout`.
    private static let looks = 8
    /// The maximum time that a peer may have, as a multiple of `writeTimeout`.
    private static let savings: Int64 = 8

    private let frameTimeout: Duration
    private let writeTimeout: TimeAmount
    /// The minimum rate, in bytes a second.
    private let minimumReadRate: Int
    private var frameDeadline: NIODeadline?
    /// The time of the next check for progress; nil if the peer is not stalled.
    private var nextLook: NIODeadline?
    /// Whether the server reads from a stalled peer, so that the deadline of its frames holds.
    private var isReadWhileStalled = false
    private var allowance: Allowance
    /// The time that the peer has left while memory is short.
    private var shortAllowance: Allowance
    /// The bytes that the peer had acknowledged at the last look.
    private var acknowledgedBytes = 0

    /// - Parameters:
    ///   - frameTimeout: The maximum time from a frame's first byte to its last.
    ///   - writeTimeout: The maximum time without progress of a peer while bytes wait for it.
    ///   - minimumReadRate: The rate of progress that keeps a connection open, in bytes a second.
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
        self.allowance = Allowance(
            maximum: min(TimeAmount(writeTimeout), .nanoseconds(.max / Self.savings)) * Self.savings
        )
        self.shortAllowance = Allowance(maximum: TimeAmount(writeTimeout))
        if let firstFrameBegins { frameBegan(now: firstFrameBegins) }
    }

    // MARK: Frames

    /// Notes that a part of a frame has arrived. Only the first such event of a frame counts, and none while the peer
    /// does not read: then the server does not read from it either, so the rest of the frame may have arrived long ago.
    package mutating func frameBegan(now: NIODeadline) {
        guard frameDeadline == nil, nextLook == nil || isReadWhileStalled else { return }
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
    ///   - acknowledgedBytes: The number of bytes that the peer has acknowledged since it was connected.
    ///   - isRead: Whether the server reads from the peer meanwhile.
    ///   - now: The time.
    package mutating func becameUnwritable(acknowledgedBytes: Int, isRead: Bool = false, now: NIODeadline) {
        // Time in which nothing waited for the peer does not count.
        allowance.end = max(allowance.end, now)
        acknowledged(acknowledgedBytes, now: now)
        allowance.end = max(allowance.end, now + writeTimeout)
        shortAllowance.end = now + writeTimeout
        nextLook = now + lookInterval
        isReadWhileStalled = isRead
        if !isRead { frameDeadline = nil }
    }

    /// Notes that the peer takes bytes again.
    package mutating func becameWritable() {
        nextLook = nil
    }

    /// Whether the peer is expected to acknowledge something.
    package var isStalled: Bool { nextLook != nil }

    /// The time at which to call `check`; nil if nothing is awaited.
    package var nextCheck: NIODeadline? {
        guard let nextLook else { return frameDeadline }
        return frameDeadline.map { min($0, nextLook) } ?? nextLook
    }

    /// Checks whether the peer has used up its time.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - acknowledgedBytes: The same as in `becameUnwritable`.
    ///   - isMemoryShort: Whether so many bytes wait for all peers together that no peer may use saved time.
    /// - Returns: The error to close the connection with, or nil.
    package mutating func check(
        now: NIODeadline,
        acknowledgedBytes: @autoclosure () -> Int,
        isMemoryShort: @autoclosure () -> Bool
    ) -> ConnectionError? {
        if let frameDeadline, frameDeadline <= now { return .frameTimeout(after: frameTimeout) }
        guard let nextLook, nextLook <= now else { return nil }
        acknowledged(acknowledgedBytes(), now: now)
        let end = isMemoryShort() ? shortAllowance.end : allowance.end
        guard end > now else { return .writeTimeout(after: .nanoseconds(writeTimeout.nanoseconds)) }
        self.nextLook = min(now + lookInterval, end, shortAllowance.end > now ? shortAllowance.end : .distantFuture)
        return nil
    }

    /// Adds time for acknowledged bytes. Over unix sockets the number may also fall, because queued bytes take more room in
    /// the kernel than their number.
    private mutating func acknowledged(_ byteCount: Int, now: NIODeadline) {
        let seconds = Double(max(0, byteCount - acknowledgedBytes)) / Double(max(1, minimumReadRate))
        let time = TimeAmount(.seconds(min(seconds, 3600)))
        acknowledgedBytes = byteCount
        allowance.add(time, now: now)
        shortAllowance.add(time, now: now)
    }

    private var lookInterval: TimeAmount { .nanoseconds(max(1, writeTimeout.nanoseconds / Int64(Self.looks))) }
}
