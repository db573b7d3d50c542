internal import HTTPFraming
internal import MarvelDomain
package import NIOCore
internal import NIOHPACK
internal import RPCCore

/// Drives the server's side of an HTTP/2 connection over bytes, as its transport does, and keeps accounts of both sides.
///
/// The peer's preface and its first SETTINGS are sent before its bytes. How the streams are answered is random.
package struct HTTP2ServerDriver: ~Copyable {
    static let maximumStreams = 4
    private static let maximumHeaderListByteCount = 1024

    /// Each breach of a promise, in words.
    package internal(set) var breaches: [String] = []
    var machine = HTTP2ServerStateMachine(
        maximumStreams: maximumStreams,
        maximumHeaderListByteCount: maximumHeaderListByteCount
    )
    private var requests = HTTP2RequestAccount()
    private var answers = HTTP2AnswerAccount()
    private var hasEnded = false
    private var random: SplitMix64

    package init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        receive(ByteBuffer(string: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u{4}\0\0\0\0\0"))
    }

    /// Plays what a peer sent, cut into reads, with answers between them.
    ///
    /// - Parameters:
    ///   - bytes: Anything.
    ///   - seed: Decides on the cuts, and on the answers.
    /// - Returns: Each breach of a promise; none, if all is well.
    package static func play(_ bytes: ByteBuffer, seed: UInt64) -> [String] {
        var random = SplitMix64(seed: seed)
        var server = HTTP2ServerDriver(seed: random.next())
        var rest = bytes
        while let piece = random.read(from: &rest) {
            server.receive(piece)
            for _ in 0..<Int.random(in: 0...4, using: &random) { server.answer() }
            server.endTurn()
        }
        server.resetAll()
        return server.breaches
    }

    // MARK: Events

    mutating func receive(_ bytes: ByteBuffer) {
        answers.received(bytes)
        machine.receive(bytes)
        while let event = machine.nextEvent() {
            expect(!hasEnded, "an event follows the end of the connection")
            if case .connectionFault = event { hasEnded = true }
            if let breach = requests.breach(in: event) { breaches.append(breach) }
            noteClosed()
        }
        machine.settleInput()
        let openCount = requests.openCount
        expect(openCount <= Self.maximumStreams, "\(openCount) streams are open")
    }

    /// Does something with a stream that has begun, or perhaps with another one.
    mutating func answer() {
        let id = random.oneIn(8) ? StreamID(rawValue: 2 * .random(in: 0..<16, using: &random) + 1) : anyStream()
        let isEnd = random.oneIn(4)
        let count =
            random.oneIn(8) ? Int.random(in: 0...40_000, using: &random) : Int.random(in: 0...600, using: &random)
        switch Int.random(in: 0..<16, using: &random) {
        case 0..<4: machine.sendHeaders([":status": "200"], isEnd: isEnd, on: id)
        case 4..<8: machine.sendData(isEnd: isEnd, on: id) { $0.writeRepeatingByte(1, count: count) }
        case 8..<12: machine.gatherData(on: id) { $0.writeRepeatingByte(1, count: count) }
        case 12:
            machine.reset(id, .cancel)
            requests.closed(id)
        case 13: machine.openWindow(by: count, on: id)
        case 14: machine.openConnectionWindow(by: count)
        default: _ = machine.stalledStreams()
        }
    }

    private mutating func anyStream() -> StreamID { requests.streams.randomElement(using: &random) ?? 1 }

    /// Ends a turn of the event loop: what was written is sent.
    mutating func endTurn() {
        machine.sendGathered()
        if let breach = answers.breach(in: machine.takeOutput()) { breaches.append(breach) }
        let (unflushed, unsent) = (machine.unflushedByteCount, machine.unsentByteCount)
        expect(unflushed == 0, "\(unflushed) bytes are left of a turn")
        expect(unsent >= 0, "\(unsent) bytes wait")
        noteClosed()
    }

    /// Resets what is open, and nothing is left.
    mutating func resetAll() {
        for id in requests.streams { machine.reset(id, .cancel) }
        let unsent = machine.unsentByteCount
        expect(unsent == 0, "\(unsent) bytes wait for no stream")
        if let breach = answers.breach(in: machine.takeOutput()) { breaches.append(breach) }
    }

    /// Notes the streams that both sides have ended.
    private mutating func noteClosed() { while let id = machine.nextClosed() { requests.closed(id) } }

    private mutating func expect(_ isTrue: Bool, _ breach: @autoclosure () -> String) {
        if !isTrue { breaches.append(breach()) }
    }
}

/// An account of a connection's requests: the events of each stream come in a possible order.
struct HTTP2RequestAccount {
    /// The open streams, each with whether its peer sends nothing more.
    private var open: [StreamID: Bool] = [:]
    private var last: StreamID = 0

    var openCount: Int { open.count }
    var streams: [StreamID] { open.keys.sorted() }

    /// Takes an event.
    ///
    /// - Returns: What is wrong with it; nil if nothing is.
    mutating func breach(in event: HTTP2Event) -> String? {
        switch event {
        case .request(let id, _, let isEnd):
            guard id > last, id.rawValue % 2 == 1 else { return "\(id) begins behind \(last)" }
            last = id
            open[id] = isEnd
        case .data(let id, _, let isEnd):
            guard open[id] == false else { return "DATA of \(id), whose peer sends nothing more" }
            open[id] = isEnd
        case .trailers(let id, _):
            guard open[id] == false else { return "trailers of \(id), whose peer sends nothing more" }
            open[id] = true
        case .reset(let id), .streamFault(let id):
            guard open.removeValue(forKey: id) != nil else { return "the end of \(id), which is not open" }
        default: break
        }
        return nil
    }

    /// Notes that both sides have ended a stream, or this side has reset it.
    mutating func closed(_ id: StreamID) { open[id] = nil }
}
