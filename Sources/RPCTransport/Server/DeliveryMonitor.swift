internal import Framing
internal import Glibc
package import NIOCore
package import RPCCore

/// The delivery of what a connection sends: how much of it the peer has acknowledged, and whether the peer reads.
///
/// Bytes wait in two places. Those that the channel keeps make it unwritable. Those that the kernel has taken are found by a
/// look at its buffer only, some time after they were sent. In both cases a `ConnectionWatchdog` decides how long the peer may
/// take.
package struct DeliveryMonitor {
    private let socket: MonitoredSocket
    /// The counter of the bytes that the kernel is given, if they are not those that the wire has made.
    private let secured: SecuredChannel?
    private let writeTimeout: TimeAmount
    private let isTCP: Bool
    /// Whether the kernel ends the connection if the peer acknowledges nothing for a while. Over TCP only, until bytes wait
    /// for the peer for the first time.
    private var hasUserTimeout: Bool
    private var watchdog: ConnectionWatchdog
    /// The number of bytes that the wire has handed to the channel.
    private var wireByteCount = 0
    /// The time of the next check whether the peer has acknowledged the sent bytes, and their number; nil if none were sent.
    private var deliveryCheck: (time: NIODeadline, sentByteCount: Int)?
    /// Whether the channel takes no bytes.
    private var isBlocked = false

    /// - Parameters:
    ///   - channel: The connection's channel.
    ///   - limits: The limits of its peer.
    ///   - firstFrameBegins: The start of the wait for the first frame; nil if there is none.
    package init(of channel: any Channel, _ limits: PeerLimits, firstFrameBegins: NIODeadline? = nil) {
        socket = MonitoredSocket(channel: channel)
        secured = channel.securedChannel
        writeTimeout = TimeAmount(limits.writeTimeout)
        isTCP = channel.localAddress?.pathname == nil
        hasUserTimeout = isTCP
        watchdog = ConnectionWatchdog(
            frameTimeout: limits.frameTimeout,
            writeTimeout: limits.writeTimeout,
            minimumReadRate: limits.minimumReadRate,
            firstFrameBegins: firstFrameBegins
        )
    }

    // MARK: Frames

    /// Notes that a part of a frame has arrived.
    mutating func frameBegan(now: NIODeadline) { watchdog.frameBegan(now: now) }

    /// Notes that no part of a frame is waiting.
    mutating func frameEnded() { watchdog.frameEnded() }

    // MARK: Bytes

    /// Notes bytes that are handed to the channel.
    package mutating func sent(_ byteCount: Int) { wireByteCount += byteCount }

    /// The number of bytes that were handed to the channel, as the kernel counts them.
    private var sentByteCount: Int { secured?.sentByteCount ?? wireByteCount }

    /// Notes the end of a turn in which bytes may have been sent. A channel may be unwritable for a moment within a turn.
    package mutating func turnEnded(isWritable: Bool, now: NIODeadline) {
        if isWritable {
            if isBlocked { becameWritable() }
            noteDelivery(now: now)
        } else if !isBlocked {
            becameUnwritable(now: now)
        }
    }

    /// Notes that the channel takes no more bytes.
    mutating func becameUnwritable(now: NIODeadline) {
        isBlocked = true
        leaveTimeToWatchdog()
        watchdog.becameUnwritable(acknowledgedBytes: acknowledgedByteCount, now: now)
    }

    /// Notes that the channel takes bytes again.
    mutating func becameWritable() {
        isBlocked = false
        watchdog.becameWritable()
    }

    /// Notes that the last bytes were sent, after which the connection closes.
    mutating func lastBytesSent(now: NIODeadline) {
        watchdog.becameUnwritable(acknowledgedBytes: acknowledgedByteCount, now: now)
    }

    /// Turns TCP_USER_TIMEOUT off for a peer that does not take all bytes at once. The kernel counts that time from the
    /// first full window on, and not from the last acknowledgement: it would end a peer that reads slowly but all the
    /// time.
    private mutating func leaveTimeToWatchdog() {
        guard hasUserTimeout else { return }
        hasUserTimeout = false
        socket.endUserTimeout()
    }

    // MARK: Time

    /// Whether the peer is expected to acknowledge something.
    package var isStalled: Bool { watchdog.isStalled }

    /// The time at which to call `check`; nil if nothing is awaited.
    package var nextCheck: NIODeadline? {
        guard let deliveryCheck else { return watchdog.nextCheck }
        return watchdog.nextCheck.map { min($0, deliveryCheck.time) } ?? deliveryCheck.time
    }

    /// Plans a check whether the bytes that were sent have arrived.
    ///
    /// - Returns: Whether `nextCheck` may be earlier than before.
    @discardableResult
    mutating func noteDelivery(now: NIODeadline) -> Bool {
        guard deliveryCheck == nil, isTCP, sentByteCount > 0 else { return false }
        deliveryCheck = (now + writeTimeout, sentByteCount)
        return true
    }

    /// Checks whether the peer reads.
    ///
    /// - Parameters:
    ///   - isWritable: Whether the channel takes bytes. If not, the peer is watched already.
    ///   - isMemoryShort: Whether so many bytes wait for all peers together that none may use saved time.
    ///   - now: The time.
    /// - Returns: The error to close the connection with, or nil.
    package mutating func check(
        isWritable: Bool,
        isMemoryShort: @autoclosure () -> Bool,
        now: NIODeadline
    ) -> ConnectionError? {
        checkDelivery(isWritable: isWritable, now: now)
        let (socket, sentByteCount) = (socket, sentByteCount)
        return watchdog.check(
            now: now,
            acknowledgedBytes: sentByteCount - socket.queuedByteCount,
            isMemoryShort: isMemoryShort()
        )
    }

    /// Watches a peer that has not acknowledged all in that time as one that bytes wait for, until it has.
    private mutating func checkDelivery(isWritable: Bool, now: NIODeadline) {
        let due = deliveryCheck.flatMap { $0.time <= now ? $0 : nil }
        if due != nil { deliveryCheck = nil }
        guard isWritable else { return }
        if watchdog.isStalled, acknowledgedByteCount >= sentByteCount { watchdog.becameWritable() }
        guard let due else { return }
        let acknowledged = acknowledgedByteCount
        guard acknowledged < sentByteCount else { return }
        if acknowledged < due.sentByteCount, !watchdog.isStalled, isPeerThere {
            leaveTimeToWatchdog()
            watchdog.becameUnwritable(acknowledgedBytes: acknowledged, isRead: true, now: now)
        }
        noteDelivery(now: now)
    }

    // MARK: Acknowledgements

    /// The bytes that were handed to the channel and that the peer has not acknowledged.
    package var queuedByteCount: Int { socket.queuedByteCount }

    private var acknowledgedByteCount: Int { sentByteCount - queuedByteCount }

    /// Whether the peer answers. One that does not is left to TCP_USER_TIMEOUT, which ends its connection sooner.
    private var isPeerThere: Bool { !hasUserTimeout || socket.isPeerThere(within: writeTimeout) }
}

