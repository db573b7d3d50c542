import Framing
import NIOCore
import Testing

/// A table of events with their times in seconds. Frames have 10 s, a peer that does not read has 16 s; it must
/// acknowledge 10 bytes a second, which are 160 in its time.
@Suite struct ConnectionWatchdogTests {
    enum Event: Sendable {
        case frameBegan(Int64)
        case frameEnded
        case unwritable(Int64, queued: Int, acknowledged: Int = 0)
        case queued(Int)
        case writable(Int64, queued: Int = 0)
        /// Nothing is wrong at this time, with so much queued.
        case fine(Int64, queued: Int = 0)
        case frameLate(Int64)
        case notReading(Int64, queued: Int)
        /// When the next look is due.
        case nextCheck(Int64?)
    }

    struct Story: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// When the wait for the first frame begins.
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
            events: [
                .unwritable(0, queued: 1_000), .nextCheck(2), .fine(15, queued: 1_000), .nextCheck(16),
                .notReading(16, queued: 1_000),
            ]
        ),
        Story(
            testDescription: "it is looked at often, but has all of its time",
            events: [
                .unwritable(0, queued: 1_000), .fine(2, queued: 1_000), .nextCheck(4), .fine(4, queued: 1_000),
                .nextCheck(6), .fine(1, queued: 0), .nextCheck(6),
            ]
        ),
        Story(
            testDescription: "a byte now and then is not enough",
            events: [
                .unwritable(0, queued: 1_000), .fine(5, queued: 999), .fine(10, queued: 900), .fine(15, queued: 841),
                .notReading(16, queued: 841),
            ]
        ),
        Story(
            testDescription: "as many bytes as the minimum rate asks for buy the time again",
            events: [
                .unwritable(0, queued: 1_000), .fine(5, queued: 999), .fine(15, queued: 840), .nextCheck(17),
                .fine(30, queued: 840), .notReading(31, queued: 840),
            ]
        ),
        Story(
            testDescription: "so does all that is queued, if it is less",
            events: [
                .unwritable(0, queued: 100), .fine(15, queued: 1), .fine(15, queued: 0), .fine(17, queued: 0),
            ]
        ),
        Story(
            testDescription: "after a lump a slow reader has twice the time that the lump took",
            events: [
                .unwritable(0, queued: 10_000), .fine(14, queued: 5_000), .fine(41, queued: 5_000),
                .notReading(42, queued: 5_000),
            ]
        ),
        Story(
            testDescription: "but no more than the lump pays for",
            events: [
                .unwritable(0, queued: 10_000), .fine(14, queued: 9_800), .fine(33, queued: 9_800),
                .notReading(34, queued: 9_800),
            ]
        ),
        Story(
            testDescription: "a fast reader that stops has no more than its time",
            events: [
                .unwritable(0, queued: 1_000_000), .fine(2, queued: 10_000), .fine(17, queued: 10_000),
                .notReading(18, queued: 10_000),
            ]
        ),
        Story(
            testDescription: "a lump that made room counts as well",
            events: [
                .unwritable(0, queued: 10_000), .writable(12, queued: 5_000), .unwritable(12, queued: 10_000),
                .fine(35, queued: 10_000), .notReading(36, queued: 10_000),
            ]
        ),
        Story(
            testDescription: "who reads at once has the usual time again",
            events: [
                .unwritable(0, queued: 10_000), .writable(12, queued: 5_000), .unwritable(12, queued: 10_000),
                .writable(13, queued: 5_000), .unwritable(13, queued: 10_000), .fine(28, queued: 10_000),
                .notReading(29, queued: 10_000),
            ]
        ),
        Story(
            testDescription: "answers queued behind do not hide that something left",
            events: [
                .unwritable(0, queued: 1_000), .queued(500), .fine(15, queued: 1_340), .notReading(31, queued: 1_340),
            ]
        ),
        Story(
            testDescription: "answers queued behind are not taken for reading",
            events: [
                .unwritable(0, queued: 1_000), .queued(500), .notReading(16, queued: 1_500),
            ]
        ),
        Story(
            testDescription: "what is queued while the peer reads counts for nothing",
            events: [
                .queued(500), .unwritable(0, queued: 1_000), .notReading(16, queued: 1_000),
            ]
        ),
        Story(
            testDescription: "a peer that reads again is left alone",
            events: [
                .unwritable(0, queued: 1_000), .writable(1), .nextCheck(nil), .fine(100),
            ]
        ),
        Story(
            testDescription: "what the peer's system took in at once pays for more time",
            events: [
                .unwritable(0, queued: 1_000, acknowledged: 250), .fine(24, queued: 1_000),
                .notReading(25, queued: 1_000),
            ]
        ),
        Story(
            testDescription: "but no more than twice the usual time",
            events: [
                .unwritable(0, queued: 1_000, acknowledged: 90_000), .fine(31, queued: 1_000),
                .notReading(32, queued: 1_000),
            ]
        ),
        Story(
            testDescription: "a second stall has its own time",
            events: [
                .unwritable(0, queued: 1_000), .writable(1), .unwritable(15, queued: 1_000), .nextCheck(17),
                .fine(30, queued: 1_000), .notReading(31, queued: 1_000),
            ]
        ),
        Story(
            testDescription: "a frame is not late while we do not read the rest of it",
            events: [
                .frameBegan(0), .unwritable(5, queued: 1_000), .nextCheck(7), .fine(10, queued: 1_000),
                .frameBegan(12), .fine(20, queued: 1_000), .writable(20), .nextCheck(nil), .frameBegan(24),
                .nextCheck(34), .frameLate(34),
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
        case .unwritable(let now, let queued, let acknowledged):
            watchdog.becameUnwritable(queuedBytes: queued, acknowledgedBytes: acknowledged, now: Self.time(now))
        case .queued(let count): watchdog.bytesQueued(count)
        case .writable(let now, let queued): watchdog.becameWritable(queuedBytes: queued, now: Self.time(now))
        case .fine(let now, let queued):
            #expect(watchdog.check(now: Self.time(now), queuedBytes: queued) == nil, "at \(now)")
        case .frameLate(let now):
            let error = ConnectionError.frameTimeout(after: .seconds(10))
            #expect(watchdog.check(now: Self.time(now), queuedBytes: 0) == error, "at \(now)")
        case .notReading(let now, let queued):
            let error = ConnectionError.writeTimeout(after: .seconds(16))
            #expect(watchdog.check(now: Self.time(now), queuedBytes: queued) == error, "at \(now)")
        case .nextCheck(let time):
            #expect(watchdog.nextCheck == time.map(Self.time))
        }
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
        watchdog.becameUnwritable(queuedBytes: 1, now: start)
        #expect(watchdog.check(now: start + .hours(1_000_000), queuedBytes: 1) == nil)
    }
}
