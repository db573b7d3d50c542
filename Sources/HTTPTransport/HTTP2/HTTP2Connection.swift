internal import HTTPFraming
internal import Logging
internal import NIOCore
internal import NIOHPACK
internal import RPCCore
internal import RPCTransport

/// One HTTP/2 connection that carries gRPC calls: it reads frames, begins calls, and writes their answers as frames.
///
/// Everything runs on the connection's event loop. What frames mean and which may be sent is the work of
/// `HTTP2ServerStateMachine`. Frames that are written wait there until the end of the turn, and DATA until the peer's windows
/// take it. So a stream is asked for its next message only while the windows have room for one.
final class HTTP2Connection: ServerChannelConnection {
    let context: ChannelHandlerContext
    let server: ServerContext
    let counters: EventCounters
    let calls: ConnectionCalls
    let rules: HTTPRules
    /// The frames of both sides.
    var frames: HTTP2ServerStateMachine
    /// Whether the peer is on this machine.
    let isLoopback: Bool
    /// The time of this turn of the event loop, read once for all frames of a read.
    var now: NIODeadline
    /// Whether nothing more is written or read.
    var isClosing = false
    var isClosed = false
    /// The bytes that have arrived since then.
    var discardedByteCount = 0
    var streams = StreamTable<HTTP2Stream>()
    /// The number of calls that are not over.
    var runningCount = 0
    var incomplete: IncompleteRequests
    /// The incomplete requests whose answers are known and wait for their ends.
    var pendingAnswers: IncompleteRequests
    /// The streams that were answered before the end of their requests, and that have to be reset.
    var answeredEarly: [StreamID] = []

    // Bytes
    /// This side's windows.
    var requestWindows: RequestWindows
    /// The streams whose next message waits for the peer.
    var waitingCount = 0
    var stallCheck: StallCheck
    /// The check whether the peer reads.
    var delivery: WriteTimeout
    /// The bytes of requests whose work is running.
    var workingByteCount = 0
    var shares = ByteShares()

    // Frames that are not of a stream
    var keepalive: Keepalive
    var pings = PingStrikes()
    var behavior: PeerBehavior
    /// The time at which the frame that has begun to arrive has to be complete.
    var frameDeadline: NIODeadline?
    var idle: IdleTimer?
    var age: ConnectionAge?
    var timer: LoopTimer?
    var goAways = GoAwayState()
    /// The time at which the peer has to have sent its settings; nil if it has.
    var settingsDeadline: NIODeadline?

    init(context: ChannelHandlerContext, server: ServerContext, rules: HTTPRules) {
        let limits = server.configuration.limits
        let isUnix = context.channel.localAddress?.pathname != nil
        let now = NIODeadline.now()
        self.context = context
        self.server = server
        self.rules = rules
        isLoopback = context.channel.isLoopback
        self.now = now
        frames = HTTP2ServerStateMachine(
            maximumStreams: limits.maximumStreams,
            maximumHeaderListByteCount: HTTPLimits.headerListByteCount
        )
        counters = server.counters(of: context.eventLoop)
        calls = ConnectionCalls(of: server, on: context.channel)
        incomplete = IncompleteRequests(timeout: limits.frameTimeout)
        pendingAnswers = IncompleteRequests(timeout: server.configuration.pendingAnswerTimeout)
        requestWindows = RequestWindows(maximumAdmittedByteCount: limits.maximumHeldBytes)
        stallCheck = StallCheck(interval: limits.creditTimeout)
        delivery = WriteTimeout(of: context.channel, limits)
        behavior = PeerBehavior(limits)
        keepalive = Keepalive(limits, now: now)
        // A client that may open a unix socket is trusted to keep it open and silent.
        if let timeout = limits.idleTimeout, !isUnix { idle = IdleTimer(timeout: timeout, now: now) }
        age = ConnectionAge(server.configuration, now: now)
        settingsDeadline = isUnix ? nil : now + TimeAmount(limits.frameTimeout)
        armTimer()
    }

    // MARK: Frames

    func received(_ bytes: ByteBuffer) {
        guard !isClosing else { return receivedWhileClosing(bytes.readableBytes) }
        now = .now()
        keepalive.bytesReceived(now: now)
        frames.receive(bytes)
        var hasFrames = false
        while !isClosing, let event = frames.nextEvent() {
            hasFrames = true
            received(event)
        }
        frames.settleInput()
        noteIncompleteFrame(isNew: hasFrames)
    }

    private func received(_ event: HTTP2Event) {
        switch event {
        case .request(let id, let headers, let isEnd):
            behavior.callStarted()
            begin(id, headers, isEnd: isEnd)
        case .trailers(let id, let headers):
            behavior.callStarted()
            receivedTrailers(headers, on: id)
        case .data(let id, let bytes, let isEnd): received(bytes, on: id, isEnd: isEnd)
        case .discarded(let byteCount):
            // Those without bytes cost the peer nothing of its window.
            if byteCount == 0 { countControlFrame() } else { openConnectionWindow() }
        case .reset(let id):
            countControlFrame()
            resetByPeer(id)
        case .streamFault(let id): resetBecauseOfFault(id)
        case .streamRefused:
            counters.count(ServerEvent(Refusal.streamLimit(server.configuration.limits.maximumStreams)))
            countFault()
        case .settings:
            settingsDeadline = nil
            countControlFrame()
        case .control: countControlFrame()
        case .unknown: countUnknownFrame()
        case .ping: pinged()
        case .pingAnswer(let data):
            countControlFrame()
            if data == Self.drainPing { announcementEnded() }
        case .connectionFault(let fault): end(because: fault)
        }
    }

    /// The data of the ping that is sent with the announcement of a drain. Its answer says that the peer has read both.
    static let drainPing: UInt64 = 0x6472_6169_6E69_6E67

    /// Counts a ping, which is answered.
    private func pinged() {
        guard pings.pinged(hasCalls: runningCount > 0, now: now) else { return }
        end(because: .tooMany(.controlFrames, limit: PingStrikes.maximum), reason: "too_many_pings")
    }

    /// Makes and sends all answers that this turn of the event loop made possible.
    func turnEnded() {
        guard !isClosing else { return }
        resumeStreams()
        calls.sendMessages(on: self)
        resetAnsweredEarly()
        flush()
        forgetClosedStreams()
        resumeStreams()
        // In a later task of the loop, so that one fast reader does not keep the other connections waiting. While the peer has
        // to take some bytes first, its frames begin the next turn: the loop reads only when it has no task.
        if calls.runner.hasReadyCalls, context.channel.isWritable { calls.scheduleTurn(of: self) }
        noteDelivery()
        reportBytes()
        closeIfDrained()
        armTimer()
    }
}
