import Catalog
import RPCCore
import Testing

@testable import Upstream

/// The calls that a server reserves from a budget of several servers.
@Suite struct SharedCallsTests {
    private let start = ManualTime.start
    private let hour: Int64 = 500_000

    private func budget(_ calls: Int, sharing: Bool = true, used: Int = 0) -> CallBudget {
        let minutes = [CallBudget.Minute(start.minute - 30, count: used)]
        var budget = CallBudget(callsPerDay: calls, minutes: minutes, at: start)
        if sharing { budget.share(as: 7) }
        return budget
    }

    /// A reply in the first half of an hour.
    private func reply(
        _ granted: Int,
        used: Int,
        share: Int = 1_000,
        later hours: Int64 = 0,
        pause: CallExchange.Pause? = nil,
        revision: Int64 = 0
    ) -> CallExchange.Reply {
        CallExchange.Reply(
            hour: hour + hours,
            granted: granted,
            usableTime: .seconds(5_400),
            oldestHour: hour + hours - 25,
            used: used,
            share: share,
            refillTime: .seconds(50),
            pause: pause,
            pauseRevision: revision
        )
    }

    /// Carries out an exchange, with a reply that grants all that is wanted unless it says otherwise.
    @discardableResult
    private func exchange(
        _ budget: inout CallBudget,
        at now: Moment? = nil,
        _ reply: (CallExchange) -> CallExchange.Reply
    ) throws -> CallExchange {
        let exchange = try next(&budget, at: now)
        budget.exchanged(reply(exchange), exchange)
        return exchange
    }

    /// Makes the next exchange, which is not carried out.
    private func next(_ budget: inout CallBudget, at now: Moment? = nil) throws -> CallExchange {
        let exchange = budget.exchange(at: now ?? start)
        return try #require(exchange)
    }

    @Test func onlyReservedCallsAreMade() throws {
        var budget = budget(1_000)
        #expect(budget.take(at: start) == .budgetUnreachable(retryAfter: .seconds(2)), "nothing is reserved yet")
        #expect(budget.remaining(at: start) == 0)
        try exchange(&budget) { _ in reply(2, used: 502) }
        #expect(budget.remaining(at: start) == 500)
        #expect(budget.take(at: start) == nil)
        #expect(budget.take(at: start) == nil)
        #expect(budget.remaining(at: start) == 498)
        #expect(budget.take(at: start) == .budgetUnreachable(retryAfter: .seconds(2)))
        try exchange(&budget) { _ in reply(0, used: 1_000, share: 0) }
        #expect(budget.take(at: start) == .budgetSpent(callsPerDay: 1_000, retryAfter: .seconds(50)))
        try exchange(&budget) { _ in reply(1, used: 1_000, share: 1) }
        #expect(budget.take(at: start) == nil, "the last call is reserved")
        #expect(budget.used == 3)
    }

