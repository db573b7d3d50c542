import NIOCore
import NIOHPACK
import RPCCore
import Testing

@testable import HTTPCalls

/// The client's side of a connection, without a connection.
struct GRPCClientStateMachineTests {
    private func machine(_ kinds: RPCCore.Method.Kind..., maximum: Int = 100) -> GRPCClientStateMachine {
        var machine = GRPCClientStateMachine(
            GRPCClientLimits(streamWindow: 65_535, maximumMessageByteCount: maximum)
        )
        for kind in kinds { _ = machine.openCall(kind) }
        return machine
    }

    // MARK: Calls

    @Test func callsHaveOddIDsAndThoseOverTheLimitWait() {
        var machine = machine()
        let openings = (0..<101).map { _ in machine.openCall(.unary) }
        #expect(openings == (0..<100).map { .send(StreamID(rawValue: $0 * 2 + 1)) } + [.wait])
        let wereOpen = [machine.callAbandoned(7), machine.callAbandoned(7)]
        #expect(wereOpen == [true, false])
        let next = machine.openCall(.unary)
        #expect(next == .send(201))
    }

    @Test(arguments: [(nil, 300), (0, 0), (2, 2), (150, 150)] as [(Int?, Int)])
    func theServersSettingsLimitTheOpenCalls(_ maximum: Int?, _ count: Int) {
        var machine = machine()
        let limit = machine.settingsReceived(maximumStreams: maximum)
        #expect(limit == UInt32(maximum ?? 0))
        for _ in 0..<count { _ = machine.openCall(.serverStreaming) }
        let opening = machine.openCall(.unary)
        #expect((opening == .wait) == (maximum != nil))
        let changes = [nil, count + 5].map { machine.settingsReceived(maximumStreams: $0) }
        #expect(changes == [nil, nil], "only the first settings say that the server is there")
        let later = machine.openCall(.unary)
        #expect(later != .wait)
    }

    @Test func aLoadTestDoesNotHeedTheLimit() {
        var limits = GRPCClientLimits(streamWindow: GRPCClientLimits.maximumWindow, maximumMessageByteCount: 100)
        limits.heedsStreamLimit = false
        var machine = GRPCClientStateMachine(limits)
        _ = machine.settingsReceived(maximumStreams: 1)
        let openings = (0..<200).map { _ in machine.openCall(.unary) }
        #expect(!openings.contains(.wait))
    }

    @Test func aConnectionWhoseIDsRunOutTakesNoMoreCalls() {
        var machine = GRPCClientStateMachine(
            GRPCClientLimits(streamWindow: 65_535, maximumMessageByteCount: 100),
            firstStreamID: 0x6000_0001
        )
        let openings = [machine.openCall(.unary), machine.openCall(.unary)]
        #expect(openings == [.send(0x6000_0001), .refuse])
        #expect(!machine.isFinished)
        _ = machine.callAbandoned(0x6000_0001)
        #expect(machine.isFinished)
    }

    // MARK: Answers

    /// A frame of stream 1.
    enum Frame: Sendable {
        case head([String: String] = [:])
        case data([UInt8])
        case lastData([UInt8])
        case trailers([String: String])
        /// The only headers, with the last frame.
        case only([String: String])
        case reset(Int)
    }

    private func play(_ frames: [Frame], on machine: inout GRPCClientStateMachine) -> [GRPCClientStateMachine.OnFrame] {
        var actions: [GRPCClientStateMachine.OnFrame] = []
        for frame in frames {
            switch frame {
            case .head(let changes):
                actions.append(machine.headersReceived(Self.head(changes), on: 1, isEnd: false))
            case .only(let changes):
                actions.append(machine.headersReceived(Self.head(changes), on: 1, isEnd: true))
            case .trailers(let fields):
                actions.append(machine.headersReceived(HPACKHeaders(fields.map { ($0, $1) }), on: 1, isEnd: true))
            case .data(let bytes), .lastData(let bytes):
                machine.dataReceived(ByteBuffer(bytes: bytes), paddingByteCount: 0, on: 1)
                while true {
                    let action = machine.nextMessage(on: 1)
                    actions.append(action)
                    if action == .ignore { break }
                }
                if case .lastData = frame { actions.append(machine.dataEnded(on: 1)) }
            case .reset(let code):
                actions.append(machine.streamReset(code, on: 1))
            }
        }
        return actions.filter { $0 != .ignore }
    }

    private static func head(_ changes: [String: String]) -> HPACKHeaders {
        var headers: HPACKHeaders = [":status": "200", "content-type": "application/grpc"]
        for (name, value) in changes { headers.replaceOrAdd(name: name, value: value) }
        return headers
    }

    private static func message(_ text: String, flag: UInt8 = 0) -> [UInt8] {
        [flag, 0, 0, 0, UInt8(text.utf8.count)] + text.utf8
    }