/// The socket of a channel, as far as it tells what a peer has acknowledged.
private struct MonitoredSocket {
    let channel: any Channel

    /// The bytes that the channel keeps, and those in the kernel's buffer.
    var queuedByteCount: Int {
        let buffered = (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        return buffered + kernelByteCount
    }

    /// SIOCOUTQ: over TCP the bytes that are not acknowledged, over a unix socket roughly those that are not read.
    private var kernelByteCount: Int {
        withDescriptor { descriptor in
            var byteCount: CInt = 0
            return ioctl(descriptor, UInt(TIOCOUTQ), &byteCount) == 0 ? Int(byteCount) : 0
        } ?? 0
    }

    /// Returns whether the peer has acknowledged all that could be sent, or something lately.
    func isPeerThere(within time: TimeAmount) -> Bool {
        withDescriptor { descriptor in
            var info = tcp_info()
            var length = socklen_t(MemoryLayout<tcp_info>.size)
            guard getsockopt(descriptor, CInt(IPPROTO_TCP), TCP_INFO, &info, &length) == 0 else { return true }
            return info.tcpi_unacked == 0 || TimeAmount.milliseconds(Int64(info.tcpi_last_ack_recv)) < time
        } ?? true
    }

    /// Turns TCP_USER_TIMEOUT off.
    func endUserTimeout() { try? channel.syncOptions?.setOption(.tcpOption(.userTimeout), value: 0) }

    private func withDescriptor<Result>(_ body: (NIOBSDSocket.Handle) -> Result) -> Result? {
        let transport = channel.pipeline.syncOperations
        let result = try? transport.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self, body)
        return result.flatMap(\.self)
    }
}