    /// The number of calls that are wanted: of 10,000 a day, a block is 200.
    @Test(arguments: [
        // Before the first call, an eighth.
        (reserved: 0, made: 0, share: 1_000, wanted: 25), (12, 0, 1_000, 13), (13, 0, 1_000, 0),
        (100, 1, 1_000, 101), (200, 100, 1_000, 0), (200, 101, 1_000, 101),
        // Near the end of the budget no more than a share.
        (1, 1, 5, 5), (5, 2, 5, 0), (5, 3, 5, 3), (1, 1, 1, 1), (2, 1, 1, 0), (1, 1, 0, 1),
    ])
    func aBlockIsWantedWhenLessThanHalfOfOneIsLeft(
        _ test: (reserved: Int, made: Int, share: Int, wanted: Int)
    ) throws {
        var budget = budget(10_000)
        if test.reserved > 0 { try exchange(&budget) { _ in reply(test.reserved, used: 5_000, share: test.share) } }
        for _ in 0..<test.made { #expect(budget.take(at: start) == nil) }
        let isWanted = test.reserved > 0 && test.wanted > 0 && test.share > 0
        #expect(budget.wantsExchange(at: start) == isWanted)
        let wanted = try next(&budget)
        #expect(wanted.wanted == test.wanted)
    }

    @Test func claimsAreAllThatWasMadeOrMayBeMade() throws {
        var budget = budget(1_000)
        try exchange(&budget) { _ in reply(10, used: 10) }
        for _ in 0..<4 { _ = budget.take(at: start) }
        let later = start + .seconds(3_600)
        let second = try exchange(&budget, at: later) { _ in reply(3, used: 13, later: 1) }
        #expect(second.claims == [.init(hour: hour, count: 10)])
        // The oldest are made first, while they may be.
        for _ in 0..<2 { _ = budget.take(at: later) }
        let third = try exchange(&budget, at: start + .seconds(5_399)) { _ in reply(0, used: 13, later: 1) }
        #expect(third.claims == [.init(hour: hour, count: 10), .init(hour: hour + 1, count: 3)])
        let end = start + .seconds(5_400)
        #expect(budget.remaining(at: end) == 987 + 3, "four calls of the first hour can no longer be made")
        let fourth = try exchange(&budget, at: end) { _ in reply(0, used: 9, later: 2) }
        #expect(fourth.claims == [.init(hour: hour, count: 6), .init(hour: hour + 1, count: 3)])
        // After a day nothing of it counts.
        try exchange(&budget, at: end) { _ in reply(0, used: 0, later: 26) }
        let fifth = try next(&budget, at: start + .seconds(90_000))
        #expect(fifth.claims == [])
    }

    @Test func aCallThatFoundNoConnectionIsMadeAgainOrGivenBack() throws {
        var budget = budget(1_000)
        try exchange(&budget) { _ in reply(1, used: 1_000) }
        #expect(budget.take(at: start) == nil)
        budget.giveBack(startedAt: start)
        #expect(budget.take(at: start) == nil)
        let end = start + .seconds(5_400)
        budget.giveBack(startedAt: end - .seconds(1))
        #expect(budget.take(at: end) != nil, "its time is over")
        let again = try next(&budget, at: end)
        #expect(again.claims == [])
        budget.giveBack(startedAt: start)
        #expect(budget.take(at: start) != nil, "there is nothing to give back")
    }

    @Test func theLastExchangeGivesBackWhatWasNotMade() throws {
        var budget = budget(1_000)
        try exchange(&budget) { _ in reply(10, used: 10) }
        _ = budget.take(at: start)
        let exchange = budget.lastExchange(at: start)
        let last = try #require(exchange)
        #expect(last.claims == [.init(hour: hour, count: 1)])
        #expect(last.wanted == 0)
        #expect(budget.take(at: start) != nil)
    }

    @Test func earlierCallsAreToldUntilThereIsAReply() throws {
        var budget = budget(1_000, used: 40)
        let earlier = try next(&budget)
        #expect(earlier.earlierCalls == 40)
        let sent = try exchange(&budget) { _ in reply(5, used: 45) }
        #expect(sent.earlierCalls == 40)
        let later = try exchange(&budget) { _ in reply(0, used: 45) }
        #expect(later.earlierCalls == 0)
    }

    @Test func aServerWithABudgetOfItsOwnExchangesNothing() {
        var budget = budget(10, sharing: false)
        #expect(budget.exchange(at: start) == nil)
        #expect(budget.lastExchange(at: start) == nil)
        #expect(!budget.wantsExchange(at: start))
        #expect(budget.take(at: start) == nil)
        #expect(budget.remaining(at: start) == 9)
    }

    @Test func aCallerGetsAsManyCallsAsAreLeftToAllServers() throws {
        var budget = budget(100)
        let caller = CallerID.next()
        try exchange(&budget) { _ in reply(10, used: 95) }
        // Five that nobody has reserved, and ten that this server has.
        for _ in 0..<8 { #expect(budget.take(for: caller, at: start) == nil) }
        guard case .shareSpent(calls: 8, callsPerDay: 100, _) = budget.take(for: caller, at: start) else {
            return #expect(Bool(false), "as many as are left")
        }
        #expect(budget.take(for: .next(), at: start) == nil)
    }

    // MARK: Pauses

    private func pause(_ seconds: Int) -> CallExchange.Pause { .init(timeLeft: .seconds(seconds), isProbed: false) }

    @Test func aPauseOfOneServerIsThatOfAll() throws {
        var first = budget(100)
        var second = budget(100)
        try exchange(&first) { _ in reply(10, used: 10) }
        try exchange(&second) { _ in reply(10, used: 20) }
        first.refused(retryAfter: .seconds(60), at: start)
        #expect(first.wantsExchange(at: start))
        let now = start + .seconds(1)
        let began = try exchange(&first, at: now) { _ in reply(0, used: 20, pause: pause(59), revision: 1) }
        #expect(began.pauseChange == .began(pause(59)))
        #expect(!first.wantsExchange(at: now))
        try exchange(&second, at: now) { _ in reply(0, used: 20, pause: pause(59), revision: 1) }
        #expect(second.take(at: now) == .quota(retryAfter: .seconds(59)))
        #expect(second.block == first.block)
        // The same pause again, with a little delay, changes nothing.
        try exchange(&second, at: now) { _ in reply(0, used: 20, pause: pause(58), revision: 1) }
        #expect(second.block == first.block)
        second.answered()
        let ended = try exchange(&second, at: now) { _ in reply(0, used: 20, revision: 2) }
        #expect(ended.pauseChange == .ended)
        try exchange(&first, at: now) { _ in reply(0, used: 20, revision: 2) }
        #expect(first.block == nil)
        #expect(first.take(at: now) == nil)
    }

    @Test func aPauseThatChangedDuringAnExchangeIsKeptAndSentNext() throws {
        var budget = budget(100)
        try exchange(&budget) { _ in reply(10, used: 10) }
        let old = try next(&budget)
        budget.refused(retryAfter: .seconds(60), at: start)
        budget.exchanged(reply(0, used: 10, pause: pause(5), revision: 4), old)
        #expect(budget.take(at: start) == .quota(retryAfter: .seconds(60)))
        #expect(budget.wantsExchange(at: start))
        let changed = try next(&budget)
        #expect(changed.pauseChange == .began(pause(60)))
        // That exchange had no reply, so the next one has it again.
        let repeated = try next(&budget)
        #expect(repeated.pauseChange == .began(pause(60)))
    }

    @Test func aPauseFromBeforeTheStartIsNotToldToTheOthers() throws {
        let block = CallBudget.Block(until: start + .seconds(60), isProbed: true)
        var budget = CallBudget(callsPerDay: 100, block: block, at: start)
        budget.share(as: 7)
        let first = try next(&budget)
        #expect(first.pauseChange == .none)
        try exchange(&budget) { _ in reply(10, used: 10) }
        #expect(budget.block == block, "the others know of no pause")
        try exchange(&budget) { _ in reply(0, used: 10, revision: 1) }
        #expect(budget.block == nil, "the others know that it is over")
    }

    @Test func anUnboundedPauseIsBounded() throws {
        var budget = budget(100)
        try exchange(&budget) { _ in reply(10, used: 10, pause: pause(1_000_000), revision: 1) }
        #expect(budget.block?.until == start + SourceError.longestRetryDelay)
        #expect(!budget.wantsExchange(at: start))
    }
}
