import MarvelDomain
import Testing

@Suite struct GenerationalCacheTests {
    private struct Numbers: SizedValue, Hashable, ExpressibleByArrayLiteral {
        var values: [Int]

        init(arrayLiteral values: Int...) { self.values = values }

        var byteCount: Int { values.count }
    }

    private var cache = GenerationalCache<Int, Numbers>(maximumBytes: 200)

    private func kept(below end: Int) -> [Int] { (0..<end).filter { cache[$0] != nil } }

    @Test mutating func valuesThatAreUsedStayAndOthersAreForgotten() {
        var forgotten: [Int] = []
        for key in 0..<1_000 {
            cache[key] = [key]
            #expect(cache.use(0) == [0])
            forgotten += cache.trim().keys
        }
        let kept = kept(below: 1_000)
        #expect(kept.first == 0)
        #expect((100...201).contains(kept.count))
        #expect(Array(kept.dropFirst()) == Array((1_001 - kept.count)...999))
        #expect(forgotten.sorted() == Array(1...1_000 - kept.count))
    }

    @Test mutating func aValueThatGrowsCostsMore() {
        cache[1] = [1]
        cache.update(1) { $0.values += Array(1...100) }
        cache.update(2) { _ in Issue.record("it is not here") }
        #expect(cache.isFull)
        cache.trim()
        #expect(!cache.isFull)
        cache.update(1) { $0 = [1] }
        #expect(cache[1] == [1])
        #expect(!cache.isFull)
        cache[1] = nil
        #expect(kept(below: 3) == [])
    }
}
