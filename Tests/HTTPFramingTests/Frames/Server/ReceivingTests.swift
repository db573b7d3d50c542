import NIOCore
import NIOHPACK
import RPCCore
import Testing

@testable import HTTPFraming

/// The frames of a well-behaved client, in any pieces.
struct ReceivingTests {
    /// A connection with each kind of frame.
    private static let transcript: [UInt8] =
        Array(Frame.preface.utf8)
        + [
            Frame.settings([(4, 70_000), (1, .max), (3, 0), (5, 16_777_215), (6, 1), (99, 1)]), .windowUpdate(1_000),
            .settingsAnswer, .headers(1),
            Frame(type: 1, flags: 0x2D, stream: 3, payload: [2, 0, 0, 0, 0, 16] + Frame.block + [0, 0]),
            .data(1, [1, 2, 3]), Frame(type: 0, flags: 8, stream: 1, payload: [3, 9, 0, 0, 0]), .ping,
            Frame(type: 6, flags: 1, payload: [0, 0, 0, 0, 0, 0, 0, 5]),
            Frame(type: 2, stream: 77, payload: [0, 0, 0, 0, 1]),
            Frame(type: 1, flags: 1, stream: 5, payload: [0x83]), .continuation(5, [0x86], end: false),
            .continuation(5, [0x84]), .headers(1, end: true, [0x40, 1, 0x61, 1, 0x62]),
            Frame(type: 99, flags: 0xFF, payload: [1]),
            .headers(7), .data(7, [], end: true), .reset(3), Frame(type: 7, payload: [0, 0, 0, 0, 0, 0, 0, 0, 1]),
            .headers(9, [0xBE] + Frame.block),
        ].flatMap(\.bytes)

    private static let events = [
        "settings", "control", "control", "request 1 3", "request 3 3 end", "data 1 3", "data 1 1", "ping", "pong 5",
        "control", "request 5 3 end", "trailers 1", "unknown", "request 7 3", "data 7 0 end", "reset 3", "control",
        "request 9 4",
    ]

    @Test func everyFrameHasItsMeaning() {
        let scene = Scene(settings: nil, maximumStreams: 9)
        scene.receive(Self.transcript)
        #expect(scene.seen() == Self.events)
        #expect(!scene.isInsideFrame)
        let settings: [(UInt16, UInt32)] = [(3, 9), (6, 16_384)]
        let pong = Frame(type: 6, flags: 1, payload: Frame.ping.payload)
        #expect(scene.sent() == [.settings(settings), .settingsAnswer, pong])
        // The padding and its length are of the window too.
        #expect(scene.inboundWindow == 65_535 - 3 - 5)
    }

    @Test func anySplitOfTheBytesGivesTheSameFrames() {
        for cut in 0...Self.transcript.count {
            let scene = Scene(settings: nil, maximumStreams: 9)
            scene.receive(Array(Self.transcript[..<cut]))
            scene.receive(Array(Self.transcript[cut...]))
            #expect(scene.seen() == Self.events, "cut at \(cut)")
        }
    }

    @Test func bytesMayArriveOneByOne() {
        let scene = Scene(settings: nil, maximumStreams: 9)
        for byte in Self.transcript { scene.receive([byte]) }
        #expect(scene.seen() == Self.events)
        #expect(scene.inputByteCount == 0)
    }

    @Test func aPartOfAFrameIsKeptInStorageOfItsOwn() {
        let scene = Scene()
        let bytes = ([Frame.headers(1)] + [Frame](repeating: .data(1, count: 1_000), count: 8)).flatMap(\.bytes)
        scene.receive(bytes.dropLast(900) + [])
        #expect(scene.isInsideFrame)
        #expect((100...256).contains(scene.inputByteCount))
        scene.receive(Array(bytes.suffix(900)))
        #expect((scene.seen().last, scene.inputByteCount) == ("data 1 1000", 0))
    }

