internal import Framing
internal import NIOCore
internal import RPCCore

/// The timeouts of a connection.
extension ServerConnection: TimedWire {
    var nextCheck: NIODeadline? {
        guard !isClosed else { return nil }
        return [
            delivery.nextCheck, frameDeadline, machine.nextCheck, calls.runner.nextCheck, storageCheck,
            isKeptAlive ? keepalive.nextCheck : nil,
        ].compactMap(\.self).min()
    }

    func timerFired() {
        now = .now()
        if let frameDeadline, frameDeadline <= now {
            return close(because: .frameTimeout(after: configuration.limits.frameTimeout))
        }
        if let error = checkDelivery() { return close(because: error) }
        checkStorage()
        if !isClosing { checkCalls() }
        if !isClosing, isKeptAlive { checkPeer() }
        armTimer()
    }

    /// Whether the peer may be sent a Ping. A plain peer knows none. One that does not read would get it too late, and has the
    /// write timeout.
    private var isKeptAlive: Bool { isWritable && !delivery.isStalled && machine.peerSpeaksExtensions }

    /// Checks whether the peer reads.
    ///
    /// - Returns: The error to close the connection with, or nil.
    private func checkDelivery() -> ConnectionError? {
        let wasStalled = delivery.isStalled
        let error = delivery.check(now: now)
        guard error == nil, wasStalled || delivery.isStalled else { return error }
        // A peer that has read everything is alive.
        if !delivery.isStalled { keepalive.bytesReceived(now: now) }
        reportUnsentBytes()
        return nil
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
