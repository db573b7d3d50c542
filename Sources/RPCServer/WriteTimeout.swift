internal import Glibc
package import NIOCore
package import RPCCore

/// The rule for peers that do not read: one that reads nothing for the write timeout, while bytes wait for it, is closed. What
/// it takes restarts the time.
///
/// Bytes wait in two places. Those that the channel keeps make it unwritable. Those that the kernel has taken are found by a
/// look at its buffer. There is one look in each timeout, and none while nothing waits, so a peer that stops to read is closed
/// after one timeout at least and two at most.
package struct WriteTimeout {
    private let channel: any Channel
    /// The counter of the bytes that the kernel is given, if they are not those that the wire has made.
    private let secured: SecuredChannel?
    private let timeout: TimeAmount
    private let isTCP: Bool
    /// The number of bytes that the wire has handed to the channel.
    private var wireByteCount = 0
    /// The number of bytes that the peer had taken at the last look.
    private var takenByteCount = 0
    /// The number of bytes that were sent when the next look was set.
    private var dueByteCount = 0
    /// Whether the channel takes no bytes.
    private var isBlocked = false
    /// Whether the peer had not taken at the last look what was sent before the look before it.
    private var isBehind = false
    /// The time of the next look; nil while nothing waits.
    package private(set) var nextCheck: NIODeadline?

    /// - Parameters:
    ///   - channel: The connection's channel.
    ///   - limits: The limits of its peer.
    package init(of channel: any Channel, _ limits: PeerLimits) {
        self.channel = channel
        secured = channel.securedChannel
        timeout = TimeAmount(limits.writeTimeout)
        isTCP = channel.localAddress?.pathname == nil
    }

    /// Whether bytes wait for the peer.
    package var isStalled: Bool { isBlocked || isBehind }

    /// Notes bytes that are handed to the channel.
    package mutating func sent(_ byteCount: Int) { wireByteCount += byteCount }

    /// Notes the end of a turn in which bytes may have been sent. A channel may be unwritable for a moment within a turn.
    package mutating func turnEnded(isWritable: Bool, now: NIODeadline) {
        if isWritable {
            isBlocked = false
            if !isTCP { (nextCheck, isBehind) = (nil, false) }
        } else if !isBlocked {
            blocked(now: now)
        }
        // Over a unix socket the number of bytes in the kernel's buffer says little of those that were read.
        if nextCheck == nil, isTCP, sentByteCount > takenByteCount { setCheck(now: now) }
    }

    /// Notes that the last bytes were sent, after which the connection closes.
    mutating func lastBytesSent(now: NIODeadline) { blocked(now: now) }

    /// Notes that the kernel has taken the last bytes. Only the time to linger remains.
    mutating func lastBytesWritten() { (nextCheck, isBlocked, isBehind) = (nil, false, false) }

    private mutating func blocked(now: NIODeadline) {
        isBlocked = true
        guard nextCheck == nil else { return }
        takenByteCount = acknowledgedByteCount
        setCheck(now: now)
    }

    private mutating func setCheck(now: NIODeadline) {
        dueByteCount = sentByteCount
        nextCheck = now + timeout
    }

    /// Checks whether the peer reads.
    ///
    /// - Returns: The error to close the connection with, or nil.
    package mutating func check(now: NIODeadline) -> ConnectionError? {
        guard let nextCheck, nextCheck <= now else { return nil }
        let taken = acknowledgedByteCount
        defer { takenByteCount = taken }
        guard isBlocked || taken < sentByteCount else {
            (self.nextCheck, isBehind) = (nil, false)
            return nil
        }
        guard taken > takenByteCount else {
            return .writeTimeout(after: Duration(timeout))
        }
        isBehind = taken < dueByteCount
        setCheck(now: now)
        return nil
    }

    // MARK: Bytes

    /// The number of bytes that were handed to the channel, as the kernel counts them.
    private var sentByteCount: Int { secured?.sentByteCount ?? wireByteCount }

    private var acknowledgedByteCount: Int { sentByteCount - queuedByteCount }

    /// The bytes that were handed to the channel and that the peer has not taken: those that the channel keeps, and those in
    /// the kernel's buffer.
    package var queuedByteCount: Int {
        let buffered = (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        return buffered + kernelByteCount
    }

    /// SIOCOUTQ: over TCP the bytes that are not acknowledged, over a unix socket roughly those that are not read.
    private var kernelByteCount: Int {
        let transport = channel.pipeline.syncOperations
        let byteCount = try? transport.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { descriptor in
            var byteCount: CInt = 0
            return ioctl(descriptor, UInt(TIOCOUTQ), &byteCount) == 0 ? Int(byteCount) : 0
        }
        return byteCount ?? 0
    }
}
