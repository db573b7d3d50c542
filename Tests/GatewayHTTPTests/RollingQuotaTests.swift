import Testing

@testable import GatewayHTTP

@Suite struct RollingQuotaTests {
    private var quota = RollingQuota(RollingQuota.Limit(calls: 3, window: .seconds(10)))

    private mutating func call(_ second: Int, _ key: String = "k") -> Bool {
        quota.allowsCall(key: key, at: .seconds(second))
    }

    @Test mutating func theCallAfterTheLastAllowedOneIsRefused() {
        #expect((0...2).map { call($0) } == [true, true, true])
        #expect(call(3) == false)
    }

    @Test mutating func roomComesBackAsOldCallsLeaveTheWindow() {
        for second in 0...2 { #expect(call(second) == true) }
        #expect(call(10) == true)
        #expect(call(10) == false)
    }

    @Test mutating func refusedCallsCount() {
        for second in 0...2 { #expect(call(second) == true) }
        // A client that continues calling is never served again.
        for second in 3...60 { #expect(call(second) == false) }
        #expect(call(67) == false)
    }

    @Test mutating func eachKeyHasItsOwnQuota() {
        for second in 0...2 { #expect(call(second) == true) }
        #expect(call(3) == false)
        #expect(call(3, "other") == true)
    }

    @Test mutating func theLeastRecentlyUsedKeyIsForgotten() {
        for second in 0...2 { #expect(call(second, "first") == true) }
        for number in 1..<RollingQuota.maximumKeys { #expect(call(3, "k\(number)") == true) }
        #expect(call(3, "first") == false)
        #expect(call(4, "k1") == true)
        for number in 0..<RollingQuota.maximumKeys { #expect(call(5, "new\(number)") == true) }
        #expect(call(5, "first") == true)
    }
}
