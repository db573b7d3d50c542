package import NIOCore
package import RPCCore

/// Decides on the frames of a client. The owner carries out each action. Times do not go back; one reading of the clock
/// may serve for all frames of one read.
package struct FrameRules {
    package enum Action: Sendable, Hashable {
        /// Report with `requestFaulted` if the request cannot be decoded. `wantsStream` is false when the caller
        /// expects one Response whatever the method (flags 0).
        case startCall(StreamID, wantsStream: Bool)
        /// Stop the call and send nothing more on its stream.
        case stopCall(StreamID)
        case failCall(StreamID, Refusal)
        case grantCredit(StreamID, UInt32)
        /// The connection and its calls continue.
        case refuse(StreamID, Refusal)
        /// Decode the Hello and report with `helloReceived`.
        case readHello
        /// Send the data back in a Pong; report with `pongSent` when it was sent.
        case sendPong
        /// The frame has had its effect.
        case done
        /// Count the frame: its type is unknown or not needed, or it lost a race.
        case ignore
        case endConnection(ConnectionError)
    }

    /// A plain ttrpc peer sends no Hello and gets no extension.
    private enum Peer {
        case unknown
        case plain
        /// Every stream begins with this credit; 0 means no limit.
        case extended(initialCredit: UInt32)
    }

    private let maximumStreams: Int
    private var peer = Peer.unknown
    private var behavior: PeerBehavior
    private var isPongUnsent = false
    /// The highest id of a call, also of a refused one.
    package private(set) var lastStreamID: StreamID = 0

    package init(limits: PeerLimits) {
        maximumStreams = limits.maximumStreams
        behavior = PeerBehavior(limits)
    }

    package var peerSpeaksExtensions: Bool { if case .extended = peer { true } else { false } }

    /// The messages that a stream may send before the first Credit.
    package var initialCredit: CallCredit {
        switch peer {
        case .extended(let credit) where credit > 0: .messages(credit)
        case .unknown, .plain, .extended: .unlimited
        }
    }

    // MARK: Frames

    package mutating func received(_ frame: Frame, calls: borrowing CallRunner, now: NIODeadline) -> Action {
        let header = frame.header
        let isFirst = noteFrame()
        switch header.type {
        case .request:
            return requestReceived(header, calls, now: now)
        case .data:
            return dataReceived(header, calls, now: now)
        case .hello where isFirst && header.streamID == .connection:
            return .readHello
        case .cancel where peerSpeaksExtensions:
            return cancelReceived(header.streamID, calls, now: now)
        case .credit where peerSpeaksExtensions:
            return creditReceived(frame, calls, now: now)
        case .ping where peerSpeaksExtensions && frame.isPing:
            return pingReceived(now: now)
        default:
            // A late Hello, an extension of a peer that sent no Hello, or a type that no client sends.
            return ended(behavior.controlFrameReceived(now: now)) ?? .ignore
        }
    }

    /// ttrpc's PROTOCOL.md, "Data Length".
    package mutating func receivedOversized(
        _ header: FrameHeader,
        maximum: Int,
        calls: borrowing CallRunner,
        now: NIODeadline
    ) -> Action {
        noteFrame()
        let id = header.streamID
        let refusal = Refusal.frameTooLarge(byteCount: Int(header.length), maximum: maximum)
        switch header.type {
        case .request:
            if let wrong = claim(id) { return refuse(id, wrong, now: now) }
            behavior.callStarted()
            return refuse(id, refusal, now: now)
        case .data:
            guard case .open = calls.progress(of: id, now: now) else { fallthrough }
            return fail(id, refusal, now: now)
        default:
            return ended(behavior.controlFrameReceived(now: now)) ?? .ignore
        }
    }

    /// A Hello behind a request in `HeldRequests` is late.
    package mutating func requestHeld() { noteFrame() }

    /// The request waited in `HeldRequests`: it counts as a call that has just begun.
    package mutating func requestWithdrawn(now: NIODeadline) -> Action {
        ended(behavior.earlyCancelReceived(now: now)) ?? .done
    }

    /// A valid Hello changes that later. Returns whether this is the first frame.
    @discardableResult
    private mutating func noteFrame() -> Bool {
        guard case .unknown = peer else { return false }
        peer = .plain
        return true
    }

    private mutating func requestReceived(
        _ header: FrameHeader,
        _ calls: borrowing CallRunner,
        now: NIODeadline
    ) -> Action {
        let id = header.streamID
        if let wrong = claim(id) { return refuse(id, wrong, now: now) }
        behavior.callStarted()
        if calls.isDraining { return refuse(id, .draining, now: now) }
        guard calls.runningCount < maximumStreams else { return refuse(id, .streamLimit(maximumStreams), now: now) }
        return .startCall(id, wantsStream: !header.flags.isDisjoint(with: .remoteClosedOrOpen))
    }

    /// Takes the id even if the stream is then refused: ids are never used twice.
    private mutating func claim(_ id: StreamID) -> Refusal? {
        guard id.isOdd else { return .evenStreamID }
        guard id > lastStreamID else { return .reusedStreamID }
        // The connection's own id opens no call: no higher id would be left for later calls.
        guard id != .connection else { return .reservedStreamID }
        lastStreamID = id
        return nil
    }

    private mutating func dataReceived(
        _ header: FrameHeader,
        _ calls: borrowing CallRunner,
        now: NIODeadline
    ) -> Action {
        let id = header.streamID
        guard id.isOdd else { return refuse(id, .evenStreamID, now: now) }
        guard case .open = calls.progress(of: id, now: now) else {
            return id > lastStreamID ? refuse(id, .inactiveStream, now: now) : lateFrameReceived(now: now)
        }
        // No method here takes more than its request. A client may half-close without a message.
        guard header.flags.contains(.noData), header.length == 0 else { return fail(id, .unexpectedData, now: now) }
        return ended(behavior.allowedFrameReceived(now: now)) ?? .done
    }

    private mutating func cancelReceived(_ id: StreamID, _ calls: borrowing CallRunner, now: NIODeadline) -> Action {
        // A Cancel can cross the answer on its way.
        guard case .open(let isNew) = calls.progress(of: id, now: now) else { return lateFrameReceived(now: now) }
        if isNew, let end = ended(behavior.earlyCancelReceived(now: now)) { return end }
        return .stopCall(id)
    }

    private mutating func creditReceived(_ frame: Frame, _ calls: borrowing CallRunner, now: NIODeadline) -> Action {
        let id = frame.header.streamID
        // Credit for an unknown or ended call is ignored: it can cross the end of the stream.
        guard let grant = frame.credit, grant > 0, case .open = calls.progress(of: id, now: now) else {
            return lateFrameReceived(now: now)
        }
        return ended(behavior.allowedFrameReceived(now: now)) ?? .grantCredit(id, grant)
    }

    private mutating func pingReceived(now: NIODeadline) -> Action {
        if let end = ended(behavior.controlFrameReceived(now: now)) { return end }
        // Only one Pong is queued for a peer that does not read.
        guard !isPongUnsent else { return .ignore }
        isPongUnsent = true
        return .sendPong
    }

    private mutating func lateFrameReceived(now: NIODeadline) -> Action {
        ended(behavior.allowedFrameReceived(now: now)) ?? .ignore
    }

    private mutating func refuse(_ id: StreamID, _ refusal: Refusal, now: NIODeadline) -> Action {
        ended(faulted(refusal, now: now)) ?? .refuse(id, refusal)
    }

    private mutating func fail(_ id: StreamID, _ refusal: Refusal, now: NIODeadline) -> Action {
        ended(faulted(refusal, now: now)) ?? .failCall(id, refusal)
    }

    private mutating func faulted(_ refusal: Refusal, now: NIODeadline) -> ConnectionError? {
        refusal.isFault ? behavior.faulted(isGlitch: refusal.isGlitch, now: now) : nil
    }

    private func ended(_ error: ConnectionError?) -> Action? { error.map { .endConnection($0) } }

    // MARK: Reports

    /// 0 means no limit.
    package mutating func helloReceived(initialCredit: UInt32) { peer = .extended(initialCredit: initialCredit) }

    /// The next Ping is answered again.
    package mutating func pongSent() { isPongUnsent = false }

    package mutating func messageSent() { behavior.messageSent() }

    package mutating func requestFaulted(now: NIODeadline) -> ConnectionError? { behavior.faulted(now: now) }
}
