internal import Framing
internal import MarvelDomain
package import NIOCore
package import RPCCore

/// Drives the server's side over bytes, as its transport does, and keeps its own account of every call.
///
/// What the methods of the calls do is random: answer at once or later, stream a few messages, fail. Time passes only
/// in `wait`.
package struct ServerDriver: ~Copyable {
    struct Call {
        var messagesLeft: Int
        var isStream: Bool
        /// The number of messages that were sent.
        var sent: UInt64 = 0
        /// The number of messages that may be sent; nil without a limit.
        var granted: UInt64?
        /// Cancelled, failed or answered, and its handler has not stopped yet.
        var isStopping = false
    }

    package static let maximumStreams = 8
    package static let maximumDataLength = 64

    static let limits: PeerLimits = {
        var limits = PeerLimits()
        limits.maximumStreams = maximumStreams
        limits.maximumFrameLength = maximumDataLength
        limits.maximumHeldBytes = 4 * (HeldRequests.bytesPerFrame + maximumDataLength)
        return limits
    }()

    package internal(set) var outbound = ByteBuffer()
    package internal(set) var isClosed = false
    /// Each breach of a promise, in words.
    package internal(set) var breaches: [String] = []
    /// The error with which the machine ended the connection, if it did: a correct peer never sees one.
    package internal(set) var termination: ConnectionError?
    /// The number of messages that each call had sent when it ended.
    package internal(set) var messagesSent: [StreamID: Int] = [:]

    var machine = ServerConnectionStateMachine(limits: ServerDriver.limits, now: .uptimeNanoseconds(0))
    var now = NIODeadline.uptimeNanoseconds(0)
    private var decoder = FrameDecoder(maximumDataLength: ServerDriver.maximumDataLength)
    private var inbound = ByteBuffer()
    private var held = HeldRequests(maximumCount: maximumStreams, maximumBytes: limits.maximumHeldBytes)
    /// The expected contents of `held`.
    private var kept: [FrameDecoder.Output] = []
    private var peerReads = true
    var frameCount = 0
    var running: [StreamID: Call] = [:]
    /// The ids of calls that were ever started, each with whether its last frame was written.
    var isAnswered: [StreamID: Bool] = [:]
    /// The streams that ended last, the newest at the end: as many as the machine may remember.
    var ended: [StreamID] = []
    /// The peer's, once its Hello was read.
    var initialCredit: UInt32?
    var isDraining = false
    var isPongUnsent = false
    var random: SplitMix64

    package init(seed: UInt64) { self.random = SplitMix64(seed: seed) }

    package var isIdle: Bool { running.isEmpty }

    // MARK: Events

    package mutating func receive(_ bytes: ByteBuffer) {
        inbound.discardReadBytes()
        inbound.writeImmutableBuffer(bytes)
        readInbound()
    }

    /// The peer takes what is sent to it, or no longer does.
    package mutating func readingChanged(peerReads: Bool) {
        self.peerReads = peerReads
        readInbound()
    }

    private mutating func readInbound() {
        releaseHeld()
        do throws(ConnectionError) {
            while !isClosed, !held.isFull, let output = try decoder.next(from: &inbound) { take(output) }
        } catch {
            disconnect()
        }
        // While nothing more may be kept nothing is read, and what lies in `inbound` still lies with the peer.
        let count = inbound.readableBytes
        let isWithinLimit = count < FrameHeader.byteCount + Self.maximumDataLength
        expect(isWithinLimit || held.isFull || isClosed, "\(count) bytes of a frame are kept")
        checkKept()
    }

    private mutating func take(_ output: FrameDecoder.Output) {
        frameCount += 1
        guard !peerReads || !held.isEmpty else { return process(output) }
        switch held.frameReceived(output, obeysCancel: machine.peerSpeaksExtensions) {
        case .hold:
            kept.append(output)
        case .process:
            process(output)
        case .withdraw:
            let id = output.header.streamID
            expect(kept.contains { $0.header.streamID == id }, "\(id) is withdrawn, but was not held")
            kept.removeAll { $0.header.streamID == id }
            carryOut(machine.requestWithdrawn(now: now), output.header)
        }
    }

    private mutating func releaseHeld() {
        while peerReads, !isClosed, let output = held.next() {
            expect(kept.first == output, "another frame was held")
            kept.removeFirst()
            process(output)
        }
    }

    private mutating func process(_ output: FrameDecoder.Output) {
        switch output {
        case .frame(let frame):
            let action = machine.frameReceived(frame, now: now)
            checkData(frame.header, action)
            carryOut(action, frame.header)
        case .oversized(let header, let maximum):
            expect(header.length > maximum, "a frame within the limit was refused")
            let action = machine.oversizedFrameReceived(header, maximum: maximum, now: now)
            carryOut(action, header)
        }
    }

    /// A running call does a piece of its work.
    package mutating func work() {
        guard !isClosed, let id = running.keys.sorted().randomElement(using: &random) else { return }
        advance(id)
    }

    /// Time passes, and a connection without calls ends.
    package mutating func wait(_ time: TimeAmount) {
        guard !isClosed else { return }
        now = now + time
        if let next = machine.nextCheck, next <= now { carryOut(machine.check(now: now)) }
    }

    package mutating func pongSent() {
        isPongUnsent = false
        machine.pongSent()
    }

    package mutating func drain() {
        guard !isClosed else { return }
        switch machine.drain() {
        case .finishCalls(let last, let sendGoAway):
            expect(!isDraining && (!running.isEmpty || !sendGoAway), "there is nothing to finish")
            goAway(last, sendGoAway)
        case .closeConnection(let last, let sendGoAway):
            expect(running.isEmpty && sendGoAway, "calls are running, or may come")
            goAway(last, sendGoAway)
            isClosed = true
        case .ignore:
            expect(isDraining, "the request to stop was ignored")
        }
        isDraining = true
    }

    package mutating func disconnect() {
        guard !isClosed else { return }
        expect(Set(machine.connectionClosed()) == Set(running.keys), "the machine knows other calls than are running")
        close()
    }

    package mutating func takeOutbound() -> ByteBuffer {
        defer { outbound.clear() }
        machine.flushed()
        return outbound
    }

    // MARK: Account

    /// Checks that the frames kept while the peer does not read are bounded; the frame that reaches the bound is kept
    /// too.
    private mutating func checkKept() {
        let bytes = kept.reduce(0) { $0 + HeldRequests.bytesPerFrame + $1.dataByteCount }
        let maximum = Self.limits.maximumHeldBytes + HeldRequests.bytesPerFrame + Self.maximumDataLength
        expect(bytes < maximum, "\(bytes) bytes are held")
        let requests = kept.count { $0.header.type == .request }
        expect(requests <= Self.maximumStreams, "\(requests) requests are held")
    }

    mutating func expect(_ isTrue: Bool, _ breach: @autoclosure () -> String) {
        if !isTrue { breaches.append(breach()) }
    }
}

extension FrameDecoder.Output {
    fileprivate var dataByteCount: Int {
        switch self {
        case .frame(let frame): frame.data.readableBytes
        case .oversized: 0
        }
    }
}
