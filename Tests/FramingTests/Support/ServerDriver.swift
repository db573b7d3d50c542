import Framing
import NIOCore

/// Drives the server's side over bytes, as its transport does, and keeps its own account of every call.
///
/// What the methods of the calls do is random: answer at once or later, stream a few messages, fail.
struct ServerDriver: ~Copyable {
    private struct Call {
        var messagesLeft: Int
        var isStream: Bool
        /// What was sent and what may be sent; nil without a limit.
        var sent: UInt64 = 0
        var granted: UInt64?
        var isWaiting = false
        /// Cancelled or failed, and its handler has not stopped yet.
        var isStopping = false
    }

    static let maximumStreams = 8
    static let maximumDataLength = 64

    private(set) var outbound = ByteBuffer()
    private(set) var isClosed = false
    /// Each breach of a promise, in words.
    private(set) var breaches: [String] = []
    /// Why the machine ended the connection, if it did: a correct peer never sees that.
    private(set) var farewell: ConnectionError?
    /// How many messages a call had sent when it ended.
    private(set) var messagesSent: [StreamID: Int] = [:]

    private var machine = ServerConnectionStateMachine(maximumStreams: ServerDriver.maximumStreams)
    private var decoder = FrameDecoder(maximumDataLength: ServerDriver.maximumDataLength)
    private var inbound = ByteBuffer()
    private var running: [StreamID: Call] = [:]
    private var started: Set<StreamID> = []
    /// The peer's, once its Hello was read.
    private var initialCredit: UInt32?
    private var isDraining = false
    private var random: SeededGenerator

    init(seed: UInt64) { self.random = SeededGenerator(seed: seed) }

    var isIdle: Bool { running.isEmpty }

    // MARK: Events

    mutating func receive(_ bytes: ByteBuffer) {
        inbound.discardReadBytes()
        inbound.writeImmutableBuffer(bytes)
        do throws(ConnectionError) {
            while !isClosed, let output = try decoder.next(from: &inbound) {
                switch output {
                case .frame(let frame):
                    noteCredit(frame)
                    carryOut(machine.frameReceived(frame))
                case .oversized(let header):
                    expect(header.length > Self.maximumDataLength, "a frame within the limit was refused")
                    carryOut(machine.oversizedFrameReceived(header, maximum: Self.maximumDataLength))
                }
            }
        } catch {
            disconnect()
        }
        expect(inbound.readableBytes < FrameHeader.byteCount + Self.maximumDataLength || isClosed, "too much is kept")
    }

    /// A running call does a piece of its work.
    mutating func work() {
        guard !isClosed, let id = running.keys.sorted().randomElement(using: &random) else { return }
        advance(id)
    }

    mutating func drain() {
        guard !isClosed else { return }
        switch machine.drain() {
        case .finishCalls(let last, let sendGoAway):
            expect(!isDraining && !running.isEmpty, "there is nothing to finish")
            goAway(last, sendGoAway)
        case .closeConnection(let last, let sendGoAway):
            expect(running.isEmpty, "calls are running")
            goAway(last, sendGoAway)
            isClosed = true
        case .ignore:
            expect(isDraining, "the request to stop was ignored")
        }
        isDraining = true
    }

    mutating func disconnect() {
        guard !isClosed else { return }
        isClosed = true
        expect(Set(machine.connectionClosed()) == Set(running.keys), "the machine knows other calls than are running")
        running.removeAll()
        expect(machine.connectionClosed().isEmpty, "calls are left after the connection")
    }

    mutating func takeOutbound() -> ByteBuffer {
        defer { outbound.clear() }
        return outbound
    }

    // MARK: Actions

    private mutating func carryOut(_ action: ServerConnectionStateMachine.OnFrame) {
        switch action {
        case .startCall(let id, let wantsStream):
            start(id, wantsStream: wantsStream)
        case .stopCall(let id):
            expect(initialCredit != nil, "a plain peer cancelled \(id)")
            stop(id)
        case .failCall(let id, _):
            outbound.writeFrame(.response, on: id)
            stop(id)
        case .resumeCall(let id):
            expect(running[id]?.isWaiting == true, "\(id) goes on, but did not wait")
            running[id]?.isWaiting = false
        case .refuse(let id, let refusal):
            expect(running[id] == nil || refusal == .reusedStreamID, "\(id) is running and was refused: \(refusal)")
            outbound.writeFrame(.response, on: id)
        case .readHello:
            expect(initialCredit == nil && started.isEmpty, "a late Hello is read")
            let credit = UInt32.random(in: 0...3, using: &random)
            initialCredit = credit
            if machine.helloReceived(initialCredit: credit) == .sendHello {
                outbound.writeFrame(.hello, on: .connection)
            }
        case .sendPong:
            expect(initialCredit != nil, "a plain peer was sent a Pong")
            outbound.writeFrame(.pong, on: .connection, data: ByteBuffer(repeating: 0, count: 8))
            machine.pongSent()
        case .endConnection(let farewell):
            expect((farewell.goAwayAfter != nil) == (initialCredit != nil), "GoAway is for those who said Hello")
            self.farewell = farewell.error
            isClosed = true
            running.removeAll()
            expect(machine.connectionClosed().isEmpty, "calls are left after the connection")
        case .done, .ignore:
            break
        }
    }

