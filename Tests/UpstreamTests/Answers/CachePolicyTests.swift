import Testing

@testable import Upstream

@Suite struct CachePolicyTests {
    @Test(arguments: [
        (age: 0, isNegative: false, isFresh: true), (86_399, false, true), (86_400, false, false),
        (599, true, true), (600, true, false),
        // From before the clock was set back.
        (-1, false, false), (-1, true, false),
    ])
    func anAnswerIsFreshForADayAndABadOneForMinutes(_ age: Int, _ isNegative: Bool, _ isFresh: Bool) {
        let now = ManualTime.start
        let moment = now - .seconds(age)
        #expect(CachePolicy().isFresh(from: moment, isNegative: isNegative, at: now) == isFresh)
    }

    @Test func aShortTimeHoldsForBadAnswersToo() {
        let policy = CachePolicy(timeToLive: .seconds(10))
        let now = ManualTime.start
        #expect(!policy.isFresh(from: now - .seconds(10), isNegative: true, at: now))
        #expect(!CachePolicy(timeToLive: .zero).isFresh(from: now, at: now))
    }
}
