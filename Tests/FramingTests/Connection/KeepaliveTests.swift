import Framing
import NIOCore
import Testing

struct KeepaliveTests {
    private static func time(_ seconds: Int64) -> NIODeadline {
        .uptimeNanoseconds(1_000_000_000_000) + .seconds(seconds)
    }

    private let fresh = Keepalive(interval: .seconds(120), timeout: .seconds(20), now: time(0))

    @Test func aSilentPeerIsAskedAndThenGivenUp() {
        var keepalive = fresh
        #expect(keepalive.nextCheck == Self.time(120))
        let early = keepalive.check(now: Self.time(119))
        #expect(early == .nothing)
        let asked = keepalive.check(now: Self.time(120))
        #expect(asked == .sendPing)
        #expect(keepalive.nextCheck == Self.time(140))
        let waiting = keepalive.check(now: Self.time(139))
        #expect(waiting == .nothing)
        let givenUp = keepalive.check(now: Self.time(140))
        #expect(givenUp == .close(.keepaliveTimeout(after: .seconds(20))))
    }

    @Test func anythingThatArrivesIsASignOfLife() {
        var keepalive = fresh
        keepalive.bytesReceived(now: Self.time(100))
        #expect(keepalive.nextCheck == Self.time(220))
        _ = keepalive.check(now: Self.time(220))
        keepalive.bytesReceived(now: Self.time(239))
        let late = keepalive.check(now: Self.time(240))
        #expect(late == .nothing)
        #expect(keepalive.nextCheck == Self.time(359))
    }

    @Test func noSettingMakesItAFlood() {
        let keepalive = Keepalive(interval: .milliseconds(1), timeout: .seconds(20), now: Self.time(0))
        #expect(keepalive.nextCheck == Self.time(10))
    }
}
