import MarvelDomain
import Testing

@Suite struct LeastRecentlyUsedTests {
    @Test func theLeastRecentlyUsedIsEvictedFirst() {
        var cache = LeastRecentlyUsed<Int, String>(maximumCost: 3)
        for key in 1...3 { cache.keep("\(key)", for: key) }
        #expect(cache.use(1) == "1")
        let gone = cache.keep("4", for: 4)
        #expect(gone.map(\.key) == [2])
        #expect(cache.use(2) == nil)
        #expect(cache.count == 3)
    }

    @Test func costsAddUpAndComeBack() {
        var cache = LeastRecentlyUsed<Int, String>(maximumCost: 100)
        cache.keep("a", for: 1, cost: 60)
        #expect(cache.keep("b", for: 1, cost: 10).map(\.value) == ["a"])
        #expect(cache.cost == 10)
        #expect(cache.keep("c", for: 2, cost: 101).isEmpty, "too large to be kept")
        #expect(cache.use(2) == nil)
        #expect(cache.keep("d", for: 3, cost: 91).map(\.value) == ["b"])
        cache.remove(3)
        #expect(cache.cost == 0)
    }
}
