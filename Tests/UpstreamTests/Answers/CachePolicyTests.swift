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

@Suite struct LeastRecentlyUsedTests {
    @Test func whatWasUsedLongestAgoGoesFirst() {
        var cache = LeastRecentlyUsed<Int, String>(maximumCost: 3)
        for key in 1...3 { _ = cache.keep("\(key)", for: key) }
        #expect(cache.use(1) == "1")
        let gone = cache.keep("4", for: 4)
        #expect(gone.map(\.key) == [2])
        #expect(cache.use(2) == nil)
        #expect(cache.count == 3)
    }

    @Test func costsAddUpAndComeBack() {
        var cache = LeastRecentlyUsed<Int, String>(maximumCost: 100)
        _ = cache.keep("a", for: 1, cost: 60)
        #expect(cache.keep("b", for: 1, cost: 10).map(\.value) == ["a"])
        #expect(cache.cost == 10)
        #expect(cache.keep("c", for: 2, cost: 101).isEmpty, "too large to be kept")
        #expect(cache.use(2) == nil)
        #expect(cache.keep("d", for: 3, cost: 91).map(\.value) == ["b"])
        cache.remove(3)
        #expect(cache.cost == 0)
    }
}
