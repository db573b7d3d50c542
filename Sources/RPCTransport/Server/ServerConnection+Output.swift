internal import Framing
internal import NIOCore

/// Bytes out, and how many wait.
extension ServerConnection {
    func flush() {
        let byteCount = outbound.byteCount
        guard byteCount > 0 else { return }
        let couldWrite = isWritable
        isFlushing = true
        context.writeAndFlush(NIOAny(outbound.bytes), promise: flushPromise())
        outbound.clear()
        isFlushing = false
        machine.flushed()
        if !couldWrite {
            watchdog.bytesQueued(byteCount)
            reportUnsentBytes()
        }
    }

    /// Only a Pong is waited for: the next Ping is answered when it has left.
    private func flushPromise() -> EventLoopPromise<Void>? {
        guard isPongUnflushed else { return nil }
        isPongUnflushed = false
        let promise = context.eventLoop.makePromise(of: Void.self)
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        promise.futureResult.whenSuccess { connection.value.machine.pongSent() }
        return promise
    }

    /// Whether the peer reads what it is sent. Flushes what is there to find out.
    func hasRoom() -> Bool {
        if outbound.byteCount >= configuration.limits.maximumUnsentBytes { flush() }
        return isWritable
    }

    func writabilityChanged() {
        isWritable = context.channel.isWritable
        guard !isClosing else { return }
        reportUnsentBytes()
        guard isWritable else {
            watchdog.becameUnwritable(unsentBytes: unsentBytes, now: now)
            return armTimer()
        }
        watchdog.becameWritable()
        // A large write that the kernel takes at once says twice that writability changed, while what was written still
        // stands in `outbound`: whoever wrote goes on by himself.
        guard !isFlushing else { return }
        now = .now()
        processInbound()
        turnEnded()
    }

    /// Tells the server what waits here while the peer does not read, and that nothing does when it reads.
    func reportUnsentBytes() {
        let unsent = isClosed || isWritable ? 0 : unsentBytes
        guard unsent != reportedUnsentBytes else { return }
        server.unsent.changed(from: reportedUnsentBytes, to: unsent)
        reportedUnsentBytes = unsent
    }

    var unsentBytes: Int {
        (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }
}
