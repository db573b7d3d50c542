import Testing

@testable import GatewayHTTP

@Suite struct RollingQuotaTests {
    private var quota = RollingQuota(RollingQuota.Limit(calls: 3, window: .seconds(10)))

    private mutating func call(_ second: Int, _ key: String = "k") -> RollingQuota.Decision {
        quota.callReceived(key: key, at: .seconds(second))
    }

    @Test mutating func theCallAfterTheLastAllowedOneIsRefused() {
        #expect((0...2).map { call($0) } == [.allowed, .allowed, .allowed])
        #expect(call(3) == .refused(retryAfter: .seconds(8)))
    }

    @Test mutating func roomComesBackAsOldCallsLeaveTheWindow() {
        for second in 0...2 { #expect(call(second) == .allowed) }
        #expect(call(10) == .allowed)
        #expect(call(10) == .refused(retryAfter: .seconds(2)))
    }

    @Test mutating func refusedCallsCount() {
        for second in 0...2 { #expect(call(second) == .allowed) }
        // A client that continues calling is never served again.
        for second in 3...60 { #expect(call(second) == .refused(retryAfter: .seconds(8))) }
        #expect(call(67) == .refused(retryAfter: .seconds(2)))
    }

    @Test(arguments: 1...9)
    mutating func aClientThatWaitsAsLongAsItIsToldIsServed(refusals: Int) throws {
        for second in 0...2 { #expect(call(second) == .allowed) }
        let decisions = (0..<refusals).map { call(3 + $0) }
        guard case .refused(let wait) = try #require(decisions.last) else {
            Issue.record("expected a refusal")
            return
        }
        var impatient = quota
        let lastCall = Duration.seconds(2 + refusals)
        #expect(impatient.callReceived(key: "k", at: lastCall + wait - .milliseconds(1)) != .allowed)
        #expect(quota.callReceived(key: "k", at: lastCall + wait) == .allowed)
    }

    @Test mutating func eachKeyHasItsOwnQuota() {
        for second in 0...2 { #expect(call(second) == .allowed) }
        #expect(call(3) != .allowed)
        #expect(call(3, "other") == .allowed)
    }

    @Test mutating func theLeastRecentlyUsedKeyIsForgotten() {
        for second in 0...2 { #expect(call(second, "first") == .allowed) }
        for number in 1..<RollingQuota.maximumKeys { #expect(call(3, "k\(number)") == .allowed) }
        #expect(call(3, "first") != .allowed)
        #expect(call(4, "k1") == .allowed)
        for number in 0..<RollingQuota.maximumKeys { #expect(call(5, "new\(number)") == .allowed) }
        #expect(call(5, "first") == .allowed)
    }
}