    /// The call's handler stops at once, or a little later.
    private mutating func stop(_ id: StreamID) {
        expect(running[id]?.isStopping == false, "\(id) is stopped, but is not running")
        running[id]?.isStopping = true
        if random.oneIn(2) { end(id) }
    }

    private mutating func start(_ id: StreamID, wantsStream: Bool) {
        expect(started.insert(id).inserted, "\(id) starts twice")
        expect(!isDraining, "\(id) starts while the server is stopping")
        let isStream = wantsStream && !random.oneIn(4)
        var call = Call(messagesLeft: isStream ? Int.random(in: 0...6, using: &random) : 0, isStream: isStream)
        if isStream {
            machine.streamAccepted(id)
            if let initialCredit, initialCredit > 0 { call.granted = UInt64(initialCredit) }
        }
        running[id] = call
        // What is stopping still counts.
        let count = running.count
        expect(count <= Self.maximumStreams, "\(count) calls are running")
        if random.oneIn(3) { advance(id) }
    }

    private mutating func advance(_ id: StreamID) {
        guard let call = running[id], !call.isWaiting || call.isStopping else { return }
        guard !call.isStopping else { return end(id) }
        guard call.isStream, call.messagesLeft > 0 else { return finish(id) }
        switch machine.messageWanted(on: id) {
        case .send:
            expect(call.granted.map { call.sent < $0 } ?? true, "\(id) sends more than it may")
            running[id]?.sent += 1
            running[id]?.messagesLeft -= 1
            let isLast = call.messagesLeft == 1 && random.oneIn(2)
            outbound.writeFrame(.data, on: id, flags: isLast ? .remoteClosed : [], data: ByteBuffer(string: "m"))
            if isLast { end(id) }
        case .waitForCredit:
            expect(call.granted.map { call.sent >= $0 } ?? false, "\(id) waits although it may send")
            running[id]?.isWaiting = true
        case .failCall(let refusal):
            expect(isDraining && refusal == .draining, "\(id) fails for want of credit")
            outbound.writeFrame(.response, on: id)
            end(id)
        case .ignore:
            expect(false, "\(id) is running, and the machine does not know it")
        }
    }

    /// Nothing more to send: the last frame, of one kind or the other.
    private mutating func finish(_ id: StreamID) {
        if running[id]?.isStream == true, !random.oneIn(4) {
            outbound.writeFrame(.data, on: id, flags: [.remoteClosed, .noData])
        } else {
            outbound.writeFrame(.response, on: id)
        }
        end(id)
    }

    private mutating func end(_ id: StreamID) {
        guard let call = running.removeValue(forKey: id) else {
            expect(false, "\(id) ends, but is not running")
            return
        }
        messagesSent[id] = Int(call.sent)
        if machine.callEnded(id) == .closeConnection {
            expect(isDraining && running.isEmpty, "the connection closes too early")
            isClosed = true
        } else {
            expect(!isDraining || !running.isEmpty, "the connection stays open after its last call")
        }
    }

    private mutating func goAway(_ last: StreamID, _ isSent: Bool) {
        expect(isSent == (initialCredit != nil), "GoAway is for those who speak the extensions")
        if isSent { outbound.writeFrame(.goAway, on: .connection, data: ByteBuffer(integer: last.rawValue)) }
    }

    /// Keeps account of credit apart from the machine.
    private mutating func noteCredit(_ frame: Frame) {
        guard frame.header.type == .credit, initialCredit != nil, frame.data.readableBytes == 4 else { return }
        guard let granted = running[frame.header.streamID]?.granted else { return }
        let grant = UInt64(frame.data.getInteger(at: frame.data.readerIndex, as: UInt32.self) ?? 0)
        // The machine counts what is left, this counts from the start.
        let sent = running[frame.header.streamID]?.sent ?? 0
        running[frame.header.streamID]?.granted = min(granted + grant, sent + UInt64(UInt32.max))
    }

    private mutating func expect(_ isTrue: Bool, _ breach: @autoclosure () -> String) {
        if !isTrue { breaches.append(breach()) }
    }
}
