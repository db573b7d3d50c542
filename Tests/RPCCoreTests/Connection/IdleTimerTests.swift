import NIOCore
import RPCCore
import Testing

struct IdleTimerTests {
    private let start = NIODeadline.uptimeNanoseconds(1)

    @Test func aConnectionWithoutACallExpires() {
        var timer = IdleTimer(timeout: .seconds(10), now: start)
        let early = timer.isExpired(now: start + .seconds(9), isInUse: false)
        let due = timer.isExpired(now: start + .seconds(10), isInUse: false)
        #expect((early, due) == (false, true))
    }

    /// The check for a call does not move the time at which the connection has been without one for long enough.
    @Test func theTimeBeginsWithTheEndOfTheLastCall() {
        var timer = IdleTimer(timeout: .seconds(10), now: start)
        let busy = timer.isExpired(now: start + .seconds(10), isInUse: true)
        timer.noteUse(now: start + .seconds(13))
        let early = timer.isExpired(now: start + .seconds(20), isInUse: false)
        #expect(timer.nextCheck == start + .seconds(23))
        let due = timer.isExpired(now: start + .seconds(23), isInUse: false)
        #expect((busy, early, due) == (false, false, true))
    }

    /// A connection that takes some time to end is not told again at once.
    @Test func theNextCheckIsNeverInThePast() {
        var timer = IdleTimer(timeout: .seconds(10), now: start)
        let first = timer.isExpired(now: start + .seconds(15), isInUse: false)
        #expect(timer.nextCheck == start + .seconds(25))
        let again = timer.isExpired(now: start + .seconds(15), isInUse: false)
        #expect((first, again) == (true, false))
    }
}
