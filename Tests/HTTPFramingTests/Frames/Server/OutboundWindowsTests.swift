import Testing

@testable import HTTPFraming

struct OutboundWindowsTests {
    private static let size = OutboundWindows.defaultSize

    /// A state of a stream's window and of the connection's, and the decisions in it.
    struct Case: Sendable, CustomTestStringConvertible {
        var stream = size
        var connection = size
        /// The DATA of the stream.
        var written = 0
        /// The DATA of another stream, whose window has the default size.
        var other = 0
        var hasRoom: Bool
        var isStuck: Bool

        var testDescription: String { "\(stream) \(connection) \(written) \(other)" }
    }

    @Test(arguments: [
        Case(hasRoom: true, isStuck: false), Case(written: size - 1, hasRoom: true, isStuck: false),
        Case(written: size, hasRoom: false, isStuck: false), Case(written: size + 1, hasRoom: false, isStuck: true),
        Case(stream: 0, hasRoom: false, isStuck: false), Case(stream: -5, hasRoom: false, isStuck: false),
        Case(stream: 0, written: 1, hasRoom: false, isStuck: true),
        Case(stream: -5, written: 1, hasRoom: false, isStuck: true),
        Case(connection: 0, hasRoom: false, isStuck: false),
        Case(connection: 0, written: 1, hasRoom: false, isStuck: true),
        Case(connection: 10, written: 9, hasRoom: true, isStuck: false),
        Case(connection: 10, written: 10, hasRoom: false, isStuck: false),
        Case(connection: 10, written: 5, other: 4, hasRoom: true, isStuck: false),
        Case(connection: 10, written: 5, other: 6, hasRoom: false, isStuck: true),
        Case(connection: 10, other: 20, hasRoom: false, isStuck: false),
        // Only what the other stream's own window admits competes for the connection's.
        Case(stream: 1 << 20, connection: size + 1, other: 1 << 30, hasRoom: true, isStuck: false),
        Case(stream: 1 << 20, connection: size, other: 1 << 30, hasRoom: false, isStuck: false),
    ])
    func aStreamIsHeldBackByItsOwnWindowOrByTheConnections(_ wanted: Case) {
        var windows = OutboundWindows()
        var (stream, other) = (windows.newStream(), windows.newStream())
        let streamIsValid = windows.widened(by: wanted.stream - Self.size, &stream)
        let connectionIsValid = windows.connectionWidened(by: wanted.connection - Self.size)
        #expect(streamIsValid && connectionIsValid)
        windows.written(wanted.written, on: &stream)
        windows.written(wanted.other, on: &other)
        #expect((windows.hasRoom(for: stream), windows.isStuck(stream)) == (wanted.hasRoom, wanted.isStuck))
        #expect(windows.unsentByteCount == wanted.written + wanted.other)
    }

    @Test func sentDataTakesTheWindows() {
        var windows = OutboundWindows()
        var stream = windows.newStream()
        windows.written(100_000, on: &stream)
        for _ in 0..<6 {
            #expect(windows.sendableByteCount(of: stream) >= 10_000)
            windows.sent(10_000, on: &stream)
            #expect(windows.isStuck(stream))
        }
        #expect(windows.sendableByteCount(of: stream) == 5_535)
        let isStreamValid = windows.widened(by: 34_465, &stream)
        #expect(isStreamValid && windows.isStuck(stream), "the window of the connection is too small")
        let isConnectionValid = windows.connectionWidened(by: 34_465)
        #expect(isConnectionValid && !windows.isStuck(stream))
        #expect(!windows.hasRoom(for: stream))
        windows.sent(40_000, on: &stream)
        #expect((windows.unsentByteCount, windows.sendableByteCount(of: stream)) == (0, 0))
    }

    /// DATA that is sent at once overtakes nothing that waits.
    @Test func theWindowsAreTakenAtOnceOnlyIfNothingWaits() {
        var windows = OutboundWindows()
        var (first, second) = (windows.newStream(), windows.newStream())
        var results = [windows.takeAtOnce(65_000, on: &first), windows.takeAtOnce(536, on: &second)]
        #expect(results == [true, false], "the window of the connection is used up")
        windows.written(500, on: &first)
        results = [windows.takeAtOnce(1, on: &first), windows.takeAtOnce(36, on: &second)]
        #expect(results == [false, false])
        results = [windows.takeAtOnce(0, on: &first), windows.takeAtOnce(0, on: &second)]
        #expect(results == [false, true])
        let isTaken = windows.takeAtOnce(35, on: &second)
        #expect(isTaken)
    }

    @Test func aWindowHasAMaximum() {
        var windows = OutboundWindows()
        var stream = windows.newStream()
        let most = OutboundWindows.maximumSize - Self.size
        let valid = [windows.widened(by: most, &stream), windows.connectionWidened(by: most)]
        let over = [windows.widened(by: 1, &stream), windows.connectionWidened(by: 1)]
        #expect((valid, over) == ([true, true], [false, false]))
    }

    /// Settings change the windows of open streams, also to less than nothing.
    @Test func settingsMoveTheWindowsOfAllStreams() {
        var windows = OutboundWindows()
        var stream = windows.newStream()
        windows.written(10, on: &stream)
        let less = windows.initialWindowChanged(to: 5)
        _ = windows.widened(by: less, &stream)
        #expect(windows.isStuck(stream))
        let fresh = windows.newStream()
        #expect(windows.hasRoom(for: fresh))
        let more = windows.initialWindowChanged(to: 11)
        _ = windows.widened(by: more, &stream)
        #expect(windows.hasRoom(for: stream))
    }

    @Test func theDataOfAClosedStreamIsForgotten() {
        var windows = OutboundWindows()
        var (closed, other) = (windows.newStream(), windows.newStream())
        windows.written(1 << 20, on: &closed)
        windows.written(1, on: &other)
        #expect(windows.isStuck(other))
        windows.closed(closed)
        #expect(windows.unsentByteCount == 1)
        #expect(windows.hasRoom(for: other))
    }

    @Test func aStreamIsStalledIfNoByteIsSentBetweenTwoChecks() {
        var windows = OutboundWindows()
        var stream = windows.newStream()
        func check() -> Bool { stream.isStalled() }
        #expect([check(), check()] == [false, false], "nothing waits")
        windows.written(10, on: &stream)
        #expect(!check())
        windows.sent(1, on: &stream)
        #expect(!check())
        windows.written(10, on: &stream)
        #expect(check(), "more was written, and nothing sent")
        windows.sent(19, on: &stream)
        #expect([check(), check()] == [false, false])
    }
}
