import Framing
import NIOCore
import RPCCore
import Testing
import WireMessages

@testable import RPCClient

/// The bytes of a client's connection, without a connection.
@Suite struct ClientFramingTests {
    private static let hello = HelloMessage(version: 1, software: "test", initialCredit: 4)

    /// A connection whose Hello was sent, with these calls open: 1, 3, 5 and so on.
    private func connection(_ kinds: RPCMethod.Kind..., maximumFrameLength: Int = 100) -> ClientFraming {
        var framing = ClientFraming(ClientFramingTests.hello, maximumFrameLength: maximumFrameLength)
        for kind in kinds { _ = framing.openCall(kind) }
        framing.outbound.clear()
        return framing
    }

    // MARK: The frames of a call

    /// The frames of a server on stream 1, which is a stream of messages, and their events.
    private static let streams: [([Frame], [ClientConnectionEvent])] = [
        (
            [.message(1, "a"), .message(1, "b"), .end(1)],
            [.text(1, "a"), .text(1, "b"), .end(1)]
        ),
        ([.message(1, "a"), .message(1, "b", .remoteClosed)], [.text(1, "a"), .lastText(1, "b")]),
        ([.message(1, ""), .message(1, "", .remoteClosed)], [.text(1, ""), .lastText(1, "")]),
        ([.end(1)], [.end(1)]),
        // A server of ttrpc 1.1 answers each call with one Response, which holds the message.
        ([.answer(1, "a")], [.lastText(1, "a")]),
        ([.message(1, "a"), .response(1, "b")], [.text(1, "a"), .lastText(1, "b")]),
        ([.message(1, "a"), .response(1)], [.text(1, "a"), .end(1)]),
        // Data without a message and without an end means nothing.
        ([.message(1, "", .noData), .end(1)], [.end(1)]),
        // Nothing comes after the end.
        ([.end(1), .message(1, "a"), .end(1), .answer(1, "a")], [.end(1)]),
        ([.message(1, "a", .remoteClosed), .end(1)], [.lastText(1, "a")]),
        ([.response(1, "a"), .message(1, "b"), .end(1)], [.lastText(1, "a")]),
        // Frames of other calls, and of types that a client does not read.
        ([.message(5, "a"), .end(2), .response(9), Frame(.request, on: 1), Frame(.credit, on: 1)], []),
    ]

    @Test(arguments: streams)
    func aStreamEndsOnce(_ frames: [Frame], _ expected: [ClientConnectionEvent]) throws {
        var framing = connection(.serverStreaming)
        #expect(try framing.events(in: ByteBuffer(frames)) == expected)
        #expect(try framing.takeFrames() == [])
        let left = framing.connectionClosed()
        #expect(left.isEmpty == (expected != []))
    }

    // MARK: Failures

    /// A server that continues with the call is told to stop. One that has ended it is not.
    @Test(arguments: [
        (Frame.message(1, "a"), true), (.message(1, "", .noData), true), (.message(1, "a", .remoteClosed), false),
        (.end(1), false),
    ])
    func aUnaryCallThatIsStreamedFailsAlone(_ frame: Frame, isCancelled: Bool) throws {
        var framing = connection(.unary, .unary)
        let events = try framing.events(in: ByteBuffer([frame, frame, .answer(1, "late"), .response(3)]))
        guard case .failure(1, let error)? = events.first else {
            Issue.record("\(events)")
            return
        }
        #expect(error.code == .internalError)
        #expect(events.dropFirst() == [.reply(3, "")])
        #expect(try framing.takeFrames() == (isCancelled ? [Frame(.cancel, on: 1)] : []))
    }

    @Test(
        arguments: [(FrameType.response, [], false), (.data, [], true), (.data, .remoteClosed, false)]
            as [(FrameType, FrameFlags, Bool)]
    )
    func anAnswerThatIsTooLongFailsAlone(_ type: FrameType, _ flags: FrameFlags, isCancelled: Bool) throws {
        var framing = connection(.serverStreaming, .unary)
        let long = ByteBuffer(repeating: 0, count: 101)
        let frame = ByteBuffer([Frame(type, on: 1, flags: flags, data: long)])
        // The header is enough, and the rest is skipped as it comes.
        let (header, rest) = frame.halves(at: FrameHeader.byteCount)
        guard case .failure(1, let error)? = try framing.events(in: header).first else {
            Issue.record("the call has not failed")
            return
        }
        #expect(error.reason == .messageTooLarge)
        #expect(error.message.contains("101 bytes, maximum is 100"))
        #expect(try framing.takeFrames() == (isCancelled ? [Frame(.cancel, on: 1)] : []))
        let (first, last) = rest.halves(at: 50)
        #expect(try framing.events(in: first) == [])
        #expect(try framing.events(in: last) == [])
        #expect(try framing.events(in: ByteBuffer([.response(3, "answer")])) == [.reply(3, "answer")])
    }

