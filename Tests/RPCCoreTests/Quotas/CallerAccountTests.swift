import MarvelDomain
import NIOCore
import RPCCore
import Testing

@Suite struct CallerAccountTests {
    private func time(_ milliseconds: Int64) -> NIODeadline {
        .uptimeNanoseconds(1_000_000_000) + .milliseconds(milliseconds)
    }

    private func account(_ callsPerSecond: Int, burst: Int, bytes: Int = 0) -> CallerAccount {
        var quotas = CallerQuotas()
        quotas.anonymous = CallerLimits(callsPerSecond: callsPerSecond, callBurst: burst, bytesPerSecond: bytes)
        return CallerAccounts(quotas).open(.address(.ipv4(1)), now: time(0))
    }

    @Test func aBurstIsPermittedAndThenTheRate() {
        let account = account(10, burst: 3)
        for _ in 0..<3 { #expect(account.takeCall(now: time(0)) == nil) }
        #expect(account.takeCall(now: time(0)) == .milliseconds(100))
        #expect(account.takeCall(now: time(50)) == .milliseconds(50))
        #expect(account.takeCall(now: time(100)) == nil)
        #expect(account.takeCall(now: time(100)) == .milliseconds(100))
    }

    @Test func noRateMeansNoLimit() {
        let account = account(0, burst: 0)
        for _ in 0..<10_000 { #expect(account.takeCall(now: time(0)) == nil) }
    }

    /// Whatever the times of the calls, no window of time has more than its rate and a burst.
    @Test(arguments: 0..<20 as Range<UInt64>) func noWindowHasMoreThanItsRateAndABurst(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let account = account(100, burst: 20)
        var permitted: [Int64] = []
        var now: Int64 = 0
        for _ in 0..<2_000 {
            now += Int64.random(in: 0...9, using: &random)
            if account.takeCall(now: time(now)) == nil { permitted.append(now) }
        }
        for (first, start) in permitted.enumerated() {
            for (number, end) in permitted[first...].enumerated() where number % 7 == 0 {
                #expect(Double(number) <= 20 + Double(end - start) / 10 + 1)
            }
        }
        #expect(permitted.count >= Int(now / 10))
    }

    @Test func bytesThatHaveArrivedCountAndThoseThatFollowWait() {
        let account = account(0, burst: 0, bytes: 1_000)
        #expect(account.takeBytes(1_000, now: time(0)) == nil)
        #expect(account.takeBytes(500, now: time(0)) == .milliseconds(500))
        #expect(account.takeBytes(0, now: time(500)) == nil)
    }

    // MARK: Accounts

    @Test func connectingAgainGivesNoNewBurst() {
        var quotas = CallerQuotas()
        quotas.anonymous = CallerLimits(callsPerSecond: 1, callBurst: 2, bytesPerSecond: 0)
        let accounts = CallerAccounts(quotas)
        let caller = CallerAccounts.Caller.address(.ipv4(0))
        var permitted = 0
        for _ in 0..<5_000 {
            let account = accounts.open(caller, now: time(0))
            if account.takeCall(now: time(0)) == nil { permitted += 1 }
            accounts.close(caller, account)
            let other = CallerAccounts.Caller.address(.ipv4(UInt32(accounts.count)))
            accounts.close(other, accounts.open(other, now: time(0)))
        }
        #expect(permitted == 2)
    }

    @Test func changedLimitsApplyToTheNextConnection() {
        let accounts = CallerAccounts(CallerQuotas())
        let caller = CallerAccounts.Caller.address(.ipv4(0))
        let before = accounts.open(caller, now: time(0))
        accounts.quotas.anonymous = CallerLimits(callsPerSecond: 1, callBurst: 1, bytesPerSecond: 0)
        let after = accounts.open(caller, now: time(0))
        accounts.close(caller, before)
        #expect([after.takeCall(now: time(0)), after.takeCall(now: time(0))] == [nil, .seconds(1)])
        #expect(accounts.open(caller, now: time(0)) === after)
    }

    @Test func unusedAccountsAreForgotten() {
        let accounts = CallerAccounts(CallerQuotas())
        for number in 0..<100_000 {
            let caller = CallerAccounts.Caller.address(.ipv4(UInt32(number)))
            accounts.close(caller, accounts.open(caller, now: time(0)))
        }
        #expect(accounts.count <= 1_025)
    }

    @Test func callersBeyondTheMaximumShareAnAccount() {
        let accounts = CallerAccounts(CallerQuotas(), maximumCount: 2)
        let ids = (0..<4).map { accounts.open(.address(.ipv4($0)), now: time(0)).id }
        #expect(Set(ids).count == 3)
        #expect(accounts.count == 2)
        #expect(ids[2] == ids[3])
    }
}
