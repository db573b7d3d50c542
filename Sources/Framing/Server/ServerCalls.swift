internal import NIOCore

/// The open calls of one connection and the rules for the frames that concern them.
struct ServerCalls {
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

    private struct Call {
        let id: StreamID
        var credit: Credit = .unlimited
        var isWaitingForCredit = false
    }

    private enum Credit {
        case unlimited
        case messages(UInt32)
    }

    let maximumStreams: Int
    var peer = Peer.unknown
    private(set) var lastStreamID: StreamID = 0
    /// In the order of their ids, which is the order in which they came: the newest is the one most often wanted.
    /// An array that never holds more than the limit keeps its storage and hashes nothing.
    private var open: [Call] = []
    private var ended = EndedStreams()

    init(maximumStreams: Int) { self.maximumStreams = maximumStreams }

    var isEmpty: Bool { open.isEmpty }
    var openIDs: [StreamID] { open.map(\.id) }

    // MARK: Frames

    mutating func frameReceived(
        _ frame: Frame,
        refusingNew refusal: Refusal? = nil
    ) -> ServerConnectionStateMachine.OnFrame {
        let header = frame.header
        let isFirst = noteFrame()
        switch header.type {
        case .request:
            return requestReceived(header, refusal)
        case .data:
            return dataReceived(header)
        case .hello:
            // Only the first frame of a connection is a Hello; a second or late one changes nothing.
            return isFirst && header.streamID == .connection ? .readHello : .ignore
        case .cancel, .credit, .ping:
            return peer.speaksExtensions ? extensionReceived(frame) : .ignore
        default:
            return .ignore
        }
    }

    /// A peer is plain from its first frame on, unless that turns out to be a Hello that can be read.
    ///
    /// - Returns: Whether this is the first frame.
    @discardableResult
    private mutating func noteFrame() -> Bool {
        guard case .unknown = peer else { return false }
        peer = .plain
        return true
    }

    private mutating func requestReceived(
        _ header: FrameHeader,
        _ refusal: Refusal?
    ) -> ServerConnectionStateMachine.OnFrame {
        let id = header.streamID
        if let wrong = claim(id) { return .refuse(id, wrong) }
        if let refusal { return refuseNew(id, refusal) }
        guard open.count < maximumStreams else { return refuseNew(id, .streamLimit(maximumStreams)) }
        open.append(Call(id: id))
        return .startCall(id, wantsStream: !header.flags.isDisjoint(with: .remoteClosedOrOpen))
    }

    /// Takes a new stream's id, whatever then becomes of the stream: ids are never used twice.
    private mutating func claim(_ id: StreamID) -> Refusal? {
        guard id.isOdd else { return .evenStreamID }
        guard id > lastStreamID else { return .reusedStreamID }
        // The connection's own id opens no call: it would leave none for those after it.
        guard id != .connection else { return .reservedStreamID }
        lastStreamID = id
        return nil
    }

    /// The refusal ends the stream. What its caller sent before reading that is late, as after any other end.
    private mutating func refuseNew(_ id: StreamID, _ refusal: Refusal) -> ServerConnectionStateMachine.OnFrame {
        ended.remember(id)
        return .refuse(id, refusal)
    }

    private func dataReceived(_ header: FrameHeader) -> ServerConnectionStateMachine.OnFrame {
        let id = header.streamID
        guard id.isOdd else { return .refuse(id, .evenStreamID) }
        guard index(of: id) != nil else {
            return ended.contains(id) ? .ignore : .refuse(id, .inactiveStream)
        }
        // No method here takes more than its request. Half-closing without a message is the client's good right.
        return header.flags.contains(.noData) && header.length == 0 ? .ignore : .failCall(id, .unexpectedData)
    }

    private mutating func extensionReceived(_ frame: Frame) -> ServerConnectionStateMachine.OnFrame {
        let id = frame.header.streamID
        switch frame.header.type {
        case .cancel:
            // A cancel can cross the answer on its way.
            return index(of: id) == nil ? .ignore : .stopCall(id)
        case .credit:
            guard let grant = frame.credit else { return .ignore }
            return addCredit(grant, to: id)
        case .ping:
            return frame.isPing ? .sendPong : .ignore
        default:
            return .ignore
        }
    }

    mutating func oversizedFrameReceived(
        _ header: FrameHeader,
        _ refusal: Refusal
    ) -> ServerConnectionStateMachine.OnFrame {
        noteFrame()
        let id = header.streamID
        switch header.type {
        case .request:
            if let wrong = claim(id) { return .refuse(id, wrong) }
            return refuseNew(id, refusal)
        case .data where index(of: id) != nil:
            return .failCall(id, refusal)
        default:
            return .ignore
        }
    }

    // MARK: Credit

    mutating func limitByCredit(_ id: StreamID) {
        guard case .extended(let initial) = peer, initial > 0, let index = index(of: id) else { return }
        open[index].credit = .messages(initial)
    }

    mutating func spendCredit(_ id: StreamID) -> ServerConnectionStateMachine.OnMessage {
        guard let index = index(of: id) else { return .ignore }
        switch open[index].credit {
        case .unlimited:
            return .send
        case .messages(0):
            open[index].isWaitingForCredit = true
            return .waitForCredit
        case .messages(let count):
            open[index].credit = .messages(count - 1)
            return .send
        }
    }

    private mutating func addCredit(_ grant: UInt32, to id: StreamID) -> ServerConnectionStateMachine.OnFrame {
        // Credit on an unlimited, unary, unknown or ended call is ignored: it can cross the end of the stream.
        guard let index = index(of: id), case .messages(let count) = open[index].credit, grant > 0 else {
            return .ignore
        }
        let (sum, overflow) = count.addingReportingOverflow(grant)
        open[index].credit = .messages(overflow ? .max : sum)
        guard open[index].isWaitingForCredit else { return .ignore }
        open[index].isWaitingForCredit = false
        return .resumeCall(id)
    }

    // MARK: Ends

    mutating func end(_ id: StreamID) {
        guard let index = index(of: id) else { return }
        open.remove(at: index)
        ended.remember(id)
    }

    /// Searched from the newest, which is where nearly every look-up ends.
    private func index(of id: StreamID) -> Int? {
        open.lastIndex { $0.id == id }
    }
}
