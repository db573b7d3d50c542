internal import HTTPCalls
internal import Logging
internal import NIOCore
internal import NIOHPACK
internal import NIOHTTP2
internal import RPCCore
internal import RPCTransport

/// One HTTP/2 connection that carries gRPC calls: it reads frames, begins calls, and writes their answers as frames.
///
/// Everything runs on the connection's event loop. Frames that are written wait in the channel's HTTP/2 handler until the
/// end of the turn, and those of DATA until the peer's windows take them. So a stream is asked for its next message only
/// while the windows have room for one.
final class HTTP2Connection: ServerChannelConnection {
    let context: ChannelHandlerContext
    let server: ServerContext
    let counters: EventCounters
    let calls: ConnectionCalls
    let raw: RawFrames
    let rules: HTTPRules
    /// Whether the peer is on this machine.
    let isLoopback: Bool
    /// The time of this turn of the event loop, read once for each frame.
    var now: NIODeadline
    /// Whether nothing more is written or read.
    var isClosing = false
    var isClosed = false
    /// The bytes that have arrived since then.
    var discardedByteCount = 0
    var streams: [StreamID: HTTP2Stream] = [:]
    /// The number of calls that are not over.
    var runningCount = 0
    var incomplete: IncompleteRequests
    /// The streams whose messages of this turn are to be written as DATA.
    var gathering: [HTTP2Stream] = []
    /// The streams that were answered in this turn before the end of their requests.
    var answeredEarly: [StreamID] = []

    // Bytes
    /// The peer's windows.
    var windows = OutboundWindows()
    /// This side's windows.
    var requestWindows: RequestWindows
    /// The bytes of DATA that were written in this turn and not flushed yet.
    var unflushedByteCount = 0
    /// The streams whose next message waits for the peer.
    var waitingCount = 0
    var stallCheck: StallCheck
    /// The check whether the peer reads.
    var delivery: DeliveryMonitor
    /// The bytes of requests whose work is running.
    var workingByteCount = 0
    var shares = ByteShares()

    // Frames that are not of a stream
    var hasWritten = false
    var keepalive: Keepalive
    var pings = PingStrikes()
    var behavior: PeerBehavior
    /// The streams that the HTTP/2 handler has reset and that are not counted yet.
    var faultCount = 0
    /// The time at which the frame that has begun to arrive has to be complete.
    var frameDeadline: NIODeadline?
    var idle: IdleTimer?
    var age: ConnectionAge?
    var timer: LoopTimer?
    var goAways = GoAwayState()
    /// The time at which the peer has to have sent its settings; nil if it has.
    var settingsDeadline: NIODeadline?

    init(context: ChannelHandlerContext, server: ServerContext, raw: RawFrames, rules: HTTPRules) {
        let limits = server.configuration.limits
        let isUnix = context.channel.localAddress?.pathname != nil
        let now = NIODeadline.now()
        self.context = context
        self.server = server
        self.raw = raw
        self.rules = rules
        isLoopback = context.channel.isLoopback
        self.now = now
        counters = server.counters(of: context.eventLoop)
        calls = ConnectionCalls(of: server, on: context.channel)
        incomplete = IncompleteRequests(timeout: limits.frameTimeout)
        requestWindows = RequestWindows(maximumHeldByteCount: limits.maximumHeldBytes)
        stallCheck = StallCheck(interval: limits.creditTimeout)
        delivery = DeliveryMonitor(of: context.channel, limits)
        behavior = PeerBehavior(limits)
        keepalive = Keepalive(limits, now: now)
        // A client that may open a unix socket is trusted to keep it open and silent.
        if let timeout = limits.idleTimeout, !isUnix { idle = IdleTimer(timeout: timeout, now: now) }
        age = ConnectionAge(server.configuration, now: now)
        settingsDeadline = isUnix ? nil : now + TimeAmount(limits.frameTimeout)
        armTimer()
    }

    // MARK: Frames

    func received(_ frame: HTTP2Frame) {
        guard !isClosing else { return }
        now = .now()
        keepalive.bytesReceived(now: now)
        let id = StreamID(frame.streamID)
        switch frame.payload {
        case .headers(let headers) where streams[id] == nil:
            begin(id, headers.headers, isEnd: headers.endStream)
        case .headers(let trailers):
            receivedTrailers(trailers.headers, on: id, isEnd: trailers.endStream)
        case .data(let data):
            guard case .byteBuffer(let bytes) = data.data else { return }
            received(bytes, on: id)
            if data.endStream { inputEnded(on: id) }
        case .settings(.settings(let settings)):
            settingsDeadline = nil
            for setting in settings where setting.parameter == .initialWindowSize {
                initialWindowChanged(to: setting.value)
            }
        case .ping(let data, let isAnswer):
            if !isAnswer { pinged() } else if data.integer == RawFrames.pingData { announcementEnded() }
        default:
            break
        }
    }

    /// Counts a ping, which the HTTP/2 handler has answered.
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

extension StreamID {
    init(_ id: HTTP2StreamID) { self.init(rawValue: UInt32(Int(id))) }
}

extension HTTP2StreamID {
    init(_ id: StreamID) { self.init(Int(id.rawValue)) }
}
