package import NIOCore

/// Finds the peer that begins a frame and does not end it, says nothing at all, or reads too little.
///
/// A value without a clock: events carry the time, and `nextCheck` says when `check` could have something to say.
/// A frame's deadline does not move with each byte that arrives, so dripping bytes buys no time.
///
/// A peer that does not take all that it is sent has `writeTimeout`. Each byte that it acknowledges adds to that what the
/// byte may take at `minimumReadRate`, so that a peer may be as slow as that for as long as it likes.
///
/// The acknowledgements of a slow reader come in lumps. Its system takes in 64 to 128 KiB at once, and acknowledges no more
/// before the program has read most of it: every 13 to 20 s at 10 KB/s, every 65 to 71 s at 2 KB/s. Until then nothing
/// tells such a reader from one that has stopped. So a peer may have up to `savings` times `writeTimeout`: meanwhile it
/// costs some memory and nothing else. When memory is short it has `writeTimeout` at most, whatever it has saved up.
package struct ConnectionWatchdog: Sendable {
    /// The time that a peer has left, and the most that it may have.
    private struct Allowance {
        let maximum: TimeAmount
        var end = NIODeadline.uptimeNanoseconds(0)

        mutating func add(_ time: TimeAmount, now: NIODeadline) { end = min(end + time, now + maximum) }
    }

    /// The number of times that a stalled peer is looked at within `writeTimeout`.
    private static let looks = 8
    /// The most time that a peer may have, in times of `writeTimeout`.
    private static let savings: Int64 = 8

    private let frameTimeout: Duration
    private let writeTimeout: TimeAmount
    /// In bytes a second.
    private let minimumReadRate: Int
    private var frameDeadline: NIODeadline?
    /// When to look whether a stalled peer made progress; nil while there is none.
    private var nextLook: NIODeadline?
    /// Whether a stalled peer is read from all the same, so that its frames have their time as usual.
    private var isReadWhileStalled = false
    private var allowance: Allowance
    /// The same for when memory is short.
    private var shortAllowance: Allowance
    /// The bytes that the peer had acknowledged at the last look.
    private var acknowledgedBytes = 0

    /// - Parameters:
    ///   - frameTimeout: From a frame's first byte to its last.
    ///   - writeTimeout: Without progress of a peer that bytes wait for.
    ///   - minimumReadRate: In bytes a second.
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
        self.allowance = Allowance(
            maximum: min(TimeAmount(writeTimeout), .nanoseconds(.max / Self.savings)) * Self.savings
        )
        self.shortAllowance = Allowance(maximum: TimeAmount(writeTimeout))
        if let firstFrameBegins { frameBegan(now: firstFrameBegins) }
    }

    // MARK: Frames

    /// Bytes of a frame are here and it is not whole. Only the first such event of a frame counts, and none while the
    /// peer does not read: it is not read from either then, so the rest of its frame may long be there.
    package mutating func frameBegan(now: NIODeadline) {
        guard frameDeadline == nil, nextLook == nil || isReadWhileStalled else { return }
        frameDeadline = now + TimeAmount(frameTimeout)
    }

    /// Nothing is left of the last frame: it was taken, or its data is thrown away to the end.
    package mutating func frameEnded() {
        frameDeadline = nil
    }

    // MARK: Reading

    /// Bytes wait for the peer from now on.
    ///
    /// - Parameters:
    ///   - acknowledgedBytes: All bytes that the peer has acknowledged since it was connected.
    ///   - isRead: Whether the peer is read from meanwhile.
    ///   - now: The time.
    package mutating func becameUnwritable(acknowledgedBytes: Int, isRead: Bool = false, now: NIODeadline) {
        // The time in which nothing waited for it is not charged.
        allowance.end = max(allowance.end, now)
        acknowledged(acknowledgedBytes, now: now)
        allowance.end = max(allowance.end, now + writeTimeout)
        shortAllowance.end = now + writeTimeout
        nextLook = now + lookInterval
        isReadWhileStalled = isRead
        if !isRead { frameDeadline = nil }
    }

    package mutating func becameWritable() {
        nextLook = nil
    }

    /// Whether the peer is expected to acknowledge something.
    package var isStalled: Bool { nextLook != nil }

    /// When to call `check`; nil while nothing is awaited.
    package var nextCheck: NIODeadline? {
        guard let nextLook else { return frameDeadline }
        return frameDeadline.map { min($0, nextLook) } ?? nextLook
    }

    /// Whether the peer has used up its time.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - acknowledgedBytes: As in `becameUnwritable`.
    ///   - isMemoryShort: Whether so much waits for all peers together that none may save up time.
    /// - Returns: Why to close the connection, or nil.
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

    /// Over unix sockets the number may also fall: what is queued takes more room in the kernel than it has bytes.
    private mutating func acknowledged(_ byteCount: Int, now: NIODeadline) {
        let seconds = Double(max(0, byteCount - acknowledgedBytes)) / Double(max(1, minimumReadRate))
        let time = TimeAmount(.seconds(min(seconds, 3600)))
        acknowledgedBytes = byteCount
        allowance.add(time, now: now)
        shortAllowance.add(time, now: now)
    }

    private var lookInterval: TimeAmount { .nanoseconds(max(1, writeTimeout.nanoseconds / Int64(Self.looks))) }
}