    /// The same bytes mean the same headers only until the table changes.
    @Test func headersDependOnTheTable() {
        let scene = Scene(maximumStreams: 99)
        let added: [UInt8] = [0x40, 1, 0x61, 1, 0x62]
        let blocks: [[UInt8]] = [
            added + Frame.block, [0xBE] + Frame.block, [0xBE] + Frame.block, [0xBE, 0, 1, 0x63, 1, 0x64], [0xBE],
            [0x40, 1, 0x65, 1, 0x66], [0xBE], [0xBF], [0xBF], [0x20, 0x83], [0x83],
        ]
        for (index, block) in blocks.enumerated() { scene.receive(.headers(UInt32(2 * index + 1), block)) }
        let lists = scene.events.compactMap { if case .request(_, let list, _) = $0 { list } else { nil } }
        let (last, beforeTheChange) = (lists[6].headers, lists[4].headers)
        #expect((last.first(name: "e"), beforeTheChange.first(name: "a")) == ("f", "b"))
    }

    // MARK: The end

    /// Section 6.8: streams above the last one of a GOAWAY are ignored, and their headers still change the table.
    @Test func streamsBehindTheLastGoAwayAreIgnored() {
        let scene = Scene()
        scene.receive(.headers(1))
        scene.machine.sendGoAway(lastStream: .highest, .noError, "")
        scene.receive(.headers(3))
        scene.machine.sendGoAway(lastStream: 3, .noError, "bye")
        #expect(
            scene.sent().map(\.payload) == [
                StreamID.highest.rawValue.bytes + UInt32(0).bytes,
                UInt32(3).bytes + UInt32(0).bytes + Array("bye".utf8),
            ]
        )
        _ = scene.seen()
        scene.receive(
            .headers(5, [0x40, 1, 0x61, 1, 0x62]),
            .data(5),
            .reset(5),
            .windowUpdate(1, 5),
            .data(1),
            .headers(3, end: true, [0xBE])
        )
        #expect(scene.seen() == ["discarded", "discarded 1", "control", "control", "data 1 1", "trailers 3"])
        #expect(scene.inboundWindow == 65_533)
    }

    @Test func manyStreamsLeaveNothingBehind() {
        let scene = Scene()
        for index in 0..<20_000 {
            let stream = UInt32(2 * index + 1)
            scene.receive(.headers(stream), .data(stream, end: index % 3 != 0))
            switch index % 3 {
            case 0: scene.receive(.reset(stream))
            case 1:
                scene.sendHeaders(on: stream)
                scene.send(10, on: stream)
                scene.sendHeaders(["grpc-status": "0"], on: stream, end: true)
                #expect(scene.closed() == [StreamID(rawValue: stream)])
            default: scene.machine.reset(StreamID(rawValue: stream), .cancel)
            }
            scene.machine.openConnectionWindow(by: 1)
            if index % 3 == 1 { scene.receive(.windowUpdate(10)) }
            _ = (scene.sent(), scene.seen())
        }
        #expect(scene.openCount == 0)
        #expect((scene.unsentByteCount, scene.inboundWindow) == (0, 65_535))
        scene.receive(.headers(40_001))
        #expect(scene.seen() == ["request 40001 3"])
    }

    // MARK: Headers that only their own stream ends for

    /// Headers up to four times as large as the announced size are decoded, so that those behind them can be.
    @Test(arguments: [(3, false), (4, true), (15, true)])
    func largeHeadersEndNoConnection(_ references: Int, _ areTooLarge: Bool) {
        let scene = Scene()
        scene.receive(.headers(1, end: true, Frame.entryOf4000Bytes + [UInt8](repeating: 0xBE, count: references)))
        scene.receive(.headers(3, end: true, Frame.block + [0xBE]))
        let lists = scene.lists()
        #expect(lists.map(\.areTooLarge) == [areTooLarge, false])
        #expect(lists.last?.headers.first(name: "a")?.utf8.count == 4_000)
    }
}
