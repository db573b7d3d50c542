import Framing
import NIOCore
import Testing

/// A table of events with their times in seconds. Frames have 10 s, a peer that does not read has 20 s.
@Suite struct ConnectionWatchdogTests {
    enum Event: Sendable {
        case frameBegan(Int64)
        case frameEnded
        case unwritable(Int64, unsent: Int)
        case queued(Int)
        case writable
        /// Nothing is wrong at this time, with so much unsent.
        case fine(Int64, unsent: Int = 0)
        case frameLate(Int64)
        case notReading(Int64, unsent: Int)
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
                .unwritable(0, unsent: 1_000), .nextCheck(20), .fine(19, unsent: 1_000), .notReading(20, unsent: 1_000),
            ]
        ),
        Story(
            testDescription: "one byte read buys the time again",
            events: [
                .unwritable(0, unsent: 1_000), .fine(20, unsent: 999), .nextCheck(40), .fine(39, unsent: 999),
                .notReading(40, unsent: 999),
            ]
        ),
        Story(
            testDescription: "answers queued behind do not hide that something left",
            events: [
                .unwritable(0, unsent: 1_000), .queued(500), .fine(20, unsent: 1_499), .notReading(40, unsent: 1_499),
            ]
        ),
        Story(
            testDescription: "answers queued behind are not taken for reading",
            events: [
                .unwritable(0, unsent: 1_000), .queued(500), .notReading(20, unsent: 1_500),
            ]
        ),
        Story(
            testDescription: "what is queued while the peer reads counts for nothing",
            events: [
                .queued(500), .unwritable(0, unsent: 1_000), .notReading(20, unsent: 1_000),
            ]
        ),
        Story(
            testDescription: "a peer that reads again is left alone",
            events: [
                .unwritable(0, unsent: 1_000), .writable, .nextCheck(nil), .fine(100),
            ]
        ),
        Story(
            testDescription: "a second stall has its own time",
            events: [
                .unwritable(0, unsent: 1_000), .writable, .unwritable(15, unsent: 10), .nextCheck(35),
                .fine(34, unsent: 10), .notReading(35, unsent: 10),
            ]
        ),
        Story(
            testDescription: "a frame is not late while we do not read the rest of it",
            events: [
                .frameBegan(0), .unwritable(5, unsent: 1_000), .nextCheck(25), .fine(10, unsent: 1_000),
                .frameBegan(12),
                .fine(24, unsent: 1_000), .writable, .nextCheck(nil), .frameBegan(24), .nextCheck(34), .frameLate(34),
            ]
        ),
    ]

    @Test(arguments: stories)
    func aPeerHasItsTimeAndNoMore(_ story: Story) {
        var watchdog = ConnectionWatchdog(
            frameTimeout: .seconds(10),
            writeTimeout: .seconds(20),
            firstFrameBegins: story.opened.map(Self.time)
        )
        for event in story.events { carryOut(event, &watchdog) }
    }

    private static func time(_ seconds: Int64) -> NIODeadline { .uptimeNanoseconds(0) + .seconds(seconds) }

    private func carryOut(_ event: Event, _ watchdog: inout ConnectionWatchdog) {
        switch event {
        case .frameBegan(let now): watchdog.frameBegan(now: Self.time(now))
        case .frameEnded: watchdog.frameEnded()
        case .unwritable(let now, let unsent): watchdog.becameUnwritable(unsentBytes: unsent, now: Self.time(now))
        case .queued(let count): watchdog.bytesQueued(count)
        case .writable: watchdog.becameWritable()
        case .fine(let now, let unsent):
            #expect(watchdog.check(now: Self.time(now), unsentBytes: unsent) == nil, "at \(now)")
        case .frameLate(let now):
            let error = ConnectionError.frameTimeout(after: .seconds(10))
            #expect(watchdog.check(now: Self.time(now), unsentBytes: 0) == error, "at \(now)")
        case .notReading(let now, let unsent):
            let error = ConnectionError.writeTimeout(after: .seconds(20))
            #expect(watchdog.check(now: Self.time(now), unsentBytes: unsent) == error, "at \(now)")
        case .nextCheck(let time):
            #expect(watchdog.nextCheck == time.map(Self.time))
        }
    }

    @Test func timesBeyondTheClockAreNever() {
        let start = NIODeadline.uptimeNanoseconds(1)
        let forever = Duration.seconds(Int64.max)
        var watchdog = ConnectionWatchdog(frameTimeout: forever, writeTimeout: forever, firstFrameBegins: start)
        watchdog.becameUnwritable(unsentBytes: 1, now: start)
        #expect(watchdog.nextCheck == .distantFuture)
        #expect(watchdog.check(now: start + .hours(1_000_000), unsentBytes: 1) == nil)
    }
}
