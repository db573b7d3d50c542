internal import Framing
internal import NIOCore
internal import RPCCore

/// The timeouts of a connection.
extension ServerConnection: TimedWire {
    var nextCheck: NIODeadline? {
        guard !isClosed else { return nil }
        // A plain peer knows no Ping. A peer that does not read cannot be sent one, and has the write timeout.
        let keepsAlive = isWritable && machine.peerSpeaksExtensions
        return [
            watchdog.nextCheck, machine.nextCheck, calls.runner.nextCheck, storageCheck, deliveryCheck?.time,
            keepsAlive ? keepalive.nextCheck : nil,
        ].compactMap(\.self).min()
    }

    func timerFired() {
        now = .now()
        checkDelivery()
        let error = watchdog.check(
            now: now,
            acknowledgedBytes: acknowledgedBytes,
            isMemoryShort: server.unsent.isHalfUsed
        )
        if let error { return close(because: error) }
        if watchdog.isStalled { reportUnsentBytes() }
        checkStorage()
        if !isClosing { checkCalls() }
        if !isClosing, isWritable, machine.peerSpeaksExtensions { checkPeer() }
        armTimer()
    }

    private func checkPeer() {
        switch keepalive.check(now: now) {
        case .nothing:
            break
        case .sendPing:
            // Anything that arrives is a sign of life, so the content has no meaning.
            outbound.writeToConnection(.ping, ByteBuffer(integer: now.uptimeNanoseconds))
            flush()
        case .close:
            close(because: .keepaliveTimeout(after: configuration.limits.keepaliveTimeout))
        }
    }

    private func checkCalls() {
        if case .endConnection(let termination) = machine.check(now: now) { return end(termination) }
        guard let check = calls.runner.nextCheck, check <= now else { return }
        calls.runner.timePassed(now: now)
        turnEnded()
    }
}