    /// The events before the false bytes are read. The open calls are the owner's to fail when the connection is closed.
    @Test func bytesOfAnotherProtocolEndTheReading() throws {
        var framing = connection(.unary, .serverStreaming)
        var bytes = ByteBuffer([.response(1, "a")])
        bytes.writeString("HTTP/1.1 400 Bad Request")
        framing.receive(bytes)
        #expect(try framing.nextEvent() == .reply(1, "a"))
        for _ in 1...2 {
            #expect(throws: ConnectionError.foreignHTTP) { _ = try framing.nextEvent() }
        }
        let open = framing.connectionClosed()
        #expect(open == [3])
    }

    // MARK: Frames of the connection

    /// The owner decides whether it obeys.
    @Test func theServersHelloIsReadOnceAndLimitsNothingByItself() throws {
        var framing = connection()
        let message = HelloMessage(version: 1, software: "server", maximumStreams: 1)
        let hello = Frame(.hello, on: .connection, data: message.encoded())
        #expect(try framing.events(in: ByteBuffer([hello, hello])) == [.ready(maximumStreams: 1)])
        let free = [framing.openCall(.unary), framing.openCall(.unary)]
        #expect(free == [.send(1), .send(3)])
        framing.limitCalls(to: message.maximumStreams)
        let limited = framing.openCall(.unary)
        #expect(limited == .wait)
    }

    @Test func aMalformedHelloIsIgnored() throws {
        var framing = connection(.unary)
        let hello = Frame(.hello, on: .connection, data: ByteBuffer(bytes: [0x12, 0xFF]))
        #expect(try framing.events(in: ByteBuffer([hello, .response(1, "a")])) == [.reply(1, "a")])
    }

    @Test func pingsAreAnsweredWithTheirBytes() throws {
        var framing = connection()
        let eight = ByteBuffer(string: "12345678")
        let frames: [Frame] = [
            .ping("1234567"), .ping("123456789"), Frame(.ping, on: 1, data: eight),
            Frame(.pong, on: .connection, data: eight), .ping("12345678"),
        ]
        #expect(try framing.events(in: ByteBuffer(frames)) == [])
        #expect(try framing.takeFrames() == [.pong("12345678")])
    }

    @Test func onePongIsQueuedForAServerThatDoesNotRead() throws {
        var framing = connection()
        #expect(try framing.events(in: ByteBuffer([.ping("12345678"), .ping("ignored!")])) == [])
        #expect(try framing.takeFrames() == [.pong("12345678")])
        #expect(try framing.events(in: ByteBuffer([.ping("ignored!")])) == [])
        framing.pongSent()
        #expect(try framing.events(in: ByteBuffer([.ping("abcdefgh")])) == [])
        #expect(try framing.takeFrames() == [.pong("abcdefgh")])
    }

    @Test(arguments: [(0, [1, 3, 5]), (1, [3, 5]), (4, [5]), (5, []), (0xFFFF_FFFF, [])] as [(UInt32, [StreamID])])
    func goAwayTakesBackTheCallsThatWereNotStarted(_ last: UInt32, _ dropped: [StreamID]) throws {
        var framing = connection(.unary, .serverStreaming, .unary)
        let message = GoAwayMessage(lastStreamID: last, reason: "DRAINING", retryAfter: .seconds(3))
        let goAway = Frame(.goAway, on: .connection, data: message.encoded())
        let answers = ([1, 3, 5] as [StreamID]).map { Frame.response($0, "late") }
        #expect(try framing.events(in: ByteBuffer([goAway])) == [.goAway(message, dropped: dropped)])
        let call = framing.openCall(.unary)
        #expect(call == .refuse)
        #expect(framing.isFinished == (dropped.count == 3))
        let started = ([1, 3, 5] as [StreamID]).filter { !dropped.contains($0) }
        let expected = started.map { $0 == 3 ? ClientConnectionEvent.lastText($0, "late") : .reply($0, "late") }
        #expect(try framing.events(in: ByteBuffer(answers)) == expected)
        #expect(framing.isFinished == true)
        #expect(try framing.takeFrames() == [], "calls that were not started are not cancelled")
    }

    /// The connection is retired long before its ids end.
    @Test(arguments: [0xC000_0003, 0xFFFF_FFEB, 0xFFFF_FFFF] as [StreamID])
    func noCallIsOpenedAboveTheLastUsableID(_ first: StreamID) {
        var framing = ClientFraming(Self.hello, firstStreamID: first)
        #expect(framing.isFinished == true)
        let call = framing.openCall(.unary)
        #expect(call == .refuse)
    }