    private static let success = Frame.trailers(["grpc-status": "0"])
    private static let a = message("a")

    private static let unary: [([Frame], String)] = [
        ([.head(), .data(a), success], "answer a"),
        ([.head(), .data(Array(a.prefix(3))), .data(Array(a.dropFirst(3))), success], "answer a"),
        ([.head(), .data(message("")), success], "answer "),
        ([.head([":status": "103"]), .head(), .data(a), success], "answer a"),
        ([.head(), .data(a), success, .reset(0)], "answer a"),
        ([.head(), success], "internal: the server ended the call without an answer"),
        ([.only(["grpc-status": "0"])], "internal: the server ended the call without an answer"),
        ([.head(), .data(a + a), success], "internal, running: the server streamed the answer of a unary call"),
        ([.head(), .data(a), .data(a)], "internal, running: the server streamed the answer of a unary call"),
        ([.head(), .data(Array(a.dropLast())), success], "internal: the server's last message is not complete"),
        ([.head(), .data(a + [0]), success], "internal: the server's last message is not complete"),
        (
            [.head(), .data([0, 0, 0, 0, 101])],
            "resourceExhausted, running: the server's message has more than 100 bytes"
        ),
        (
            [.head(), .data(message("a", flag: 1)), success],
            "internal, running: a message is compressed, and the call names no encoding"
        ),
        ([.head(), .data(a), .trailers(["grpc-status": "5", "grpc-message": "no %25"])], "notFound: no %"),
        ([.only(["grpc-status": "14", "grpc-message": "later"])], "unavailable: later"),
        ([.only([":status": "503", "grpc-status": "8", "grpc-message": "full"])], "resourceExhausted: full"),
        ([.head(), .lastData(a)], "unknown: the answer has no status"),
        ([.head(), .data(a), .trailers([:])], "unknown: the answer has no status"),
        ([.head(), .data(a), .trailers(["grpc-status": "soon"])], "unknown: "),
        ([.head(), .data(a), .trailers(["grpc-status": "99"])], "unknown: "),
        (
            [.head(["content-type": "text/html"]), .data(a)],
            "unknown, running: the answer's content type is 'text/html', not that of gRPC"
        ),
        ([.reset(7)], "refused"),
        ([.head(), .data(a), .reset(8)], "cancelled: the server ended the call with the HTTP/2 error code 8"),
        ([.reset(11)], "resourceExhausted: the server ended the call with the HTTP/2 error code 11"),
        ([.reset(12)], "permissionDenied: the server ended the call with the HTTP/2 error code 12"),
        ([.reset(0)], "internal: the server ended the call with the HTTP/2 error code 0"),
        ([.reset(1)], "internal: the server ended the call with the HTTP/2 error code 1"),
    ]

    @Test(arguments: unary)
    func aUnaryCallHasOneAnswer(_ frames: [Frame], _ expected: String) {
        var machine = machine(.unary)
        let actions = play(frames, on: &machine)
        #expect(actions.map(Self.text) == [expected])
        let wasOpen = machine.callAbandoned(1)
        #expect(!wasOpen, "it is over")
    }

    private static let streams: [([Frame], [String])] = [
        ([.head(), .data(a), .data(message("b")), success], ["a", "b", "end"]),
        ([.head(), .data(a + message("") + a), success], ["a", "", "a", "end"]),
        ([.head(), success], ["end"]),
        ([.only(["grpc-status": "0"])], ["end"]),
        ([.head(), .data(a), .trailers(["grpc-status": "1", "grpc-message": "x"])], ["a", "cancelled: x"]),
        ([.head(), .data(a + [0, 0]), success], ["a", "internal: the server's last message is not complete"]),
        ([.head(), .data(a), .reset(7)], ["a", "refused"]),
        (
            [.head(), .data(a + [9, 0, 0, 0, 0]), .data(a), success],
            ["a", "internal, running: a message begins with the flags 9, which are not 0 or 1"]
        ),
        ([.head(), .lastData(a)], ["a", "unknown: the answer has no status"]),
    ]

    @Test(arguments: streams)
    func aStreamHasItsMessagesAndOneEnd(_ frames: [Frame], _ expected: [String]) {
        var machine = machine(.serverStreaming)
        let actions = play(frames, on: &machine)
        #expect(actions.map(Self.text) == expected)
        let late = play([.data(Self.a), Self.success, .reset(2)], on: &machine)
        #expect(late.isEmpty)
    }

    private static func text(_ action: GRPCClientStateMachine.OnFrame) -> String {
        switch action {
        case .answer(let bytes): "answer \(String(buffer: bytes))"
        case .deliver(let bytes): String(buffer: bytes)
        case .end: "end"
        case .refused: "refused"
        case .ignore: "ignore"
        case .fail(let error, let isRunning):
            "\(error.code == .internalError ? "internal" : "\(error.code)")\(isRunning ? ", running" : ""): \(error.message)"
        }
    }

