import Framing
import NIOCore
import RPCCore
import Testing

/// A table of events with their times in seconds. Frames have 10 s, a peer that does not read has 16 s. Each 10 bytes that
/// it acknowledges are worth a second; it may have 128 s at most, and 16 s when memory is short.
@Suite struct ConnectionWatchdogTests {
    enum Event: Sendable {
        case frameBegan(Int64)
        case frameEnded
        /// So much was acknowledged by then, since the connection was opened.
        case unwritable(Int64, acknowledged: Int = 0, isRead: Bool = false)
        case writable
        /// Nothing is wrong at this time.
        case fine(Int64, acknowledged: Int = 0, isMemoryShort: Bool = false)
        case frameLate(Int64)
        case notReading(Int64, acknowledged: Int = 0, isMemoryShort: Bool = false)
        /// The expected time of the next check.
        case nextCheck(Int64?)
    }

    struct Story: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The start of the wait for the first frame.
        var opened: Int64?
        let events: [Event]
    }

    static let stories: [Story] = [
        Story(
            testDescription: "a silent peer has the time of a frame",
            opened: 100,
            events: [
                .nextCheck(110), .fine(109), .frameLate(110), .frameLate(200),
            ]
        ),
        Story(
            testDescription: "on a unix socket a peer may be silent for ever",
            events: [
                .nextCheck(nil), .fine(1_000_000),
            ]
        ),
        Story(
            testDescription: "the first bytes do not buy the first frame more time",
            opened: 100,
            events: [
                .frameBegan(105), .nextCheck(110), .frameLate(110),
            ]
        ),
        Story(
            testDescription: "after its first frame a peer may be silent",
            opened: 100,
            events: [
                .frameEnded, .nextCheck(nil), .fine(1_000),
            ]
        ),
        Story(
            testDescription: "each frame has its time, whatever drips in",
            events: [
                .frameBegan(1), .frameBegan(2), .frameBegan(10), .nextCheck(11), .fine(10), .frameLate(11),
            ]
        ),
        Story(
            testDescription: "a frame that ended in time is forgotten, the next has its own time",
            events: [
                .frameBegan(1), .frameEnded, .frameBegan(9), .nextCheck(19), .fine(18), .frameLate(19),
            ]
        ),
        Story(
            testDescription: "a peer that reads nothing is found",
            events: [.unwritable(0), .nextCheck(2), .fine(15), .nextCheck(16), .notReading(16)]
        ),
        Story(
            testDescription: "it is looked at often, but has all of its time",
            events: [.unwritable(0), .fine(2), .nextCheck(4), .fine(4), .nextCheck(6), .fine(1), .nextCheck(6)]
        ),
        Story(
            testDescription: "a byte now and then is not enough",
            events: [
                .unwritable(0), .fine(5, acknowledged: 1), .fine(10, acknowledged: 2), .fine(15, acknowledged: 3),
                .fine(16, acknowledged: 9), .notReading(17, acknowledged: 9),
            ]
        ),
        Story(
            testDescription: "whoever reads at the minimum rate may go on for ever",
            events: [.unwritable(0)] + (1...100).map { .fine($0 * 15, acknowledged: Int($0) * 150) }
        ),
        Story(
            testDescription: "whoever reads more slowly is found",
            events: [.unwritable(0)] + (1...15).map { .fine($0 * 10, acknowledged: Int($0) * 90) }
                + [.fine(155, acknowledged: 1_400), .notReading(157, acknowledged: 1_400)]
        ),
        Story(
            testDescription: "a lump pays for the time until the next",
            events: [
                .unwritable(0), .fine(2, acknowledged: 500), .fine(64, acknowledged: 500),
                .fine(65, acknowledged: 1_000), .fine(114, acknowledged: 1_000), .notReading(116, acknowledged: 1_000),
            ]
        ),
        Story(
            testDescription: "also if some of it comes a little later",
            events: [
                .unwritable(0), .fine(14, acknowledged: 500), .fine(16, acknowledged: 510),
                .fine(66, acknowledged: 510),
                .notReading(67, acknowledged: 510),
            ]
        ),
        Story(
            testDescription: "or makes room, so that more can be sent",
            events: [
                .unwritable(0), .writable, .unwritable(12, acknowledged: 300), .writable,
                .unwritable(13, acknowledged: 330), .fine(48, acknowledged: 330), .notReading(49, acknowledged: 330),
            ]
        ),
        Story(
            testDescription: "but no lump pays for more than the longest time",
            events: [
                .unwritable(0), .fine(10, acknowledged: 1_000_000), .fine(137, acknowledged: 1_000_000),
                .notReading(138, acknowledged: 1_000_000),
            ]
        ),
        Story(
            testDescription: "nor does all that was read before anything waited",
            events: [
                .unwritable(1_000, acknowledged: 1_000_000), .fine(1_127, acknowledged: 1_000_000),
                .notReading(1_128, acknowledged: 1_000_000),
            ]
        ),
        Story(
            testDescription: "what the peer's system took in at once pays as well",
            events: [
                .unwritable(0, acknowledged: 250), .fine(24, acknowledged: 250), .notReading(25, acknowledged: 250),
            ]
        ),
        Story(
            testDescription: "when memory is short nothing was saved up",
            events: [
                .unwritable(0), .fine(2, acknowledged: 500, isMemoryShort: true), .nextCheck(4),
                .fine(16, acknowledged: 500, isMemoryShort: true), .nextCheck(18),
                .notReading(18, acknowledged: 500, isMemoryShort: true),
            ]
        ),
        Story(
            testDescription: "also if it becomes short only then",
            events: [
                .unwritable(0), .fine(2, acknowledged: 500), .fine(30, acknowledged: 500), .nextCheck(32),
                .notReading(32, acknowledged: 500, isMemoryShort: true),
            ]
        ),
        Story(
            testDescription: "then bytes now and then are not enough either",
            events: [
                .unwritable(0), .fine(2, acknowledged: 500), .fine(30, acknowledged: 500),
                .notReading(32, acknowledged: 510, isMemoryShort: true),
            ]
        ),
        Story(
            testDescription: "and the minimum rate still is",
            events: [.unwritable(0)]
                + (1...100).map { .fine($0 * 15, acknowledged: Int($0) * 150, isMemoryShort: true) }
        ),
        Story(
            testDescription: "a peer that reads again is left alone",
            events: [.unwritable(0), .writable, .nextCheck(nil), .fine(100)]
        ),
        Story(
            testDescription: "a second stall has its own time",
            events: [.unwritable(0), .writable, .unwritable(15), .nextCheck(17), .fine(30), .notReading(31)]
        ),
        Story(
            testDescription: "a number that falls costs nothing",
            events: [
                .unwritable(0, acknowledged: 100), .fine(4, acknowledged: 50), .fine(6, acknowledged: 100),
                .fine(20, acknowledged: 100), .notReading(21, acknowledged: 100),
            ]
        ),
        Story(
            testDescription: "a frame is not late while we do not read the rest of it",
            events: [
                .frameBegan(0), .unwritable(5), .nextCheck(7), .fine(10), .frameBegan(12), .fine(20), .writable,
                .nextCheck(nil), .frameBegan(24), .nextCheck(34), .frameLate(34),
            ]
        ),
        Story(
            testDescription: "but while we read it, it is",
            events: [
                .frameBegan(0), .unwritable(5, isRead: true), .nextCheck(7), .fine(9), .frameLate(10), .frameEnded,
                .frameBegan(12), .frameLate(22),
            ]
        ),
    ]

    @Test(arguments: stories)
    func aPeerHasItsTimeAndNoMore(_ story: Story) {
        var watchdog = ConnectionWatchdog(
            frameTimeout: .seconds(10),
            writeTimeout: .seconds(16),
            minimumReadRate: 10,
            firstFrameBegins: story.opened.map(Self.time)
        )
        for event in story.events { carryOut(event, &watchdog) }
    }

    private static func time(_ seconds: Int64) -> NIODeadline { .uptimeNanoseconds(0) + .seconds(seconds) }

    private func carryOut(_ event: Event, _ watchdog: inout ConnectionWatchdog) {
        switch event {
        case .frameBegan(let now): watchdog.frameBegan(now: Self.time(now))
        case .frameEnded: watchdog.frameEnded()
        case .unwritable(let now, let acknowledged, let isRead):
            watchdog.becameUnwritable(acknowledgedBytes: acknowledged, isRead: isRead, now: Self.time(now))
        case .writable: watchdog.becameWritable()
        case .fine(let now, let acknowledged, let isShort):
            #expect(check(&watchdog, now, acknowledged, isShort) == nil, "at \(now)")
        case .frameLate(let now):
            #expect(check(&watchdog, now) == .frameTimeout(after: .seconds(10)), "at \(now)")
        case .notReading(let now, let acknowledged, let isShort):
            let error = ConnectionError.writeTimeout(after: .seconds(16))
            #expect(check(&watchdog, now, acknowledged, isShort) == error, "at \(now)")
        case .nextCheck(let time):
            #expect(watchdog.nextCheck == time.map(Self.time))
        }
    }

    private func check(
        _ watchdog: inout ConnectionWatchdog,
        _ now: Int64,
        _ acknowledged: Int = 0,
        _ isMemoryShort: Bool = false
    ) -> ConnectionError? {
        watchdog.check(now: Self.time(now), acknowledgedBytes: acknowledged, isMemoryShort: isMemoryShort)
    }

    @Test func timesBeyondTheClockAreNever() {
        let start = NIODeadline.uptimeNanoseconds(1)
        let forever = Duration.seconds(Int64.max)
        var watchdog = ConnectionWatchdog(
            frameTimeout: forever,
            writeTimeout: forever,
            minimumReadRate: 1_024,
            firstFrameBegins: start
        )
        #expect(watchdog.nextCheck == .distantFuture)
        watchdog.becameUnwritable(acknowledgedBytes: 0, now: start)
        let late = start + .hours(1_000_000)
        #expect(watchdog.check(now: late, acknowledgedBytes: 0, isMemoryShort: true) == nil)
    }
}
