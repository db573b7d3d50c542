internal import Glibc
internal import Logging
package import NIOCore
package import RPCCore

/// The life of one connection, which is the same on every wire: its clock, its one timer, the bytes that wait for its peer, and
/// its end.
///
///     open ──closeAfterFlush──▶ flushing ──all is written──▶ lingering ──▶ closed
///
/// A connection that lingers has closed its own side, and waits for the peer to close the other one. If it closed both while
/// bytes of the peer arrive, the kernel would answer them with a reset, which can overtake the last answer.
///
/// Everything runs on the connection's event loop. The wire owns this object, and passes itself with each event.
package final class ConnectionLifecycle {
    private enum Phase {
        case open
        /// Written bytes are sent. Nothing more is answered.
        case flushing
        case lingering(until: NIODeadline)
        /// The channel closes, or is closed.
        case closed
    }

    package let context: ChannelHandlerContext
    package let server: ServerContext
    package let counters: EventCounters
    /// Whether the peer is a process of this machine that may open a unix socket. It is trusted to keep it open and silent.
    package let isUnix: Bool
    /// The time of this turn of the event loop, read once for the whole turn.
    package private(set) var now: NIODeadline
    /// Whether the peer sends nothing more.
    package private(set) var isInputClosed = false
    /// The check whether the peer reads.
    private var delivery: WriteTimeout
    package var keepalive: Keepalive
    /// The time after which the connection drains; nil for no limit.
    private var age: ConnectionAge?
    /// The wait for the next call; nil for no limit.
    private var idle: IdleTimer?
    private var phase = Phase.open
    private var timer: LoopTimer?
    private var unsentShare: SharedBudget.Share?
    private var inboundShare: SharedBudget.Share?
    /// The bytes that have arrived while the connection closes.
    private var discardedByteCount = 0
    /// Whether the channel wanted to read when the wire did not.
    private var isReadWanted = false

    /// The maximum of bytes that a peer may still send while the connection closes: more than the largest body of a call. A
    /// peer whose call is refused at its head would otherwise lose the answer.
    private static let maximumDiscardedBytes = 3 << 19

    init(_ context: ChannelHandlerContext, of server: ServerContext) {
        let limits = server.configuration.limits
        let now = context.eventLoop.now
        self.context = context
        self.server = server
        self.now = now
        counters = server.counters(of: context.eventLoop)
        isUnix = context.channel.localAddress?.pathname != nil
        delivery = WriteTimeout(of: context.channel, limits)
        keepalive = Keepalive(limits, now: now)
        if !isUnix { idle = limits.idleTimeout.map { IdleTimer(timeout: $0, now: now) } }
    }

    /// Limits the connection's age.
    func limitAge() { age = ConnectionAge(server.configuration, now: now) }

    /// Whether nothing more is answered, because the connection closes.
    package var isClosing: Bool { if case .open = phase { false } else { true } }

    // MARK: Turns

    /// Begins a turn of the event loop: reads the clock.
    package func turnBegins() { now = context.eventLoop.now }

    /// Begins a turn in which bytes have arrived.
    package func bytesReceived() {
        turnBegins()
        keepalive.bytesReceived(now: now)
    }

    /// Notes bytes that have arrived while the connection closes, and that nobody reads.
    package func discard(_ byteCount: Int) {
        discardedByteCount += byteCount
        if discardedByteCount > Self.maximumDiscardedBytes { context.closeAtOnce() }
    }

    /// Ends a turn in which bytes may have been written.
    func turnEnded(for wire: any WireConnection) {
        guard !isClosing else { return }
        let wasStalled = delivery.isStalled
        delivery.turnEnded(isWritable: wire.hasRoom, now: now)
        // A peer that has read everything is alive.
        if wasStalled, !delivery.isStalled { keepalive.bytesReceived(now: now) }
        // Those of a peer that reads are on their way.
        let unsentByteCount = delivery.isStalled ? unsentByteCount(of: wire) : wire.waitingByteCount
        holdUnsent(unsentByteCount, for: wire.calls.callers.id)
        hold(wire.inboundByteCount, of: server.inbound, for: wire.calls.callers.id, in: &inboundShare)
        guard !wire.isFinished else { return closeAfterFlush(of: wire) }
        // In a later task of the loop, so that one fast reader does not keep the other connections waiting.
        if wire.calls.runner.hasReadyCalls, wire.hasRoom { wire.calls.scheduleTurn(of: wire) }
        setTimer(for: wire)
        resumeReading(for: wire)
    }

    /// Reads, or as soon as the wire wants to. A closing connection discards the bytes that it reads.
    func read(for wire: any WireConnection) {
        isReadWanted = true
        resumeReading(for: wire)
    }

    /// Reads if that was put off, and the wire wants to again.
    private func resumeReading(for wire: any WireConnection) {
        guard isReadWanted, isClosing || wire.isReading else { return }
        isReadWanted = false
        context.read()
    }

    /// Sends what was written. Little of it may wait for that of other connections. Not under TLS: only a flush encrypts, and
    /// shows how much there is to send.
    ///
    /// - Parameter byteCount: The number of bytes that were written since the last call.
    func flush(_ byteCount: Int) {
        delivery.sent(byteCount)
        if !delivery.isSecured, context.channel.isWritable, let flushes = counters.flushes {
            flushes.flush(context)
        } else {
            context.flush()
        }
    }

    /// Notes that something was answered: the connection is idle only after it.
    func noteUse() { idle?.noteUse(now: now) }

    // MARK: The server's budgets

    /// The bytes that were made for the peer and that it has not taken. Finding those that the kernel has takes a system call.
    func unsentByteCount(of wire: any WireConnection) -> Int {
        wire.waitingByteCount + delivery.queuedByteCount + wire.calls.runner.finishedByteCount
    }

    /// Reports the bytes that wait for the peer.
    private func holdUnsent(_ byteCount: Int, for caller: CallerID) {
        hold(byteCount, of: server.unsent, for: caller, in: &unsentShare)
    }

    private func hold(
        _ byteCount: Int,
        of budget: SharedBudget,
        for caller: CallerID,
        in share: inout SharedBudget.Share?
    ) {
        if case .closed = phase { return }
        if share == nil {
            guard byteCount > 0 else { return }
            share = budget.makeShare(of: context.channel, for: caller)
        }
        share?.hold(byteCount, for: caller)
    }

    // MARK: Time

    /// Sets the timer to the next check. A timer that fires too early costs less than setting it again with every frame.
    package func setTimer(for wire: any WireConnection) {
        guard let time = nextCheck(of: wire) else { return }
        if let timer {
            guard time < timer.time else { return }
            timer.cancel()
        }
        let bound = NIOLoopBound(wire, eventLoop: context.eventLoop)
        timer = LoopTimer(at: time, on: context.eventLoop, counters: counters) {
            let wire = bound.value
            wire.life.timer = nil
            wire.life.timerFired(for: wire)
        }
    }

    private func nextCheck(of wire: any WireConnection) -> NIODeadline? {
        switch phase {
        case .open: break
        case .flushing: return delivery.nextCheck
        case .lingering(let end): return end
        case .closed: return nil
        }
        var first = FirstDeadline()
        first.consider(wire.inputDeadline)
        first.consider(delivery.nextCheck)
        first.consider(age?.nextCheck)
        first.consider(idle?.nextCheck)
        first.consider(wire.calls.runner.nextCheck)
        first.consider(wire.nextCheck)
        if mayPing(wire) { first.consider(keepalive.nextCheck) }
        return first.time
    }

    /// Whether the peer may be sent a ping. One that does not read would get it too late, and has the write timeout.
    private func mayPing(_ wire: any WireConnection) -> Bool { wire.answersPings && !delivery.isStalled }

    private func timerFired(for wire: any WireConnection) {
        turnBegins()
        switch phase {
        case .open: check(wire)
        case .flushing:
            checkDelivery(of: wire)
            holdUnsent(delivery.queuedByteCount, for: wire.calls.callers.id)
        case .lingering(let end): if end <= now { closeNow() }
        case .closed: break
        }
        setTimer(for: wire)
    }

    private func check(_ wire: any WireConnection) {
        // A call that has ended since the last turn was a use, and its answer comes first.
        wire.calls.performActions(on: wire)
        wire.calls.countEnded(on: wire)
        guard !isClosing else { return }
        if let deadline = wire.inputDeadline, deadline <= now {
            wire.inputTimedOut()
            guard !isClosing else { return }
        }
        checkDelivery(of: wire)
        guard !isClosing else { return }
        switch age?.check(now: now) {
        case .drain: wire.maximumAgeReached()
        case .endDrain: endDrain(of: wire)
        case nil: break
        }
        guard !isClosing else { return }
        if let timeout = idle?.timeout, idle?.isExpired(now: now, isInUse: wire.isInUse) == true {
            wire.idleTimedOut(.idleTimeout(after: timeout))
        }
        guard !isClosing else { return }
        wire.timePassed()
        guard !isClosing else { return }
        wire.calls.runner.timePassed(now: now)
        switch mayPing(wire) ? keepalive.check(now: now) : .nothing {
        case .nothing: break
        case .sendPing: wire.sendPing()
        case .close(let error): return wire.close(because: error)
        }
        wire.turnEnded()
    }

    private func checkDelivery(of wire: any WireConnection) {
        let wasStalled = delivery.isStalled
        if let error = delivery.check(now: now) { return wire.close(because: error) }
        if wasStalled, !delivery.isStalled { keepalive.bytesReceived(now: now) }
    }

    // MARK: The end

    /// Handles the end of the peer's input.
    func inputClosed(of wire: any WireConnection) {
        isInputClosed = true
        turnBegins()
        switch phase {
        case .open: wire.inputClosed()
        case .flushing, .closed: break
        case .lingering: closeNow()
        }
    }

    /// Ends the drain: its time is over. Every open call ends with a status.
    func endDrain(of wire: any WireConnection) {
        guard !isClosing else { return }
        turnBegins()
        wire.calls.runner.endDrain()
        wire.turnEnded()
        if !isClosing { wire.drainEnds() }
    }

    /// Ends all calls, and closes the connection when all that was written is sent. The write timeout ends
    /// the wait for a peer that reads nothing.
    package func closeAfterFlush(of wire: any WireConnection) {
        guard !isClosing else { return }
        wire.flush()
        // The flush may have found that the peer is gone.
        guard !isClosing else { return }
        phase = .flushing
        wire.calls.connectionClosed(on: wire)
        delivery.lastBytesSent(now: now)
        holdUnsent(delivery.queuedByteCount, for: wire.calls.callers.id)
        hold(0, of: server.inbound, for: wire.calls.callers.id, in: &inboundShare)
        let bound = NIOLoopBound(wire, eventLoop: context.eventLoop)
        wire.whenWritten().whenComplete { _ in bound.value.life.allWritten(by: bound.value) }
        setTimer(for: wire)
        resumeReading(for: wire)
    }

    private func allWritten(by wire: any WireConnection) {
        guard case .flushing = phase else { return }
        guard !isInputClosed else { return closeNow() }
        delivery.lastBytesWritten()
        holdUnsent(0, for: wire.calls.callers.id)
        phase = .lingering(until: context.eventLoop.now + TimeAmount(server.configuration.lingerTimeout))
        context.close(mode: .output, promise: nil)
        setTimer(for: wire)
    }

    /// Sends what the wire has to send at last, and closes the connection now.
    package func closeNow(_ wire: any WireConnection) {
        guard !isClosing else { return }
        wire.sendLast()
        closeNow()
    }

    /// Closes the connection now, because its peer is gone or reads nothing more.
    private func closeNow() {
        phase = .closed
        context.flush()
        context.close(promise: nil)
    }

    /// Closes the connection now, because of its peer. It does not wait for unsent bytes.
    package func close(because error: ConnectionError, of wire: any WireConnection) {
        if case .closed = phase { return }
        note(error)
        wire.sendLast()
        phase = .closed
        context.closeAtOnce()
    }

    /// Closes the connection after an error of its socket: the peer is gone.
    package func close(because error: any Error, of wire: any WireConnection) {
        wire.sendLast()
        server.logger.debug("connection lost", metadata: ["error": "\(error)"])
        closeNow()
    }

    /// Counts and logs the reason for which the connection ends.
    package func note(_ error: ConnectionError) {
        counters.count(error.event)
        server.logger.debug("connection closed", metadata: ["error": "\(error)"])
    }

    /// Handles the end of the channel, by either side: nobody waits for the running calls.
    func closed(_ wire: any WireConnection) {
        phase = .closed
        wire.calls.connectionClosed(on: wire)
        wire.closed()
        unsentShare?.giveBack()
        inboundShare?.giveBack()
        (unsentShare, inboundShare) = (nil, nil)
        timer?.cancel()
        timer = nil
    }
}

