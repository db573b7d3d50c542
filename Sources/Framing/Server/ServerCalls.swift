internal import NIOCore
internal import RPCCore

struct ServerCalls {
    typealias OnFrame = ServerConnectionStateMachine.OnFrame
    typealias ConnectionTermination = ServerConnectionStateMachine.ConnectionTermination

    /// The kind of peer, as its first frames show. A plain ttrpc peer sends no Hello and gets no extension.
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
        /// The number of flushes before its first message was written; nil until then.
        var firstMessageFlush: UInt64?
        /// Whether it was cancelled or answered: nothing more is sent, and its later frames are late. It counts as open
        /// until its handler has stopped. Otherwise a peer could run any number of handlers by opening and cancelling
        /// calls.
        var isStopping = false
    }

    private let maximumStreams: Int
    var peer = Peer.unknown
    private(set) var lastStreamID: StreamID = 0
    /// In the order of their ids, which is the order of arrival: most look-ups want the newest. An array below the
    /// limit keeps its storage and hashes nothing.
    var open: [Call] = []
    var ended = EndedStreams()
    var behavior: PeerBehavior
    var idleTimer: IdleTimer?
    /// The number of times that written bytes were passed to the socket.
    private var flushCount: UInt64 = 0
    var isPongUnsent = false
    /// Whether the connection ends because of its peer: further events have no meaning.
    private(set) var isOver = false

    init(limits: PeerLimits, now: NIODeadline) {
        maximumStreams = limits.maximumStreams
        behavior = PeerBehavior(limits)
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
        behavior.callStarted()
        return .startCall(id, wantsStream: !header.flags.isDisjoint(with: .remoteClosedOrOpen))
    }

    /// Takes a new stream's id, even if the stream is then refused: ids are never used twice.
    mutating func claim(_ id: StreamID) -> Refusal? {
        guard id.isOdd else { return .evenStreamID }
        guard id > lastStreamID else { return .reusedStreamID }
        // The connection's own id opens no call: no higher id would be left for later calls.
        guard id != .connection else { return .reservedStreamID }
        lastStreamID = id
        return nil
    }

    /// Frames that the caller sent before reading the refusal are late, as after any other end.
    mutating func refuseNew(_ id: StreamID, _ refusal: Refusal, now: NIODeadline) -> OnFrame {
        ended.remember(id)
        behavior.callStarted()
        return refuse(id, refusal, now: now)
    }

    mutating func refuse(_ id: StreamID, _ refusal: Refusal, now: NIODeadline) -> OnFrame {
        if let termination = terminate(faultedBy: refusal, now: now) { return .endConnection(termination) }
        return .refuse(id, refusal)
    }

    // MARK: Messages

    /// The message will be sent with the next flush.
    mutating func messageWritten(_ id: StreamID) {
        guard let index = index(of: id), open[index].firstMessageFlush == nil else { return }
        open[index].firstMessageFlush = flushCount
    }

    mutating func flushed() { flushCount &+= 1 }

    func hasSentMessage(_ call: Call) -> Bool {
        call.firstMessageFlush.map { $0 != flushCount } ?? false
    }

    // MARK: Ends

    mutating func fail(_ index: Int, _ refusal: Refusal, now: NIODeadline) -> OnFrame {
        if let termination = terminate(faultedBy: refusal, now: now) { return .endConnection(termination) }
        stop(index)
        return .failCall(open[index].id, refusal)
    }

    mutating func stop(_ index: Int) {
        open[index].isStopping = true
    }

    mutating func stop(_ id: StreamID) {
        if let index = index(of: id) { stop(index) }
    }

    /// Counts a call whose data was not a valid request.
    mutating func callFaulted(now: NIODeadline) -> ConnectionTermination? {
        behavior.faulted(now: now).map { terminate($0) }
    }

    mutating func end(_ id: StreamID, now: NIODeadline) {
        guard let index = index(of: id) else { return }
        // The newest call, which most often ends first, leaves nothing behind it to move.
        if index == open.count - 1 { open.removeLast() } else { open.remove(at: index) }
        ended.remember(id)
        if open.isEmpty { idleTimer?.lastCallEnded(now: now) }
    }

    mutating func forgetAll() { open = [] }

    private mutating func terminate(faultedBy refusal: Refusal, now: NIODeadline) -> ConnectionTermination? {
        guard refusal.isFault else { return nil }
        return behavior.faulted(isGlitch: refusal.isGlitch, now: now).map { terminate($0) }
    }

    mutating func terminate(_ error: ConnectionError) -> ConnectionTermination {
        isOver = true
        return ConnectionTermination(error: error, goAwayAfter: peer.speaksExtensions ? lastStreamID : nil)
    }

    /// Searches from the newest call, the result of nearly every look-up.
    func index(of id: StreamID) -> Int? {
        open.lastIndex { $0.id == id }
    }

    // MARK: Time without calls

    var nextCheck: NIODeadline? { idleTimer?.nextCheck }

    mutating func check(now: NIODeadline) -> ServerConnectionStateMachine.OnCheck {
        guard idleTimer?.isExpired(now: now, hasCalls: !open.isEmpty) == true, let idleTimer else {
            return .continueConnection
        }
        return .endConnection(terminate(.idleTimeout(after: idleTimer.timeout)))
    }
}

/// The most recently ended streams of a connection. Frames for them are late, not wrong.
struct EndedStreams {
    static let capacity = 32

    private var ids: [StreamID] = []
    /// The index of the oldest id once there are `capacity` ids. The next id replaces the oldest.
    private var oldest = 0

    mutating func remember(_ id: StreamID) {
        if ids.count < Self.capacity {
            ids.append(id)
        } else {
            ids[oldest] = id
            oldest = (oldest + 1) % Self.capacity
        }
    }

    func contains(_ id: StreamID) -> Bool { ids.contains(id) }
}
