import Testing

@testable import GatewayHTTP

@Suite struct FaultTests {
    private func share(_ text: String) throws -> Ratio { try #require(Ratio(text)) }

    private func faults(_ faultInjection: FaultInjection, count: UInt64 = 10_000) -> [Fault] {
        let plan = FaultPlan(faultInjection)
        return (0..<count).map(plan.fault(forRequest:))
    }

    @Test func nothingGoesWrongByDefault() {
        #expect(faults(FaultInjection()).allSatisfy { $0 == Fault(delay: .zero, kind: .none) })
    }

    @Test func theSameRequestHasTheSameFault() throws {
        let faultInjection = FaultInjection(
            latency: try #require(LatencyRange("1ms-2s")),
            errorShare: try share("0.2"),
            cutShare: try share("0.2"),
            wrongJSONShare: try share("0.2")
        )
        #expect(faults(faultInjection) == faults(faultInjection))
    }

    @Test func faultsComeInTheSharesThatWereAskedFor() throws {
        let all = faults(
            FaultInjection(errorShare: try share("10%"), cutShare: try share("20%"), wrongJSONShare: try share("30%"))
        )
        func part(_ isWanted: (Fault.Kind) -> Bool) -> Double { Double(all.count { isWanted($0.kind) }) / 10_000 }
        #expect(abs(part { if case .failure = $0 { true } else { false } } - 0.1) < 0.015)
        #expect(abs(part { $0 == .cut } - 0.2) < 0.015)
        #expect(abs(part { if case .wrongBody = $0 { true } else { false } } - 0.3) < 0.015)
        for status in FailurePage.statuses {
            #expect(abs(part { $0 == .failure(status: status) } - 0.025) < 0.008)
        }
        for wrong in Fault.WrongBody.allCases {
            #expect(abs(part { $0 == .wrongBody(wrong) } - 0.1) < 0.015)
        }
    }

    @Test func latencyStaysInItsRangeAndUsesAllOfIt() throws {
        let latency = try #require(LatencyRange("50ms-250ms"))
        let delays = faults(FaultInjection(latency: latency)).map(\.delay)
        #expect(delays.allSatisfy(latency.bounds.contains))
        #expect(delays.contains { $0 < .milliseconds(60) } && delays.contains { $0 > .milliseconds(240) })
        let fixed = FaultInjection(latency: try #require(LatencyRange("80ms")))
        #expect(faults(fixed).allSatisfy { $0.delay == .milliseconds(80) })
    }

    @Test func oneSettingChangesNothingAboutTheFaultsOfAnother() throws {
        let errors = FaultInjection(errorShare: try share("0.3"))
        var both = errors
        both.latency = try #require(LatencyRange("1s-2s"))
        both.cutShare = try share("0.3")
        let pairs = zip(faults(errors), faults(both))
        #expect(pairs.allSatisfy { plain, mixed in plain.kind == .none || plain.kind == mixed.kind })
    }

    @Test func contradictionsAreReported() throws {
        #expect(FaultInjection().contradiction == nil)
        #expect(FaultInjection(errorShare: try share("0.6"), cutShare: try share("0.6")).contradiction != nil)
    }
}

@Suite struct SettingsTests {
    @Test(arguments: [("0", 0), ("1", 1), ("0.25", 0.25), ("25%", 0.25), ("100%", 1)])
    func sharesAreRead(text: String, value: Double) {
        #expect(Ratio(text)?.value == value)
    }

    @Test(arguments: ["", "%", "-0.1", "1.01", "101%", "nan", "inf", "a"])
    func anInvalidShareIsRefused(text: String) {
        #expect(Ratio(text) == nil)
    }

    @Test(arguments: [
        ("250ms", Duration.milliseconds(250)...Duration.milliseconds(250)), ("0s", .zero ... .zero),
        ("50ms-2s", .milliseconds(50) ... .seconds(2)), ("1m-1h", .seconds(60) ... .seconds(3600)),
    ])
    func latenciesAreRead(text: String, bounds: ClosedRange<Duration>) {
        #expect(LatencyRange(text)?.bounds == bounds)
    }

    @Test(arguments: ["", "-", "5", "ms", "2s-1s", "1s-2s-3s", "-1s", "1s-", "9223372036854775807h", "1 s"])
    func anInvalidLatencyIsRefused(text: String) {
        #expect(LatencyRange(text) == nil)
    }

    @Test func rateLimitsAreRead() {
        #expect(RollingQuota.Limit("3000/24h") == RollingQuota.Limit(calls: 3000, window: .seconds(86_400)))
    }

    @Test(arguments: ["", "3000", "0/1s", "-1/1s", "5/0s", "5/s", "5/1s/2", "5000000/1s"])
    func anInvalidRateLimitIsRefused(text: String) {
        #expect(RollingQuota.Limit(text) == nil)
    }
}
