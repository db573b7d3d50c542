internal import HTTPFraming
internal import Logging
internal import NIOCore
internal import NIOHPACK
internal import RPCCore

/// One HTTP/2 connection that carries gRPC calls: it reads frames, begins calls, and writes their answers as frames.
///
/// `HTTP2ServerStateMachine` decides the meaning and order of frames. It holds written frames until the end of the turn, and
/// DATA until the peer's windows have room. So a stream is asked for its next message only while the windows have room for one.
final class HTTP2Connection: ServerChannelConnection {
    typealias Input = ByteBuffer
    typealias Output = ByteBuffer

    let life: ConnectionLifecycle
    let counters: EventCounters
    let calls: ConnectionCalls
    let rules: HTTPRules
    var frames: HTTP2ServerStateMachine
    let isLoopback: Bool
    var streams = StreamTable<HTTP2Stream>()
    var incomplete: IncompleteRequests
    /// The incomplete requests whose answers are known and wait for their ends.
    var pendingAnswers: IncompleteRequests
    /// The streams that were answered before the end of their requests, and that have to be reset.
    var answeredEarly: [StreamID] = []

    // Bytes
    var requestWindows: RequestWindows
    /// The streams whose next message waits for the peer.
    var waitingCount = 0
    var stallCheck: StallCheck

    // Frames that are not of a stream
    var pings = PingStrikes()
    var behavior: PeerBehavior
    /// The time at which the frame that has begun to arrive has to be complete.
    var frameDeadline: NIODeadline?
    var goAways = GoAwayState()
    /// The time at which the peer has to have sent its settings; nil if it has.
    var settingsDeadline: NIODeadline?

    init(_ life: ConnectionLifecycle, _ rules: HTTPRules) {
        let server = life.server
        let limits = server.configuration.limits
        self.life = life
        self.rules = rules
        isLoopback = life.context.channel.isLoopback
        frames = HTTP2ServerStateMachine(
            maximumStreams: limits.maximumStreams,
            maximumHeaderListByteCount: HTTPLimits.headerListByteCount
        )
        counters = life.counters
        calls = ConnectionCalls(of: server, on: life.context.channel)
        incomplete = IncompleteRequests(timeout: limits.frameTimeout)
        pendingAnswers = IncompleteRequests(timeout: server.configuration.pendingAnswerTimeout)
        requestWindows = RequestWindows(maximumAdmittedByteCount: limits.maximumHeldBytes)
        stallCheck = StallCheck(interval: limits.creditTimeout)
        behavior = PeerBehavior(limits)
        life.limitAge()
        settingsDeadline = life.isUnix ? nil : life.now + TimeAmount(limits.frameTimeout)
    }

    // MARK: Frames

    func received(_ bytes: ByteBuffer) {
        guard !isClosing else { return life.discard(bytes.readableBytes) }
        life.bytesReceived()
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
            counters.count(ServerEvent(Refusal.streamLimit(life.server.configuration.limits.maximumStreams)))
            calls.countUnread(now: now)
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

    private func pinged() {
        guard pings.pinged(hasCalls: calls.runner.runningCount > 0, now: now) else { return }
        end(because: .tooMany(.controlFrames, limit: PingStrikes.maximum), reason: "too_many_pings")
    }

    func readCompleted() { turnEnded() }

    func writabilityChanged() { if hasRoom { calls.scheduleTurn(of: self) } }

    func makeAnswers() {
        resumeStreams()
        calls.sendMessages(on: self)
        resetAnsweredEarly()
    }
}