    @Test(arguments: [
        ("400", StatusCode.internalError), ("401", .unauthenticated), ("403", .permissionDenied),
        ("404", .unimplemented),
        ("429", .unavailable), ("502", .unavailable), ("503", .unavailable), ("504", .unavailable), ("500", .unknown),
        ("301", .unknown), ("", .unknown),
    ])
    func anHTTPStatusIsAStatus(_ status: String, _ code: StatusCode) {
        for frame in [Frame.head([":status": status]), .only([":status": status])] {
            var machine = machine(.unary)
            guard case .fail(let error, let isRunning)? = play([frame], on: &machine).first else {
                Issue.record("no failure")
                return
            }
            #expect((error.code, error.origin) == (code, .peer))
            if case .head = frame { #expect(isRunning) } else { #expect(!isRunning) }
        }
    }

    /// The messages of an answer are the same, however its bytes are cut.
    @Test(arguments: 1...14)
    func messagesAreCutFromFramesOfAnySize(_ size: Int) {
        var machine = machine(.serverStreaming)
        let bytes = Self.message("one") + Self.message("") + Self.message("three")
        var frames = [Frame.head()]
        for start in stride(from: 0, to: bytes.count, by: size) {
            frames.append(.data(Array(bytes[start..<min(start + size, bytes.count)])))
        }
        let actions = play(frames + [Self.success], on: &machine)
        #expect(actions.map(Self.text) == ["one", "", "three", "end"])
    }

    /// What the server's side writes is what this side reads.
    @Test(arguments: StatusCode.allCases.filter { $0 != .ok })
    func anErrorArrivesWithItsDetails(_ code: StatusCode) {
        let sent = RPCError(
            code,
            reason: .queryTooShort,
            "50 % of \"é\"\n",
            metadata: ["a": "b"],
            details: [.retryInfo(.milliseconds(1_500)), .quotaFailure([])]
        )
        var expected = sent
        expected.origin = .peer
        var machine = machine(.unary, .serverStreaming)
        let only = machine.headersReceived(GRPCResponseHeaders.trailersOnly(sent), on: 1, isEnd: true)
        _ = machine.headersReceived(GRPCResponseHeaders.head, on: 3, isEnd: false)
        let end = machine.headersReceived(GRPCResponseHeaders.trailers(sent), on: 3, isEnd: true)
        #expect([only, end] == Array(repeating: .fail(expected, isRunning: false), count: 2))
    }

    @Test(arguments: ["", "!", "AAAA", "CAUSAnh4", "CAMSAng"])
    func detailsThatAreNotThoseOfTheErrorAreLeftOut(_ text: String) {
        var machine = machine(.unary)
        let headers = Self.head(["grpc-status": "3", "grpc-message": "no", "grpc-status-details-bin": text])
        let end = machine.headersReceived(headers, on: 1, isEnd: true)
        #expect(end == .fail(RPCError(.invalidArgument, "no", origin: .peer), isRunning: false))
    }

    // MARK: The end of the connection

    @Test(
        arguments: [(0, [1, 3, 5]), (1, [3, 5]), (4, [5]), (5, []), (0x7FFF_FFFF, [])] as [(UInt32, [StreamID])]
    )
    func goAwayTakesBackTheCallsThatWereNotStarted(_ last: UInt32, _ dropped: [StreamID]) {
        var machine = machine(.unary, .serverStreaming, .unary)
        let found = machine.goAwayReceived(lastStreamID: StreamID(rawValue: last))
        #expect(found == dropped)
        let opening = machine.openCall(.unary)
        #expect(opening == .refuse)
        #expect(machine.isFinished == (dropped.count == 3))
        for id in [1, 3, 5] as [StreamID] where !dropped.contains(id) {
            let end = machine.headersReceived(Self.head(["grpc-status": "5"]), on: id, isEnd: true)
            #expect(end != .ignore)
        }
        #expect(machine.isFinished)
    }

    /// A server that drains first forbids no call, and then names the last one.
    @Test func aSecondGoAwayTakesBackMore() {
        var machine = machine(.unary, .unary)
        let dropped = [0x7FFF_FFFF, 1, 0].map { machine.goAwayReceived(lastStreamID: StreamID(rawValue: $0)) }
        #expect(dropped == [[], [3], [1]])
        #expect(machine.isFinished)
    }

    @Test func aClosedConnectionAnswersNothing() {
        var machine = machine(.unary)
        machine.connectionClosed()
        let actions = play([.head(), .data(Self.a), Self.success, .reset(7)], on: &machine)
        #expect(actions.isEmpty)
        let opening = machine.openCall(.unary)
        #expect(opening == .refuse)
        let dropped = machine.goAwayReceived(lastStreamID: 0)
        #expect(dropped == [])
        #expect(machine.isFinished)
    }
}
