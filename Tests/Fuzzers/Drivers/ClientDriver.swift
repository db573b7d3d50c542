internal import Framing
package import NIOCore
internal import RPCClient
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

    private var framing = ClientFraming(
        HelloMessage(version: 1, initialCredit: 2),
        maximumFrameLength: ClientDriver.maximumDataLength
    )

    /// - Parameter saysHello: Whether the server sees our extensions.
    package init(saysHello: Bool) {
        if !saysHello { framing.outbound.clear() }
    }

    // MARK: Events

    package mutating func call(_ kind: RPCMethod.Kind) {
        guard !isClosed else { return }
        // Nobody passes those who wait.
        guard waiting.isEmpty else {
            if waiting.count < Self.maximumWaiting { waiting.append(kind) }
            return
        }
        switch framing.openCall(kind) {
        case .send(let id):
            send(kind, on: id)
        case .wait:
            waiting.append(kind)
        case .refuse:
            expect(!framing.acceptsCalls, "a connection that accepts calls refused one")
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
        framing.outbound.writeFrame(.request, on: id, flags: kind == .serverStreaming ? .remoteClosed : [])
    }

    /// Calls have ended, or the server allows more, or takes no more.
    private mutating func sendWaiting() {
        while let kind = waiting.first, case .send(let id) = framing.openCall(kind) {
            waiting.removeFirst()
            send(kind, on: id)
        }
        // Those that find no stream here go elsewhere.
        if !framing.acceptsCalls { while !waiting.isEmpty { withdraw() } }
        let isFull = open.count >= maximumStreams
        expect(waiting.isEmpty || isFull, "calls wait although there is room")
    }

    package mutating func abandon(_ id: StreamID) {
        guard !isClosed else { return }
        let wasOpen = open[id] != nil
        let byteCount = framing.outbound.readableBytes
        framing.abandon(id)
        let isCancelled = framing.outbound.readableBytes > byteCount
        expect(isCancelled == wasOpen, "\(id) was open: \(wasOpen), and is cancelled: \(isCancelled)")
        guard isCancelled else { return }
        end(id, .abandoned)
        sendWaiting()
    }

    package mutating func receive(_ bytes: ByteBuffer) {
        framing.receive(bytes)
        do throws(ConnectionError) {
            while !isClosed, let event = try framing.nextEvent() { received(event) }
        } catch {
            disconnect()
        }
        if !isClosed { sendWaiting() }
        if framing.isFinished { disconnect() }
    }

    package mutating func disconnect() {
        guard !isClosed else { return }
        isClosed = true
        waiting.removeAll()
        let left = framing.connectionClosed()
        expect(Set(left) == Set(open.keys), "the machine knows other calls than are open")
        for id in left { end(id, .lost) }
        expect(framing.connectionClosed().isEmpty, "calls are left after the connection")
    }

    package mutating func takeOutbound() -> ByteBuffer {
        defer { framing.outbound.clear() }
        framing.pongSent()
        return framing.outbound
    }

    private mutating func received(_ event: ClientConnectionEvent) {
        switch event {
        case .answer(let id, _):
            expect(open[id] == .unary, "\(id) is no open unary call and was answered")
            end(id, .answered)
        case .message(let id, _, let isLast):
            expect(open[id] == .serverStreaming, "\(id) is no open stream and got a message")
            messages[id, default: 0] += 1
            if isLast { end(id, .answered) } else { framing.outbound.writeCreditFrame(1, on: id) }
        case .end(let id):
            expect(open[id] == .serverStreaming, "\(id) is no open stream and ended as one")
            end(id, .answered)
        // A status of the server is an answer.
        case .failure(let id, let error): end(id, error.origin == .peer ? .answered : .failed)
        case .goAway(let message, let dropped):
            for id in dropped {
                expect(id.rawValue > message.lastStreamID, "\(id) was refused, and is not after the last")
                end(id, .lost)
            }
        case .ready(let limit):
            maximumStreams = limit == 0 ? .max : Int(limit)
            framing.limitCalls(to: limit)
        }
    }

    private mutating func end(_ id: StreamID, _ ending: Ending) {
        expect(open.removeValue(forKey: id) != nil, "\(id) ends, but is not open")
        expect(endings.updateValue(ending, forKey: id) == nil, "\(id) ends twice")
    }

    private mutating func expect(_ isTrue: Bool, _ breach: @autoclosure () -> String) {
        if !isTrue { breaches.append(breach()) }
    }
}
