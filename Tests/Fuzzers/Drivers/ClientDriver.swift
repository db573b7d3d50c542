internal import Framing
package import NIOCore
package import RPCCore
internal import WireMessages

/// Drives the client's side over bytes, as its transport does, and keeps its own account of every call.
package struct ClientDriver: ~Copyable {
    package enum Ending: Hashable {
        case answered
        case failed
        case abandoned
        /// Never started by the server, or lost with the connection.
        case lost
    }

    package private(set) var outbound = ByteBuffer()
    package private(set) var isClosed = false
    /// Each breach of a promise, in words.
    package private(set) var breaches: [String] = []
    package private(set) var open: [StreamID: RPCMethod.Kind] = [:]
    package private(set) var endings: [StreamID: Ending] = [:]
    package private(set) var messages: [StreamID: Int] = [:]

    /// Calls that have no stream yet, in the order in which they were made.
    private var waiting: [RPCMethod.Kind] = []
    private static let maximumWaiting = 4
    private static let maximumDataLength = 512
    /// The number of calls that the server allows at once, as far as it has said.
    private var maximumStreams = 100

    private var machine = ClientConnectionStateMachine()
    private var decoder = FrameDecoder(maximumDataLength: Self.maximumDataLength)
    private var inbound = ByteBuffer()

    /// - Parameter saysHello: Whether the server sees our extensions.
    package init(saysHello: Bool) {
        guard saysHello else { return }
        let hello = HelloMessage(version: 1, initialCredit: 2)
        outbound.writeFrame(.hello, on: .connection, data: hello.encoded())
    }

    // MARK: Events

    package mutating func call(_ kind: RPCMethod.Kind) {
        guard !isClosed else { return }
        // Nobody passes those who wait.
        guard waiting.isEmpty else {
            if waiting.count < Self.maximumWaiting { waiting.append(kind) }
            return
        }
        switch machine.openCall(kind) {
        case .send(let id):
            send(kind, on: id)
        case .wait:
            waiting.append(kind)
        case .refuse:
            expect(!machine.acceptsCalls, "a connection that accepts calls refused one")
        }
    }

    /// A call that has no stream yet is not wanted any more.
    package mutating func withdraw() {
        guard !waiting.isEmpty else { return }
        waiting.removeLast()
    }

    private mutating func send(_ kind: RPCMethod.Kind, on id: StreamID) {
        expect(id.isOdd && open[id] == nil && endings[id] == nil, "\(id) was used before")
        let count = open.count
        expect(count < maximumStreams, "\(count) calls are open already")
        open[id] = kind
        outbound.writeFrame(.request, on: id, flags: kind == .serverStreaming ? .remoteClosed : [])
    }

    /// Calls have ended, or the server allows more, or takes no more.
    private mutating func sendWaiting() {
        while let kind = waiting.first, case .send(let id) = machine.openCall(kind) {
            waiting.removeFirst()
            send(kind, on: id)
        }
        // Those that find no stream here go elsewhere.
        if !machine.acceptsCalls { while !waiting.isEmpty { withdraw() } }
        let isFull = open.count >= maximumStreams
        expect(waiting.isEmpty || isFull, "calls wait although there is room")
    }

    package mutating func abandon(_ id: StreamID) {
        guard !isClosed else { return }
        let wasOpen = open[id] != nil
        let isCancelled = machine.callAbandoned(id) == .sendCancel
        expect(isCancelled == wasOpen, "\(id) was open: \(wasOpen), and is cancelled: \(isCancelled)")
        guard isCancelled else { return }
        end(id, .abandoned)
        outbound.writeFrame(.cancel, on: id)
        sendWaiting()
    }

    package mutating func receive(_ bytes: ByteBuffer) {
        inbound.discardReadBytes()
        inbound.writeImmutableBuffer(bytes)
        do throws(ConnectionError) {
            while !isClosed, let output = try decoder.next(from: &inbound) {
                switch output {
                case .frame(let frame):
                    let action = machine.frameReceived(frame)
                    checkIgnored(frame.header, action)
                    carryOut(action, frame)
                case .oversized(let header, _):
                    let action = machine.oversizedFrameReceived(header, maximum: Self.maximumDataLength)
                    carryOut(action, Frame(header: header, data: ByteBuffer()))
                }
            }
        } catch {
            disconnect()
        }
        if !isClosed { sendWaiting() }
        if machine.isFinished { disconnect() }
    }

    package mutating func disconnect() {
        guard !isClosed else { return }
        isClosed = true
        waiting.removeAll()
        let left = machine.connectionClosed()
        expect(Set(left) == Set(open.keys), "the machine knows other calls than are open")
        for id in left { end(id, .lost) }
        expect(machine.connectionClosed().isEmpty, "calls are left after the connection")
    }

    package mutating func takeOutbound() -> ByteBuffer {
        defer { outbound.clear() }
        return outbound
    }

    // MARK: Actions

    private mutating func carryOut(_ action: ClientConnectionStateMachine.OnFrame, _ frame: Frame) {
        switch action {
        case .finishCall(let id):
            expect(open[id] == .unary, "\(id) is no open unary call and was answered")
            end(id, .answered)
        case .finishStream(let id):
            expect(open[id] == .serverStreaming, "\(id) is no open stream and was answered as one")
            end(id, .answered)
        case .deliver(let id, let isLast):
            expect(open[id] == .serverStreaming, "\(id) is no open stream and got a message")
            messages[id, default: 0] += 1
            if isLast { end(id, .answered) } else { outbound.writeCreditFrame(1, on: id) }
        case .endStream(let id):
            expect(open[id] == .serverStreaming, "\(id) is no open stream and ended as one")
            end(id, .answered)
        case .failCall(let id, _, let isRunning):
            end(id, .failed)
            if isRunning { outbound.writeFrame(.cancel, on: id) }
        case .readGoAway:
            let last: UInt32 = frame.data.getInteger(at: frame.data.readerIndex) ?? .max
            for id in machine.goAwayReceived(lastStreamID: StreamID(rawValue: last)) {
                expect(id.rawValue > last, "\(id) was refused, \(last) is the last that finishes")
                end(id, .lost)
            }
        case .sendPong:
            outbound.writeFrame(.pong, on: .connection, data: frame.data)
            machine.pongSent()
        case .readHello:
            let limit: UInt32 = frame.data.getInteger(at: frame.data.readerIndex) ?? 0
            maximumStreams = limit == 0 ? .max : Int(limit)
            machine.helloReceived(maximumStreams: limit)
        case .ignore:
            break
        }
    }

    /// A frame that ends an open call is never ignored: its caller would wait for ever.
    private mutating func checkIgnored(_ header: FrameHeader, _ action: ClientConnectionStateMachine.OnFrame) {
        guard action == .ignore, open[header.streamID] != nil else { return }
        let isEnd = header.type == .response || header.type == .data && header.flags.contains(.remoteClosed)
        expect(!isEnd, "the end of \(header.streamID) is ignored")
    }

    private mutating func end(_ id: StreamID, _ ending: Ending) {
        expect(open.removeValue(forKey: id) != nil, "\(id) ends, but is not open")
        expect(endings.updateValue(ending, forKey: id) == nil, "\(id) ends twice")
    }

    private mutating func expect(_ isTrue: Bool, _ breach: @autoclosure () -> String) {
        if !isTrue { breaches.append(breach()) }
    }
}
