internal import NIOCore
internal import RPCCore

/// The open calls of one client connection and the rules for the frames that answer them.
struct ClientCalls {
    /// Three quarters of the ids: the connection is retired long before they end.
    private static let lastUsableID = StreamID(rawValue: 0xC000_0001)

    /// What a server is taken to allow until its Hello says more; a plain ttrpc server never says. (gRPC's clients
    /// assume the same.)
    static let assumedMaximumStreams = 100

    private var nextStreamID: StreamID
    private var open: [StreamID: Method.Kind] = [:]
    private var maximumStreams = ClientCalls.assumedMaximumStreams
    private let maximumWaiting: Int
    /// Calls that wait for one of the open ones to end.
    private var waiting = 0

    init(nextStreamID: StreamID, maximumWaiting: Int) {
        self.nextStreamID = nextStreamID
        self.maximumWaiting = maximumWaiting
    }

    var isEmpty: Bool { open.isEmpty }
    var hasRoom: Bool { open.count < maximumStreams }
    var idsAreRunningOut: Bool { nextStreamID > Self.lastUsableID }

    // MARK: Beginnings

    mutating func want(_ kind: Method.Kind) -> ClientConnectionStateMachine.OnOpen {
        // First come, first served: nobody passes those who wait.
        if hasRoom, waiting == 0 { return .send(open(kind)) }
        guard waiting < maximumWaiting else { return .refuseFull(maximumWaiting) }
        waiting += 1
        return .wait
    }

    /// The call that has waited longest can be opened, if there is room.
    mutating func openWaiting(_ kind: Method.Kind) -> StreamID? {
        guard hasRoom, waiting > 0 else { return nil }
        waiting -= 1
        return open(kind)
    }

    mutating func stopWaiting() {
        waiting = max(waiting - 1, 0)
    }

    /// - Parameter limit: From the server's Hello; 0 means that it names none.
    mutating func serverAllows(_ limit: UInt32) {
        if limit > 0 { maximumStreams = Int(limit) }
    }

    private mutating func open(_ kind: Method.Kind) -> StreamID {
        let id = nextStreamID
        nextStreamID = StreamID(rawValue: id.rawValue + 2)
        open[id] = kind
        return id
    }

    // MARK: Frames

    mutating func frameReceived(_ frame: Frame) -> ClientConnectionStateMachine.OnFrame {
        let header = frame.header
        switch header.type {
        case .response:
            // An answer can cross our Cancel: a call that is not open is over.
            return end(header.streamID) ? .finishCall(header.streamID) : .ignore
        case .data:
            return dataReceived(header)
        case .hello:
            return header.streamID == .connection ? .readHello : .ignore
        case .goAway:
            return header.streamID == .connection ? .readGoAway : .ignore
        case .ping:
            return frame.isPing ? .sendPong : .ignore
        default:
            return .ignore
        }
    }

    private mutating func dataReceived(_ header: FrameHeader) -> ClientConnectionStateMachine.OnFrame {
        let id = header.streamID
        guard let kind = open[id] else { return .ignore }
        guard kind == .serverStreaming else {
            return fail(id, RPCError(.internalError, "the server streamed the answer of a unary call"))
        }
        let isLast = header.flags.contains(.remoteClosed)
        if isLast { end(id) }
        guard header.flags.contains(.noData) else { return .deliver(id, isLast: isLast) }
        return isLast ? .endStream(id) : .ignore
    }

    mutating func oversizedFrameReceived(
        _ header: FrameHeader,
        _ refusal: Refusal
    ) -> ClientConnectionStateMachine.OnFrame {
        switch header.type {
        case .response, .data: fail(header.streamID, refusal.error)
        default: .ignore
        }
    }

    private mutating func fail(_ id: StreamID, _ error: RPCError) -> ClientConnectionStateMachine.OnFrame {
        end(id) ? .failCall(id, error) : .ignore
    }

    @discardableResult
    mutating func end(_ id: StreamID) -> Bool {
        open.removeValue(forKey: id) != nil
    }

    mutating func endAll(after id: StreamID) -> [StreamID] {
        let dropped = open.keys.filter { $0 > id }.sorted()
        for id in dropped { open[id] = nil }
        return dropped
    }
}