/// The first of several deadlines, without an array: connections ask for it in each turn.
package struct FirstDeadline {
    package private(set) var time: NIODeadline?

    package init() {}

    package mutating func consider(_ other: NIODeadline?) {
        if let other, time.map({ other < $0 }) ?? true { time = other }
    }
}

extension ConnectionAge {
    /// Makes the limit of a connection that begins now. Nil if there is none.
    fileprivate init?(_ configuration: ServerConfiguration, now: NIODeadline) {
        guard let maximum = configuration.maximumConnectionAge else { return nil }
        let jitter = Double.random(in: Self.jitter)
        self.init(maximum: maximum, grace: configuration.drainTimeout, jitter: jitter, now: now)
    }
}

/// The rule for peers that do not read: one that reads nothing for the write timeout, while bytes wait for it, is closed. Each
/// read of the peer restarts the time.
///
/// Bytes wait in two places. Those that the channel keeps make it unwritable. Those that the kernel has taken are found by a
/// look at its buffer. There is one look in each timeout, and none while nothing waits, so a peer that stops to read is closed
/// after one timeout at least and two at most.
private struct WriteTimeout {
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
    private(set) var nextCheck: NIODeadline?

    /// - Parameters:
    ///   - channel: The connection's channel.
    ///   - limits: The limits of its peer.
    init(of channel: any Channel, _ limits: PeerLimits) {
        self.channel = channel
        secured = channel.securedChannel
        timeout = TimeAmount(limits.writeTimeout)
        isTCP = channel.localAddress?.pathname == nil
    }

    var isSecured: Bool { secured != nil }

    /// Whether bytes wait for the peer.
    var isStalled: Bool { isBlocked || isBehind }

    mutating func sent(_ byteCount: Int) { wireByteCount += byteCount }

    /// Notes the end of a turn in which bytes may have been sent. A channel may be unwritable for a moment within a turn.
    mutating func turnEnded(isWritable: Bool, now: NIODeadline) {
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
    mutating func check(now: NIODeadline) -> ConnectionError? {
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
    var queuedByteCount: Int {
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
