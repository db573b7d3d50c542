import MarvelDomain
import RPCCore
import Synchronization
import Testing

@testable import Upstream

@Suite struct CallBudgetTests {
    private let start = ManualTime.start

    private func budget(_ calls: Int) -> CallBudget { CallBudget(callsPerDay: calls, at: start) }

    @Test func noMoreCallsThanAllowedInAnyDay() {
        var budget = budget(3)
        #expect(budget.take(at: start) == nil)
        #expect(budget.take(at: start + .seconds(3_600)) == nil)
        #expect(budget.take(at: start + .seconds(7_200)) == nil)
        #expect(
            budget.take(at: start + .seconds(7_200))
                == .budgetSpent(callsPerDay: 3, retryAfter: .seconds(86_400 + 60 - 7_200))
        )
        #expect(budget.used == 3)
        // The first one comes back when its minute is a day old, and no other.
        #expect(budget.take(at: start + .seconds(86_400 + 59)) != nil)
        #expect(budget.take(at: start + .seconds(86_400 + 60)) == nil)
        #expect(budget.take(at: start + .seconds(86_400 + 60)) != nil)
    }

    /// Whatever the times of calls: a plain count over the last day decides alike, but for the minute.
    @Test(arguments: [1, 7, 60])
    func inEachDayThereAreAtMostAsMany(_ step: Int) {
        var budget = budget(50)
        var taken: [Int] = []
        for second in stride(from: 0, to: 3 * 86_400, by: step * 61) {
            if budget.take(at: start + .seconds(second)) == nil { taken.append(second) }
        }
        for second in taken {
            #expect(taken.filter { (second - 86_399...second).contains($0) }.count <= 50)
        }
        #expect(taken.count >= 50)
    }

    @Test func usageBeforeARestartCounts() {
        let before = [
            CallBudget.Minute(start.minute - 1_441, count: 5), .init(start.minute - 1_440, count: 2),
            .init(start.minute, count: 3), .init(start.minute - 10, count: 4),
            // Counted when the clock was an hour ahead.
            .init(start.minute + 60, count: 1),
        ]
        var budget = CallBudget(callsPerDay: 11, minutes: before, at: start)
        #expect(budget.used == 10)
        #expect(budget.take(at: start) == nil)
        #expect(budget.take(at: start) == .budgetSpent(callsPerDay: 11, retryAfter: .seconds(60)))
        #expect(budget.take(at: start + .seconds(60)) == nil)
    }

    @Test func aCallThatNeverReachedTheGatewayIsGivenBack() {
        var budget = budget(1)
        #expect(budget.take(at: start) == nil)
        budget.giveBack(startedAt: start)
        #expect(budget.used == 0)
        #expect(budget.take(at: start) == nil)
        budget.giveBack(startedAt: start - .seconds(60))
        #expect(budget.used == 1, "a minute that is not known has nothing to give")
    }

    @Test func aRefusalWithATimeHoldsForThatTime() {
        var budget = budget(100)
        budget.refused(retryAfter: .seconds(30), at: start)
        #expect(budget.take(at: start + .seconds(10)) == .quota(retryAfter: .seconds(20)))
        #expect(budget.take(at: start + .seconds(30)) == nil)
        #expect(budget.block == nil)
        #expect(budget.take(at: start + .seconds(30)) == nil)
    }

    @Test func aRefusalWithoutATimeIsProbedEveryQuarterOfAnHour() {
        var budget = budget(100)
        budget.refused(retryAfter: nil, at: start)
        #expect(budget.take(at: start + .seconds(899)) == .quota(retryAfter: .seconds(1)))
        #expect(budget.take(at: start + .seconds(900)) == nil, "the probe")
        #expect(budget.take(at: start + .seconds(901)) == .quota(retryAfter: .seconds(899)))
        budget.refused(retryAfter: nil, at: start + .seconds(902))
        #expect(budget.take(at: start + .seconds(1_801)) == .quota(retryAfter: .seconds(1)))
        #expect(budget.take(at: start + .seconds(1_802)) == nil)
        budget.answered(startedAt: start + .seconds(1_802))
        #expect(budget.take(at: start + .seconds(1_803)) == nil)
    }

    @Test func aProbeThatGotNoAnswerIsMadeAgain() {
        var budget = budget(100)
        budget.refused(retryAfter: nil, at: start)
        #expect(budget.take(at: start + .seconds(900)) == nil)
        budget.abandoned(startedAt: start + .seconds(900), at: start + .seconds(910))
        #expect(budget.take(at: start + .seconds(910)) == nil)
        #expect(budget.take(at: start + .seconds(911)) != nil)
    }

    /// However long a gateway asks to wait, each hour one call looks whether it means it.
    @Test(arguments: [86_400, 9_999_999, .max / 4] as [Int64])
    func aLongRefusalIsProbedEveryHour(_ seconds: Int64) {
        var budget = budget(100)
        var now = start
        for _ in 0..<48 {
            budget.refused(retryAfter: .seconds(seconds), at: now)
            #expect(budget.take(at: now) == .quota(retryAfter: .seconds(3_600)))
            #expect(budget.take(at: now + .seconds(3_599)) == .quota(retryAfter: .seconds(1)))
            now = now + .seconds(3_600)
            #expect(budget.take(at: now) == nil, "the probe")
            #expect(budget.take(at: now) == .quota(retryAfter: .seconds(900)), "the others wait for its answer")
        }
        budget.answered(startedAt: now)
        #expect(budget.take(at: now) == nil)
        #expect(budget.block == nil)
    }

    /// An older program noted what it was told, up to 31 days.
    @Test(
        arguments: [
            (60, true, 60), (60, false, 60), (40 * 86_400, false, 3_600), (.max / 2_000, false, 3_600), (-5, false, 0),
        ] as [(Int64, Bool, Int64)]
    )
    func aRefusalOutlivesARestartForAnHourAtMost(_ until: Int64, _ isProbed: Bool, _ wait: Int64) {
        let block = CallBudget.Block(until: start + .seconds(until), isProbed: isProbed)
        var budget = CallBudget(callsPerDay: 2, block: block, at: start)
        #expect(budget.take(at: start) == (wait == 0 ? nil : .quota(retryAfter: .seconds(wait))))
        #expect(budget.take(at: start + .seconds(wait)) == nil)
    }

    @Test func impossibleCountsDoNotTrap() {
        let minutes = [CallBudget.Minute(start.minute, count: .max), .init(start.minute - 1, count: .max)]
        var budget = CallBudget(callsPerDay: 5, minutes: minutes, at: start)
        #expect(budget.take(at: start) != nil)
    }

    /// The ledger gets what has changed, and nothing else.
    @Test func callsAndPausesAreRecorded() {
        final class Ledger: CallLedger {
            let entries = Mutex<[CallLedgerEntry]>([])
            func note(_ entry: CallLedgerEntry) { entries.withLock { $0.append(entry) } }
        }
        let ledger = Ledger()
        var budget = CallBudget(callsPerDay: 10, ledger: ledger, at: start)
        #expect(budget.take(at: start) == nil)
        budget.answered(startedAt: start)
        let later = start + .seconds(90)
        budget.giveBack(startedAt: start)
        #expect(budget.take(at: later) == nil)
        budget.refused(retryAfter: .seconds(5), at: later)
        #expect(budget.take(at: later) != nil)
        budget.answered(startedAt: later)
        let block = CallBudget.Block(until: later + .seconds(5), isProbed: false)
        let expected: [CallLedgerEntry] = [
            .calls(minute: start.minute, change: 1), .calls(minute: start.minute, change: -1),
            .calls(minute: later.minute, change: 1), .block(block), .block(nil),
        ]
        #expect(ledger.entries.withLock { $0 } == expected)
    }

    // MARK: Shares

    @Test func oneCallerLeavesAsMuchToTheOthersAsItTakes() {
        var budget = budget(100)
        let (greedy, second) = (CallerID.next(), CallerID.next())
        #expect((0..<500).count { _ in budget.take(for: greedy, at: start) == nil } == 50)
        #expect(
            budget.take(for: greedy, at: start)
                == .shareSpent(calls: 50, callsPerDay: 100, retryAfter: .seconds(86_400 + 60))
        )
        #expect((0..<500).count { _ in budget.take(for: second, at: start) == nil } == 25)
        // The server's own work is nobody's share.
        #expect((0..<500).count { _ in budget.take(at: start) == nil } == 25)
        #expect(budget.take(for: second, at: start) == .budgetSpent(callsPerDay: 100, retryAfter: .seconds(86_460)))
        // Calls from a day ago no longer count.
        let tomorrow = start + .seconds(86_460)
        #expect((0..<500).count { _ in budget.take(for: greedy, at: tomorrow) == nil } == 50)
    }

    @Test func aCallerFromElsewhereHasAQuotaOfTheDay() {
        var budget = budget(1_000)
        func calls(_ caller: CallerID) -> Int { (0..<500).count { _ in budget.take(for: caller, at: start) == nil } }
        #expect(calls(.next(.named)) == 250)
        let addresses = (0..<5).map { _ in CallerID.next(.anonymous) }
        #expect(addresses.map(calls) == [50, 50, 50, 50, 0], "all addresses together have a fifth")
        #expect(calls(.next(.named)) == 250)
        #expect(calls(.next(.local)) == 150, "the others' share")
    }

    @Test func aRefundGoesToTheCaller() {
        var budget = budget(4)
        let caller = CallerID.next()
        for _ in 0..<10 {
            #expect(budget.take(for: caller, at: start) == nil)
            budget.giveBack(startedAt: start, for: caller)
        }
        #expect((0..<10).count { _ in budget.take(for: caller, at: start) == nil } == 2)
    }

    /// One that takes all it can get, before and between ten that want little: they miss nothing.
    @Test func modestCallersGetTheirFullShare() {
        let modest = (0..<10).map { _ in CallerID.next() }
        func granted(beside greedy: CallerID?) -> Int {
            var budget = CallBudget(callsPerDay: 3_000, at: start)
            var count = 0
            for second in 0..<100 {
                let now = start + .seconds(second)
                if let greedy { for _ in 0..<100 { _ = budget.take(for: greedy, at: now) } }
                for caller in modest where budget.take(for: caller, at: now) == nil { count += 1 }
            }
            return count
        }
        #expect(granted(beside: nil) == 1_000)
        #expect(granted(beside: .next()) == 1_000)
    }
}
