import NIOCore
import Testing

@testable import RPCCore

/// The peer's pings, by the rules of gRFC A8.
struct PeerBehaviorTests {
    private let start = NIODeadline.uptimeNanoseconds(1)

    /// Returns whether each of some pings ends the connection.
    private func pings(_ times: [TimeAmount], hasCalls: Bool) -> [Bool] {
        var strikes = PingStrikes()
        return times.map { strikes.pinged(hasCalls: hasCalls, now: start + $0) }
    }

    @Test func theThirdEarlyPingEndsTheConnection() {
        let soon: [TimeAmount] = [.seconds(0), .seconds(1), .seconds(2), .seconds(3)]
        #expect(pings(soon, hasCalls: true) == [false, false, false, true])
        #expect(pings(soon, hasCalls: false) == [false, false, false, true])
    }

    @Test func pingsAtTheAllowedRateAreAccepted() {
        let minutes = (0..<10).map { TimeAmount.minutes($0 * 5) }
        #expect(!pings(minutes, hasCalls: true).contains(true))
        #expect(pings(minutes, hasCalls: false).contains(true), "without calls they are expected every two hours")
    }

    @Test func serverDataResetsTheCount() {
        var strikes = PingStrikes()
        for second: Int64 in 0..<100 {
            if second % 3 == 0 { strikes.sent() }
            let isTooMany = strikes.pinged(hasCalls: true, now: start + .seconds(second))
            #expect(!isTooMany)
        }
    }
}