    // MARK: The owner

    @Test(arguments: [[], [Frame.message(1, "a")], [.message(1, "a"), .message(1, "b")]] as [[Frame]])
    func anAbandonedCallIsCancelledOnceAndHasNoMoreEvents(_ before: [Frame]) throws {
        var framing = connection(.serverStreaming, .unary)
        let events = try framing.events(in: ByteBuffer(before))
        #expect(events.count == before.count)
        framing.abandon(1)
        framing.abandon(1)
        #expect(try framing.takeFrames() == [Frame(.cancel, on: 1)])
        let late: [Frame] = [.message(1, "c"), .message(1, "d", .remoteClosed), .end(1), .response(1)]
        #expect(try framing.events(in: ByteBuffer(late + [.response(3)])) == [.reply(3, "")])
    }

    /// The reader of one message may not want the next one, which has arrived already.
    @Test func aCallCanBeAbandonedBetweenTwoOfItsEvents() throws {
        var framing = connection(.serverStreaming)
        framing.receive(ByteBuffer([.message(1, "a"), .message(1, "b"), .end(1)]))
        #expect(try framing.nextEvent() == .text(1, "a"))
        framing.abandon(1)
        #expect(try framing.nextEvent() == nil)
        #expect(try framing.takeFrames() == [Frame(.cancel, on: 1)])
    }

    @Test func aCallThatIsOverIsNotCancelled() throws {
        var framing = connection(.serverStreaming, .unary)
        _ = try framing.events(in: ByteBuffer([.end(1), .response(3)]))
        for id in [1, 3, 5] as [StreamID] { framing.abandon(id) }
        #expect(try framing.takeFrames() == [])
    }

    @Test func anUnsentCallFreesItsSlotAndItsIDIsNotReused() throws {
        var framing = connection()
        framing.limitCalls(to: 1)
        let calls = [framing.openCall(.unary), framing.openCall(.unary)]
        #expect(calls == [.send(1), .wait])
        framing.callNotSent(1)
        #expect(try framing.takeFrames() == [], "the server knows nothing of it")
        let next = framing.openCall(.unary)
        #expect(next == .send(3))
        #expect(try framing.events(in: ByteBuffer([.goAway(last: 3)])).count == 1)
        framing.callNotSent(3)
        #expect(framing.isFinished == true)
    }
}

extension ClientFraming {
    /// Takes bytes and reads all events.
    fileprivate mutating func events(in bytes: ByteBuffer) throws(ConnectionError) -> [ClientConnectionEvent] {
        receive(bytes)
        var events: [ClientConnectionEvent] = []
        while let event = try nextEvent() { events.append(event) }
        return events
    }

    /// Takes the frames that are to be sent.
    fileprivate mutating func takeFrames() throws(ConnectionError) -> [Frame] {
        var decoder = FrameDecoder()
        var frames: [Frame] = []
        while case .frame(let frame)? = try decoder.next(from: &outbound) { frames.append(frame) }
        return frames
    }
}

extension ClientConnectionEvent {
    fileprivate static func text(_ id: StreamID, _ text: String) -> ClientConnectionEvent {
        .message(id, ByteBuffer(string: text), isLast: false)
    }

    fileprivate static func lastText(_ id: StreamID, _ text: String) -> ClientConnectionEvent {
        .message(id, ByteBuffer(string: text), isLast: true)
    }

    fileprivate static func reply(_ id: StreamID, _ text: String) -> ClientConnectionEvent {
        .answer(id, ByteBuffer(string: text))
    }
}

extension Frame {
    fileprivate static func message(_ id: StreamID, _ text: String, _ flags: FrameFlags = []) -> Frame {
        Frame(.data, on: id, flags: flags, data: ByteBuffer(string: text))
    }

    fileprivate static func response(_ id: StreamID, _ text: String = "") -> Frame {
        Frame(.response, on: id, data: ResponseEnvelope(payload: ByteBuffer(string: text)).encoded())
    }

    fileprivate static func end(_ id: StreamID) -> Frame { message(id, "", [.remoteClosed, .noData]) }

    fileprivate static func ping(_ text: String) -> Frame {
        Frame(.ping, on: .connection, data: ByteBuffer(string: text))
    }

    fileprivate static func pong(_ text: String) -> Frame {
        Frame(.pong, on: .connection, data: ByteBuffer(string: text))
    }
}

extension ByteBuffer {
    fileprivate func halves(at offset: Int) -> (ByteBuffer, ByteBuffer) {
        var rest = self
        let first = rest.readSlice(length: offset) ?? ByteBuffer()
        return (first, rest)
    }
}
