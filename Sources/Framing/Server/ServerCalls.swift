internal import NIOCore

/// The open calls of one connection and the rules for the frames that concern them.
struct ServerCalls {
    typealias OnFrame = ServerConnectionStateMachine.OnFrame
    typealias Farewell = ServerConnectionStateMachine.Farewell

    /// What the peer said of itself. A plain ttrpc peer says nothing and sees no extension.
    enum Peer {
        case unknown
        case plain
        /// Its Hello was read. Every stream begins with this credit; 0 means no limit.
        case extended(initialCredit: UInt32)

        var speaksExtensions: Bool {
            if case .extended = self { return true }
            return false
        }
    }

    struct Call {
        let id: StreamID
        var credit: Credit = .unlimited
        /// When its next message will have waited for credit too long; nil while none waits.
        var creditDeadline: NIODeadline?
        /// The number of flushes before its first message was written; nil until then.
        var firstMessageFlush: UInt64?
        /// Cancelled or answered: nothing more is sent, and what still comes for it is late. It keeps its place until
        /// its handler has stopped, or opening and cancelling would be a way to run any number of handlers.
        var isStopping = false
    }

    enum Credit {
        case unlimited
        case messages(UInt32)
    }

    private let maximumStreams: Int
    let creditTimeout: Duration
    var peer = Peer.unknown
    private(set) var lastStreamID: StreamID = 0
    /// In the order of their ids, which is the order in which they came: the newest is the one most often wanted.
    /// An array that never holds more than the limit keeps its storage and hashes nothing.
    var open: [Call] = []
    var ended = EndedStreams()
    var conduct: PeerConduct
    /// When some stream may have waited for credit too long, or earlier; nil while none waits.
    var creditCheck: NIODeadline?
    var idleTimer: IdleTimer?
    /// The number of times that written bytes were handed to the socket.
    private var flushCount: UInt64 = 0
    /// A Pong was made and has not left yet.
    var isPongUnsent = false
    /// The connection ends because of its peer: no event means anything any more.
    private(set) var isOver = false

    init(limits: PeerLimits, now: NIODeadline) {
        maximumStreams = limits.maximumStreams
        creditTimeout = limits.creditTimeout
        conduct = PeerConduct(limits)
        idleTimer = limits.idleTimeout.map { IdleTimer(timeout: $0, now: now) }
    }

    var isEmpty: Bool { open.isEmpty }
    var openIDs: [StreamID] { open.map(\.id) }

    // MARK: Beginnings

    mutating func requestReceived(_ header: FrameHeader, _ refusal: Refusal?, now: NIODeadline) -> OnFrame {
        let id = header.streamID
        if let wrong = claim(id) { return refuse(id, wrong, now: now) }
        if let refusal { return refuseNew(id, refusal, now: now) }
        guard open.count < maximumStreams else { return refuseNew(id, .streamLimit(maximumStreams), now: now) }
        open.append(Call(id: id))
        conduct.callStarted()
        return .startCall(id, wantsStream: !header.flags.isDisjoint(with: .remoteClosedOrOpen))
    }

    /// Takes a new stream's id, whatever then becomes of the stream: ids are never used twice.
    mutating func claim(_ id: StreamID) -> Refusal? {
        guard id.isOdd else { return .evenStreamID }
        guard id > lastStreamID else { return .reusedStreamID }
        // The connection's own id opens no call: it would leave none for those after it.
        guard id != .connection else { return .reservedStreamID }
        lastStreamID = id
        return nil
    }

    /// The refusal ends the stream. What its caller sent before reading that is late, as after any other end.
    mutating func refuseNew(_ id: StreamID, _ refusal: Refusal, now: NIODeadline) -> OnFrame {
        ended.remember(id)
        conduct.callStarted()
        return refuse(id, refusal, now: now)
    }

    mutating func refuse(_ id: StreamID, _ refusal: Refusal, now: NIODeadline) -> OnFrame {
        if let farewell = farewell(faultedBy: refusal, now: now) { return .endConnection(farewell) }
        return .refuse(id, refusal)
    }

    // MARK: Messages

    /// A message of the stream was written, and will leave with the next flush.
    mutating func messageWritten(_ id: StreamID) {
        guard let index = index(of: id), open[index].firstMessageFlush == nil else { return }
        open[index].firstMessageFlush = flushCount
    }

    mutating func flushed() { flushCount &+= 1 }

    /// Whether a message of the call was handed to the socket.
    func hasSentMessage(_ call: Call) -> Bool {
        call.firstMessageFlush.map { $0 != flushCount } ?? false
    }

    // MARK: Ends

    mutating func fail(_ index: Int, _ refusal: Refusal, now: NIODeadline) -> OnFrame {
        if let farewell = farewell(faultedBy: refusal, now: now) { return .endConnection(farewell) }
        stop(index)
        return .failCall(open[index].id, refusal)
    }

    mutating func stop(_ index: Int) {
        open[index].isStopping = true
        open[index].creditDeadline = nil
    }

    mutating func stop(_ id: StreamID) {
        if let index = index(of: id) { stop(index) }
    }

    /// Its bytes were a request only in name.
    mutating func callFaulted(now: NIODeadline) -> Farewell? {
        conduct.faulted(now: now).map { farewell($0) }
    }

    mutating func end(_ id: StreamID, now: NIODeadline) {
        guard let index = index(of: id) else { return }
        open.remove(at: index)
        ended.remember(id)
        if open.isEmpty { idleTimer?.lastCallEnded(now: now) }
    }

    mutating func forgetAll() { open = [] }

    private mutating func farewell(faultedBy refusal: Refusal, now: NIODeadline) -> Farewell? {
        guard refusal.isFault else { return nil }
        return conduct.faulted(isGlitch: refusal.isGlitch, now: now).map { farewell($0) }
    }

    /// The connection is over.
    mutating func farewell(_ error: ConnectionError) -> Farewell {
        isOver = true
        return Farewell(error: error, goAwayAfter: peer.speaksExtensions ? lastStreamID : nil)
    }

    /// Searched from the newest, which is where nearly every look-up ends.
    func index(of id: StreamID) -> Int? {
        open.lastIndex { $0.id == id }
    }
}
