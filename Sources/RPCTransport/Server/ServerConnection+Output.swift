internal import Framing
internal import NIOCore
internal import RPCCore

/// The output of a connection, and the count of the bytes that wait.
extension ServerConnection {
    func flush() {
        calls.countEnded()
        let byteCount = outbound.byteCount
        guard byteCount > 0 else { return }
        let couldWrite = isWritable
        isFlushing = true
        delivery.sent(byteCount)
        context.writeAndFlush(NIOAny(outbound.bytes), promise: flushPromise())
        outbound.clear()
        isFlushing = false
        machine.flushed()
        noteOutputStorage()
        noteDelivery()
        switch (couldWrite, isWritable) {
        case (true, true): if delivery.isStalled { reportUnsentBytes() }
        case (true, false): becameUnwritable()
        case (false, false): reportUnsentBytes()
        case (false, true): scheduleResumption()
        }
    }

    /// Makes a promise only if a Pong is to be sent: the next Ping is answered when that Pong was sent.
    private func flushPromise() -> EventLoopPromise<Void>? {
        guard isPongUnflushed else { return nil }
        isPongUnflushed = false
        let promise = context.eventLoop.makePromise(of: Void.self)
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        promise.futureResult.whenSuccess { connection.value.machine.pongSent() }
        return promise
    }

    /// Returns whether the peer reads. Flushes the buffer to find out.
    func hasRoom() -> Bool {
        if outbound.byteCount >= configuration.limits.maximumUnsentBytes { flush() }
        return isWritable
    }

    // MARK: Writability

    /// Notes a change of writability. A large write that the kernel takes at once reports two changes: only `flush`
    /// knows the result, when the write has returned.
    func writabilityChanged() {
        isWritable = context.channel.isWritable
        guard !isClosing, !isFlushing else { return }
        if isWritable { resume() } else { becameUnwritable() }
    }

    private func becameUnwritable() {
        guard !isClosing else { return }
        frameDeadline = nil
        noteDelivery()
        reportUnsentBytes()
    }

    /// Sets the timer to a look whether the peer has taken what was sent.
    private func noteDelivery() {
        guard !isClosing else { return }
        let wasSet = delivery.nextCheck != nil
        delivery.turnEnded(isWritable: isWritable, now: now)
        if !wasSet { armTimer() }
    }

    /// Continues with the work that waited for the peer to read.
    private func resume() {
        now = .now()
        noteDelivery()
        // A peer that has read is alive.
        keepalive.bytesReceived(now: now)
        reportUnsentBytes()
        processInbound()
        turnEnded()
        settleInbound()
    }

    /// Resumes in a later task of the loop, because the caller that flushed has not finished its own work.
    private func scheduleResumption() {
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.execute {
            let connection = connection.value
            if connection.isWritable, !connection.isClosing { connection.resume() }
        }
    }

    // MARK: Waiting bytes

    /// Reports to the server's budget the bytes that wait while the peer does not read; 0 when it reads.
    func reportUnsentBytes() {
        let byteCount = isClosed || (isWritable && !delivery.isStalled) ? 0 : unsentBytes
        if unsentShare == nil {
            guard byteCount > 0 else { return }
            unsentShare = server.unsent.makeShare(of: context.channel, for: calls.caller)
        }
        unsentShare?.hold(byteCount, for: calls.caller)
    }

    var activity: ConnectionActivity {
        ConnectionActivity(openCalls: calls.runner.openCallCount, unsentByteCount: unsentBytes)
    }

    /// All bytes that were made for the peer and that it has not acknowledged, in any buffer.
    private var unsentBytes: Int {
        outbound.byteCount + delivery.queuedByteCount + calls.runner.finishedByteCount
    }

    // MARK: Storage

    /// Starts the check that releases a grown buffer when nothing was sent for a while.
    private func noteOutputStorage() {
        hasFlushed = true
        guard storageCheck == nil, outbound.storageCapacity > Self.idleStorage else { return }
        storageCheck = now + Self.storageInterval
        armTimer()
    }

    func checkStorage() {
        guard let check = storageCheck, check <= now else { return }
        if hasFlushed {
            hasFlushed = false
            storageCheck = now + Self.storageInterval
        } else {
            outbound.shrink()
            storageCheck = nil
        }
    }

    /// The maximum size of a buffer while nothing happens on its connection, in bytes.
    private static let idleStorage = 4 * 1024
    private static let storageInterval = TimeAmount.seconds(5)
}
