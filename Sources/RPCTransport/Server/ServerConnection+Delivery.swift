internal import Framing
internal import Glibc
internal import NIOCore
internal import RPCCore

/// Bytes that the kernel has taken and a peer over TCP does not read. As nothing waits to be sent, only a look at the
/// kernel's buffer finds them.
extension ServerConnection {
    /// Something was sent: has a look after a while whether it has arrived.
    func noteDelivery() {
        guard deliveryCheck == nil, isWritable, isTCP, !isClosing, flushedBytes > 0 else { return }
        deliveryCheck = (now + TimeAmount(configuration.limits.writeTimeout), flushedBytes)
        armTimer()
    }

    /// Watches a peer that has not acknowledged all in that time as one that bytes wait for, until it has.
    func checkDelivery() {
        let dueCheck = deliveryCheck.flatMap { $0.time <= now ? $0 : nil }
        if dueCheck != nil { deliveryCheck = nil }
        // One that is not writable is watched already, and looked at again when it is.
        guard isWritable, !isClosing else { return }
        if watchdog.isStalled, acknowledgedBytes >= flushedBytes {
            watchdog.becameWritable()
            reportUnsentBytes()
        }
        guard let check = dueCheck else { return }
        let acknowledged = acknowledgedBytes
        guard acknowledged < flushedBytes else { return }
        if acknowledged < check.flushedBytes, !watchdog.isStalled, isPeerThere {
            leaveTimeToWatchdog()
            watchdog.becameUnwritable(acknowledgedBytes: acknowledged, isRead: true, now: now)
            reportUnsentBytes()
        }
        noteDelivery()
    }

    /// Whether the peer answers: it has acknowledged all that could be sent, or something lately. One that does not is left
    /// to TCP_USER_TIMEOUT, which ends its connection sooner.
    private var isPeerThere: Bool {
        guard hasUserTimeout else { return true }
        let transport = context.pipeline.syncOperations
        let isThere = try? transport.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { descriptor in
            var info = tcp_info()
            var length = socklen_t(MemoryLayout<tcp_info>.size)
            guard getsockopt(descriptor, CInt(IPPROTO_TCP), TCP_INFO, &info, &length) == 0 else { return true }
            let silence = TimeAmount.milliseconds(Int64(info.tcpi_last_ack_recv))
            return info.tcpi_unacked == 0 || silence < TimeAmount(configuration.limits.writeTimeout)
        }
        return isThere.flatMap(\.self) ?? true
    }
}
