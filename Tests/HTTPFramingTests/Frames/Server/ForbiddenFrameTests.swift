import RPCCore
import Testing

@testable import HTTPFraming

/// Each rule of RFC 9113, sections 4 to 6 and 8, whose breach ends a connection or a stream.
struct ForbiddenFrameTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var section: String
        var what: String
        var frames: [Frame]
        var code: HTTP2FaultCode

        init(_ section: String, _ what: String, _ code: HTTP2FaultCode, _ frames: Frame...) {
            self.section = section
            self.what = what
            self.frames = frames
            self.code = code
        }

        var testDescription: String { "\(section) \(what)" }
    }

    // MARK: Connections

    static let connectionCases: [Case] = [
        Case("4.2", "a long frame", .frameSizeError, Frame(type: 99, payload: [UInt8](repeating: 0, count: 16_385))),
        Case("4.2", "long DATA", .frameSizeError, .headers(1), .data(1, count: 16_385)),
        Case("4.3", "HPACK: index 0", .compressionError, .headers(1, [0x80])),
        Case("4.3", "HPACK: unknown index", .compressionError, .headers(1, [0xBE])),
        Case("4.3", "HPACK: a cut text", .compressionError, .headers(1, [0x00, 0x05, 0x61])),
        Case("4.3", "HPACK: a table over the limit", .compressionError, .headers(1, [0x3F, 0xE2, 0x1F])),
        Case("4.3", "trailers that are not HPACK", .compressionError, .headers(1), .headers(1, end: true, [0x80])),
        Case("5.1", "DATA when idle", .protocolError, .data(1)),
        Case("5.1", "RST_STREAM when idle", .protocolError, .reset(1)),
        Case("5.1", "WINDOW_UPDATE when idle", .protocolError, .windowUpdate(1, 1)),
        Case("5.1", "RST_STREAM of a stream of this side", .protocolError, .headers(9), .reset(2)),
        Case("5.1", "DATA when reset by the peer", .streamClosed, .headers(1), .reset(1), .data(1)),
        Case("5.1", "HEADERS when reset by the peer", .streamClosed, .headers(1), .reset(1), .headers(1, end: true)),
        Case("5.1.1", "an even stream", .protocolError, .headers(2)),
        Case("5.1.1", "a stream below an earlier one", .protocolError, .headers(5), .headers(3)),
        Case("6.1", "DATA of no stream", .protocolError, .data(0)),
        Case(
            "6.1",
            "more padding than DATA",
            .protocolError,
            .headers(1),
            .init(type: 0, flags: 8, stream: 1, payload: [1])
        ),
        Case("6.1", "padded DATA without a length", .frameSizeError, .headers(1), .init(type: 0, flags: 8, stream: 1)),
        Case("6.2", "HEADERS of no stream", .protocolError, .headers(0)),
        Case(
            "6.2",
            "more padding than HEADERS",
            .protocolError,
            .init(type: 1, flags: 12, stream: 1, payload: [9, 0x83])
        ),
        Case(
            "6.2",
            "HEADERS that end in their priority",
            .frameSizeError,
            .init(type: 1, flags: 0x24, stream: 1, payload: [0, 0, 0, 0])
        ),
        Case(
            "6.2",
            "padding that reaches into the priority",
            .frameSizeError,
            .init(type: 1, flags: 0x2C, stream: 1, payload: [2, 0, 0, 0, 0, 0])
        ),
        Case("6.3", "PRIORITY of no stream", .protocolError, .init(type: 2, payload: [0, 0, 0, 0, 16])),
        Case("6.3", "PRIORITY of 4 bytes", .frameSizeError, .init(type: 2, stream: 1, payload: [0, 0, 0, 0])),
        Case("6.4", "RST_STREAM of no stream", .protocolError, .reset(0)),
        Case(
            "6.4",
            "RST_STREAM of 3 bytes",
            .frameSizeError,
            .headers(1),
            .init(type: 3, stream: 1, payload: [0, 0, 0])
        ),
        Case("6.5", "SETTINGS of a stream", .protocolError, .init(type: 4, stream: 1)),
        Case(
            "6.5",
            "an acknowledgement with a payload",
            .frameSizeError,
            .init(type: 4, flags: 1, payload: [0, 1, 0, 0, 0, 0])
        ),
        Case("6.5", "SETTINGS of 5 bytes", .frameSizeError, .init(type: 4, payload: [0, 1, 0, 0, 0])),
        Case("6.5.2", "ENABLE_PUSH of 2", .protocolError, .settings([(2, 2)])),
        Case("6.5.2", "INITIAL_WINDOW_SIZE of 2^31", .flowControlError, .settings([(4, 1 << 31)])),
        Case("6.5.2", "MAX_FRAME_SIZE of 16383", .protocolError, .settings([(5, 16_383)])),
        Case("6.5.2", "MAX_FRAME_SIZE of 2^24", .protocolError, .settings([(5, 1 << 24)])),
        Case("6.5.3", "two acknowledgements", .protocolError, .settingsAnswer, .settingsAnswer),
        Case(
            "6.6",
            "PUSH_PROMISE",
            .protocolError,
            .headers(1),
            .init(type: 5, flags: 4, stream: 1, payload: [0, 0, 0, 2])
        ),
        Case("6.7", "PING of a stream", .protocolError, .init(type: 6, stream: 1, payload: Frame.ping.payload)),
        Case("6.7", "PING of 7 bytes", .frameSizeError, .init(type: 6, payload: [1, 2, 3, 4, 5, 6, 7])),
        Case("6.8", "GOAWAY of a stream", .protocolError, .init(type: 7, stream: 1, payload: Frame.ping.payload)),
        Case("6.8", "GOAWAY of 7 bytes", .frameSizeError, .init(type: 7, payload: [0, 0, 0, 0, 0, 0, 0])),
        Case("6.9", "WINDOW_UPDATE of 0", .protocolError, .windowUpdate(0)),
        Case("6.9", "WINDOW_UPDATE of 0 with the reserved bit", .protocolError, .windowUpdate(1 << 31)),
        Case("6.9", "WINDOW_UPDATE of 3 bytes", .frameSizeError, .init(type: 8, payload: [0, 0, 1])),
        Case("6.9.1", "a window of 2^31", .flowControlError, .windowUpdate(0x7FFF_0001)),
        Case(
            "6.9.1",
            "DATA over the window of the connection",
            .flowControlError,
            .headers(1),
            .headers(3),
            .data(1, count: 16_384),
            .data(1, count: 16_384),
            .data(3, count: 16_384),
            .data(3, count: 16_384)
        ),
        Case(
            "6.9.2",
            "settings that make a window too large",
            .flowControlError,
            .headers(1),
            .windowUpdate(0x7FFF_0000, 1),
            .settings([(4, 65_536)])
        ),
        Case("6.10", "CONTINUATION without HEADERS", .protocolError, .continuation(1)),
        Case("6.10", "CONTINUATION behind whole HEADERS", .protocolError, .headers(1), .continuation(1)),
        Case("6.10", "CONTINUATION of another stream", .protocolError, .init(type: 1, stream: 1), .continuation(3)),
        Case("6.10", "another frame inside headers", .protocolError, .init(type: 1, stream: 1), .ping),
        Case("6.10", "DATA inside headers", .protocolError, .init(type: 1, stream: 1), .data(1)),
        Case("6.10", "an unknown frame inside headers", .protocolError, .init(type: 1, stream: 1), .init(type: 99)),
        Case("10.5", "two DATA frames without data", .enhanceYourCalm, .headers(1), .data(1, []), .data(1, [])),
        Case(
            "10.5",
            "DATA of padding alone",
            .enhanceYourCalm,
            .headers(1),
            .init(type: 0, flags: 8, stream: 1, payload: [1, 0]),
            .init(type: 0, flags: 8, stream: 1, payload: [1, 0])
        ),
        Case(
            "10.5",
            "many CONTINUATION frames",
            .enhanceYourCalm,
            .init(type: 1, stream: 1, payload: Frame.block),
            .continuation(1, end: false),
            .continuation(1, end: false),
            .continuation(1, end: false),
            .continuation(1, end: false),
            .continuation(1, end: false),
            .continuation(1)
        ),
        Case(
            "10.5.1",
            "headers over four times the announced size",
            .compressionError,
            .headers(1, Frame.entryOf4000Bytes + [UInt8](repeating: 0xBE, count: 16))
        ),
        Case("8.2.1", "an empty name", .compressionError, .headers(1, Frame.block + [0x00, 0, 2, 0x68, 0x69])),
        Case("8.2.1", "an empty name in the table", .compressionError, .headers(1, [0x40, 0, 0])),
        Case(
            "10.5.1",
            "a block of three frames",
            .compressionError,
            .init(type: 1, stream: 1, payload: [UInt8](repeating: 0x83, count: 16_384)),
            .continuation(1, [UInt8](repeating: 0x83, count: 16_384), end: false),
            .continuation(1, [0x83])
        ),
    ]

    @Test(arguments: connectionCases)
    func aFaultOfTheConnectionEndsIt(_ wanted: Case) {
        let scene = Scene()
        scene.receive(wanted.frames)
        #expect(scene.fault?.code == wanted.code)
        #expect(scene.fault?.event == (wanted.code == .enhanceYourCalm ? .tooManyControlFrames : .protocolError))
        let count = scene.events.count
        scene.receive(.ping, .headers(99))
        #expect(scene.events.count == count, "nothing more is read")
    }

    @Test(arguments: ["GET / HTTP/1.1\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\r", "X"])
    func otherFirstBytesAreNotHTTP2(_ text: String) {
        let scene = Scene(settings: nil)
        scene.receive(Array(text.utf8))
        #expect(scene.fault?.event == .foreignUnknown)
    }

    @Test(arguments: [Frame.ping, .headers(1), .settingsAnswer, .windowUpdate(1), .init(type: 99)])
    func theFirstFrameIsSettings(_ frame: Frame) {
        let scene = Scene(settings: nil)
        scene.receive(Array(Frame.preface.utf8))
        scene.receive(frame)
        #expect(scene.fault?.code == .protocolError)
    }

    // MARK: Streams

    static let streamCases: [Case] = [
        Case("5.1", "DATA behind the end", .streamClosed, .headers(1, end: true), .data(1)),
        Case("5.1", "HEADERS behind the end", .streamClosed, .headers(1, end: true), .headers(1, end: true)),
        Case("8.1", "headers inside the body", .protocolError, .headers(1), .data(1), .headers(1)),
        Case("6.9", "WINDOW_UPDATE of 0", .protocolError, .headers(1), .windowUpdate(0, 1)),
        Case("6.9.1", "a window of 2^31", .flowControlError, .headers(1), .windowUpdate(0x7FFF_0001, 1)),
    ]

    @Test(arguments: streamCases)
    func aFaultOfAStreamResetsIt(_ wanted: Case) {
        let scene = Scene()
        scene.receive(wanted.frames)
        #expect(scene.seen().last == "fault 1")
        #expect(scene.sent() == [.reset(1, wanted.code.rawValue)])
        // Frames that the peer sent before it read the reset have no effect, but the table of headers stays current.
        scene.receive(.data(1), .headers(1, end: true), .windowUpdate(0, 1), .reset(1), .headers(3, end: true))
        #expect(scene.seen() == ["discarded 1", "discarded", "control", "control", "request 3 3 end"])
        #expect(scene.sent().isEmpty)
    }

    @Test func dataOverTheWindowOfAStreamResetsIt() {
        let scene = Scene()
        scene.receive(.headers(1))
        for _ in 0..<3 { scene.receive(.data(1, count: 16_384)) }
        scene.machine.openConnectionWindow(by: 60_000)
        _ = scene.sent()
        scene.receive(.data(1, count: 16_384))
        #expect(scene.seen().last == "fault 1")
        #expect(scene.sent() == [.reset(1, 3)])
    }

    /// A peer that has not read the limit may have begun more.
    @Test func aStreamAboveTheLimitIsRefused() {
        let scene = Scene(maximumStreams: 2)
        scene.receive(.headers(1), .headers(3), .headers(5), .data(5), .headers(7, end: true))
        #expect(scene.seen() == ["request 1 3", "request 3 3", "refused 5", "discarded 1", "refused 7"])
        #expect(scene.sent() == [.reset(5, 7), .reset(7, 7)])
        scene.receive(.reset(1), .headers(9))
        #expect(scene.seen() == ["reset 1", "request 9 3"])
    }

    /// Late frames on one that was reset long ago are no accident.
    @Test func resetStreamsAreRememberedUpToABound() {
        let scene = Scene(maximumStreams: 2)
        for stream: UInt32 in [1, 3, 5, 7, 9] { scene.receive(.headers(stream, end: true), .data(stream)) }
        scene.receive(.data(3))
        #expect(scene.seen().last == "discarded 1")
        scene.receive(.data(1))
        #expect(scene.fault?.code == .streamClosed)
    }

    @Test func framesOfAStreamThatBothSidesHaveEndedEndTheConnection() {
        for frame in [Frame.data(1), .headers(1, end: true)] {
            let scene = Scene()
            scene.receive(.headers(1, end: true))
            scene.sendHeaders(on: 1, end: true)
            scene.receive(.windowUpdate(1, 1), .windowUpdate(0, 1), .reset(1))
            #expect(
                scene.seen() == ["request 1 3 end", "control", "control", "control"],
                "these may have crossed the end"
            )
            scene.receive(frame)
            #expect(scene.fault?.code == .streamClosed)
        }
    }
}
