import MarvelAPI
import Testing

@testable import Catalog

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

    @Test func whatWasUsedBeforeARestartCounts() {
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
        budget.giveBack(to: start.minute)
        #expect(budget.used == 0)
        #expect(budget.take(at: start) == nil)
        budget.giveBack(to: start.minute - 1)
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
        budget.answered()
        #expect(budget.take(at: start + .seconds(1_803)) == nil)
    }

    @Test func aProbeThatGotNoAnswerIsMadeAgain() {
        var budget = budget(100)
        budget.refused(retryAfter: nil, at: start)
        #expect(budget.take(at: start + .seconds(900)) == nil)
        budget.abandoned(at: start + .seconds(910))
        #expect(budget.take(at: start + .seconds(910)) == nil)
        #expect(budget.take(at: start + .seconds(911)) != nil)
    }

    @Test func aRefusalOutlivesARestartUnlessItIsAbsurd() {
        let block = CallBudget.Block(until: start + .seconds(60), isProbed: true)
        var budget = CallBudget(callsPerDay: 1, block: block, at: start)
        #expect(budget.take(at: start) == .quota(retryAfter: .seconds(60)))
        let absurd = CallBudget.Block(until: start + .seconds(40 * 86_400), isProbed: false)
        budget = CallBudget(callsPerDay: 1, block: absurd, at: start)
        #expect(budget.take(at: start) == nil)
    }
}
