import NIOCore
import NIOHPACK
import RPCCore
import Testing

@testable import HTTPFraming

/// Answers, and the windows of their peer.
struct SendingTests {
    /// The types, flags, streams and sizes of the frames that were sent.
    private static func texts(_ frames: [Frame]) -> [String] {
        frames.map { frame in
            let kind = [0: "data", 1: "headers", 3: "reset", 9: "continuation"][frame.type] ?? "type \(frame.type)"
            let size = frame.type == 0 ? " \(frame.payload.count)" : ""
            return "\(kind) \(frame.stream)\(size)\(frame.flags & Frame.endStream != 0 ? " end" : "")"
        }
    }

    private static func begin(_ count: UInt32 = 1, settings: [(UInt16, UInt32)] = []) -> Scene {
        let scene = Scene(settings: settings)
        for index in 0..<count { scene.receive(.headers(2 * index + 1, end: true)) }
        return scene
    }

    @Test func anAnswerLeavesAtOnce() {
        let scene = Self.begin()
        scene.sendHeaders(on: 1)
        scene.send(100, on: 1)
        scene.sendHeaders(["grpc-status": "0"], on: 1, end: true)
        #expect(Self.texts(scene.sent()) == ["headers 1", "data 1 100", "headers 1 end"])
        #expect(scene.closed() == [1])
        scene.send(100, on: 1)
        scene.sendHeaders(on: 1)
        #expect(scene.sent().isEmpty, "it is over")
    }

    @Test func anAnswerMayEndWithData() {
        let scene = Self.begin(2)
        scene.send(100, on: 1, end: true)
        scene.send(0, on: 3, end: true)
        #expect(Self.texts(scene.sent()) == ["data 1 100 end", "data 3 0 end"])
    }

    @Test func longDataIsDivided() {
        let scene = Self.begin()
        scene.send(40_000, on: 1, end: true)
        #expect(Self.texts(scene.sent()) == ["data 1 16384", "data 1 16384", "data 1 7232 end"])
    }

    @Test func messagesOfATurnShareFrames() {
        let scene = Self.begin(2)
        for _ in 0..<3 {
            scene.gather(10, on: 1)
            scene.gather(20, on: 3)
        }
        #expect((scene.hasOutput, scene.unflushedByteCount) == (false, 90))
        #expect(Self.texts(scene.sent()) == ["data 1 30", "data 3 60"])
        scene.gather(10_000, on: 1)
        scene.gather(10_000, on: 1)
        #expect(scene.hasOutput, "a frame is full")
        scene.gather(1, on: 1)
        scene.sendHeaders(on: 1, end: true)
        scene.gather(1, on: 3)
        #expect(Self.texts(scene.sent()) == ["data 1 16384", "data 1 3616", "data 1 1", "headers 1 end", "data 3 1"])
        #expect(scene.unflushedByteCount == 0)
    }

    @Test func aMessageBehindDataThatWaitsIsNotAPartOfTheTurn() {
        let scene = Self.begin(settings: [(4, 10)])
        scene.send(20, on: 1)
        scene.gather(5, on: 1)
        _ = scene.sent()
        #expect((scene.unflushedByteCount, scene.unsentByteCount) == (0, 15))
        scene.receive(.windowUpdate(15, 1))
        #expect(Self.texts(scene.sent()) == ["data 1 15"])
    }

    // MARK: Windows

