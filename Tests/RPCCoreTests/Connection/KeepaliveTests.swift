import NIOCore
import RPCCore
import Testing

/// A table of events with their times in seconds. The connection opens at 0, silence may last 120 s, an answer 20 s.
@Suite struct KeepaliveTests {
    enum Event: Sendable {
        case bytes(Int64)
        /// A check at this time, and its expected action.
        case check(Int64, Keepalive.OnCheck)
        /// The expected time of the next check.
        case nextCheck(Int64)
    }

    struct Story: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var interval = Duration.seconds(120)
        let events: [Event]
    }

    static let givenUp = Keepalive.OnCheck.close(.keepaliveTimeout(after: .seconds(20)))

    static let stories: [Story] = [
        Story(
            testDescription: "a silent peer gets a Ping, and is closed if it stays silent",
            events: [
                .nextCheck(120), .check(119, .nothing), .check(120, .sendPing),
                .nextCheck(140), .check(139, .nothing), .check(140, givenUp), .check(500, givenUp),
            ]
        ),
        Story(
            testDescription: "a peer that sends is not asked",
            events: [
                .bytes(100), .nextCheck(220), .check(120, .nothing), .bytes(219), .check(220, .nothing),
                .nextCheck(339),
            ]
        ),
        Story(
            testDescription: "anything that follows a Ping is an answer to it",
            events: [
                .check(120, .sendPing), .bytes(139), .check(140, .nothing), .nextCheck(259), .check(259, .sendPing),
                .nextCheck(279),
            ]
        ),
        Story(
            testDescription: "one Ping is under way at a time",
            events: [
                .check(120, .sendPing), .check(121, .nothing), .check(125, .nothing),
            ]
        ),
        Story(
            testDescription: "a look that comes late still asks before it gives up",
            events: [
                .check(10_000, .sendPing), .nextCheck(10_020), .check(10_019, .nothing), .check(10_020, givenUp),
            ]
        ),
        Story(
            testDescription: "Pings are 10 s apart, however short the interval",
            interval: .seconds(1),
            events: [
                .nextCheck(10), .check(9, .nothing), .check(10, .sendPing), .bytes(10), .nextCheck(20),
                .check(19, .nothing), .check(20, .sendPing),
            ]
        ),
    ]

    @Test(arguments: stories)
    func anIdlePeerIsPingedAndClosedInTime(_ story: Story) {
        var keepalive = Keepalive(interval: story.interval, timeout: .seconds(20), now: time(0))
        for (number, event) in story.events.enumerated() {
            switch event {
            case .bytes(let seconds):
                keepalive.bytesReceived(now: time(seconds))
            case .check(let seconds, let expected):
                let action = keepalive.check(now: time(seconds))
                #expect(action == expected, "event \(number)")
            case .nextCheck(let seconds):
                #expect(keepalive.nextCheck == time(seconds), "event \(number)")
            }
        }
    }

    private func time(_ seconds: Int64) -> NIODeadline { .uptimeNanoseconds(0) + .seconds(seconds) }
}