    @Test func dataWaitsForTheWindowOfItsStream() {
        let scene = Self.begin(2, settings: [(4, 50)])
        scene.send(120, on: 1)
        scene.sendHeaders(on: 1, end: true)
        scene.send(50, on: 3)
        #expect(Self.texts(scene.sent()) == ["data 1 50", "data 3 50"])
        #expect(
            (scene.unsentByteCount, scene.isStuck(1), scene.isStuck(3)) == (70, true, false)
        )
        #expect((scene.hasRoom(on: 1), scene.isSending(1)) == (false, true))
        scene.receive(.windowUpdate(60, 1))
        #expect(Self.texts(scene.sent()) == ["data 1 60"])
        scene.receive(.windowUpdate(60, 1))
        #expect(Self.texts(scene.sent()) == ["data 1 10", "headers 1 end"])
        #expect((scene.unsentByteCount, scene.isSending(1)) == (0, false))
    }

    /// Section 6.9.1: an end without data needs no window.
    @Test func anEmptyEndNeedsNoWindow() {
        let scene = Self.begin(settings: [(4, 10)])
        scene.send(10, on: 1)
        scene.receive(.settings([(4, 0)]))
        scene.send(0, on: 1, end: true)
        #expect(Self.texts(scene.sent()) == ["data 1 10", "type 4 0 end", "data 1 0 end"])
    }

    @Test func streamsShareTheWindowOfTheConnectionInTurn() {
        let scene = Self.begin(4, settings: [(4, 1 << 20)])
        scene.send(65_535, on: 1, end: true)
        for stream: UInt32 in [3, 5, 7] { scene.send(100, on: stream, end: true) }
        #expect(Self.texts(scene.sent()).count == 4)
        for _ in 0..<4 { scene.receive(.windowUpdate(60)) }
        #expect(
            Self.texts(scene.sent()) == [
                "data 3 60", "data 5 60", "data 7 60", "data 3 40 end", "data 5 20",
            ]
        )
        scene.receive(.windowUpdate(1_000))
        #expect(Self.texts(scene.sent()) == ["data 7 40 end", "data 5 20 end"])
    }

    /// Section 6.9.2.
    @Test func settingsMoveTheWindowsOfAllStreams() {
        let scene = Self.begin(2, settings: [(4, 100)])
        scene.send(100, on: 1)
        scene.send(150, on: 3)
        _ = scene.sent()
        scene.receive(.settings([(4, 40)]), .windowUpdate(50, 1))
        scene.send(1, on: 1)
        #expect(Self.texts(scene.sent()) == ["type 4 0 end"], "the window is less than nothing")
        scene.receive(.settings([(4, 9), (4, 60)]))
        #expect(Self.texts(scene.sent()) == ["data 1 1", "type 4 0 end"])
        scene.receive(.settings([(4, 1_000)]))
        #expect(Self.texts(scene.sent()) == ["data 3 50", "type 4 0 end"])
    }

    @Test func theDataOfAResetStreamIsForgotten() {
        let scene = Self.begin(3, settings: [(4, 10)])
        for stream: UInt32 in [1, 3, 5] { scene.send(100, on: stream) }
        _ = scene.sent()
        scene.receive(.reset(1))
        scene.machine.reset(3, .cancel)
        scene.machine.reset(3, .cancel)
        #expect(scene.sent() == [.reset(3)], "once")
        #expect(scene.unsentByteCount == 90)
        scene.receive(.windowUpdate(1 << 20), .settings([(4, 200)]))
        #expect(Self.texts(scene.sent()) == ["data 5 90", "type 4 0 end"])
    }

    @Test func stalledStreamsAreFound() {
        let scene = Self.begin(2, settings: [(4, 10)])
        for stream: UInt32 in [1, 3] { scene.send(100, on: stream) }
        #expect(scene.stalled().isEmpty)
        scene.receive(.windowUpdate(1, 3))
        #expect(scene.stalled() == [1])
    }

    @Test func windowsAreOpenedForThePeer() {
        let scene = Scene()
        scene.receive(.headers(1), .data(1, count: 1_000))
        scene.machine.openWindow(by: 500, on: 1)
        scene.machine.openWindow(by: 500, on: 99)
        scene.machine.openConnectionWindow(by: 700)
        #expect(scene.sent() == [.windowUpdate(500, 1), .windowUpdate(700)])
        #expect((scene.inboundWindow(of: 1), scene.inboundWindow) == (65_035, 65_235))
        #expect(scene.inboundWindow(of: 99) == nil)
    }

    @Test func framesOfAnswersAreCounted() {
        let scene = Self.begin()
        scene.machine.sendPing(1)
        #expect(scene.written().isEmpty)
        scene.sendHeaders(on: 1)
        scene.send(20_000, on: 1)
        let written = scene.written()
        #expect((written.headersCount, written.dataCount, written.dataByteCount) == (1, 2, 20_000))
        #expect(scene.written().isEmpty)
    }

    // MARK: Headers

    @Test func longHeadersAreDivided() throws {
        let scene = Self.begin()
        let headers: HPACKHeaders = ["x-long": String(repeating: "x", count: 40_000)]
        scene.sendHeaders(headers, on: 1, end: true)
        let frames = scene.sent()
        #expect(Self.texts(frames) == ["headers 1 end", "continuation 1", "continuation 1"])
        #expect(frames.map { $0.flags & Frame.endHeaders != 0 } == [false, false, true])
        var decoder = HPACKDecoder(
            allocator: ByteBufferAllocator(),
            maxDynamicTableSize: 4096,
            maxHeaderListSize: 1 << 20
        )
        var block = ByteBuffer(bytes: frames.flatMap(\.payload))
        #expect(try decoder.decodeHeaders(from: &block).first(name: "x-long")?.utf8.count == 40_000)
    }
}
