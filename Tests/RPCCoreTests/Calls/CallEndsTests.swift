import NIOCore
import RPCCore
import Testing

/// Calls that end before their method ends them: deadlines, peers that close their side, servers that stop. Times are
/// in seconds.
@Suite struct CallEndsTests {
    // MARK: Deadlines

    @Test func aDeadlineEndsACallAndStopsItsWork() {
        var stage = RunnerStage()
        stage.begin(1, .work, kind: .unary, wantsStream: false, deadline: 5)
        let begun = stage.actions()
        #expect(begun == ["check at 5", "work 1"])
        let early = stage.pass(to: 4)
        #expect(early == [])
        let due = stage.pass(to: 5)
        #expect(due == ["stop work 1", "fail 1 DEADLINE_EXCEEDED"])
        let stopped = stage.finishWork(1, .success(.text("late")))
        #expect(stopped == [] && stage.runner.runningCount == 0)
    }

    @Test func eachCallHasItsOwnDeadline() {
        var stage = RunnerStage()
        for (id, deadline) in [(1, 9), (3, 5), (5, 7)] as [(StreamID, Int64)] {
            stage.begin(id, .work, kind: .unary, wantsStream: false, deadline: deadline)
        }
        let begun = stage.actions()
        #expect(
            begun == ["check at 9", "work 1", "check at 5", "work 3", "work 5"],
            "only an earlier check is requested"
        )
        let first = stage.pass(to: 5)
        #expect(first == ["stop work 3", "fail 3 DEADLINE_EXCEEDED"])
        let next = stage.runner.nextCheck
        #expect(next == .uptimeNanoseconds(7_000_000_000))
        let others = stage.pass(to: 9)
        #expect(others.filter { $0.hasPrefix("fail") } == ["fail 1 DEADLINE_EXCEEDED", "fail 5 DEADLINE_EXCEEDED"])
        let none = stage.runner.nextCheck
        #expect(none == nil)
    }

    @Test func aStreamThatWaitsForCreditTooLongEndsWithItsPlace() {
        var stage = RunnerStage()
        stage.begin(1, .text("a", then: Messages("b", "c")), credit: .messages(1))
        _ = stage.actions()
        let early = stage.pass(to: 9)
        #expect(early == [])
        stage.runner.timePassed(now: .uptimeNanoseconds(10_000_000_000))
        guard
            case .fail(1, let error, because: .creditTimeout)? = stage.runner
                .nextAction()
        else {
            Issue.record("the call does not end for want of credit")
            return
        }
        #expect(error.reason == .creditTimeout)
        #expect(error.adding(metadata: ["left": "2"]) == error, "the place is in it already")
    }

    @Test func aStreamMayEndWhileItsFirstMessageWaitsForCredit() {
        var stage = RunnerStage()
        stage.begin(1, .text("a"), credit: .messages(0))
        _ = stage.actions()
        let late = stage.pass(to: 10)
        #expect(late == ["fail 1 CREDIT_TIMEOUT"])
        stage.begin(3, .work, credit: .messages(0))
        stage.runner.drain()
        stage.begin(5, .text("a"), credit: .messages(0))
        let drained = stage.actions()
        #expect(drained == ["check at 20", "fail 3 DRAINING", "fail 5 DRAINING"])
        let isEmpty = stage.runner.isEmpty
        #expect(isEmpty)
    }

    @Test func aWatchHasItsPlaceBeforeItHasCredit() {
        var stage = RunnerStage()
        stage.begin(1, TestLog("a", "b").reading(after: 1), isWatch: true, credit: .messages(0))
        stage.begin(3, TestLog("a").reading(after: 1), isWatch: true, credit: .messages(0))
        let begun = stage.actions()
        #expect(begun == ["listen", "check at 10", "listen"])
        stage.runner.drain()
        var places: [RPCError] = []
        while let action = stage.runner.nextAction() {
            if case .fail(_, let error, because: .draining) = action { places.append(error) }
        }
        #expect(places.count == 2)
        for error in places { #expect(error.adding(metadata: ["from": "1"]) == error, "the place is in it already") }
    }

    @Test func creditEndsTheWaitForIt() {
        var stage = RunnerStage()
        stage.begin(1, .text("a", then: Messages("b", "c")), credit: .messages(1))
        _ = stage.actions()
        stage.time = 9
        stage.runner.grant(1, to: 1)
        let sent = stage.actions()
        #expect(sent == ["send 1 b"], "and it waits again, for a check that is already requested")
        let due = stage.pass(to: 18)
        #expect(due == [])
        let second = stage.pass(to: 19)
        #expect(second == ["fail 1 CREDIT_TIMEOUT"])
    }

    // MARK: The peer closes its side

    @Test func aStreamThatWouldHaveToWaitEndsWithTheInput() {
        var stage = RunnerStage()
        stage.begin(1, .text("a", then: Messages("b")), credit: .messages(1))
        stage.begin(3, TestLog().reading(), isWatch: true)
        stage.begin(5, .work, wantsStream: true)
        stage.begin(7, .work, wantsStream: false)
        _ = stage.actions()
        stage.runner.inputClosed()
        let ended = stage.actions()
        #expect(ended == ["fail 1 INPUT_CLOSED", "stop listening", "fail 3 INPUT_CLOSED"])
        let later = stage.finishWork(5, .success(.text("a", then: Messages("b"))))
        #expect(later == ["send 5 a first", "send 5 b last"], "its first message takes work")
        let unary = stage.finishWork(7, .success(.text("a")))
        #expect(unary == ["respond 7 a"])
    }

    // MARK: The server stops

    @Test func aDrainEndsOnlyEndlessCalls() {
        var stage = RunnerStage()
        stage.begin(1, .text("a", then: Messages("b")), credit: .messages(1))
        stage.begin(3, TestLog().reading(), isWatch: true)
        stage.begin(5, .work, wantsStream: false)
        stage.begin(7, .conversation(Echo()), hasMoreRequests: true)
        _ = stage.actions()
        stage.room = 0
        stage.begin(9, .text("a", then: Messages("b")))
        let begun = stage.actions()
        #expect(begun == ["send 9 a first"])
        stage.runner.drain()
        stage.room = 9
        let ended = stage.actions()
        #expect(
            ended.filter { $0.hasPrefix("fail") } == [
                "fail 1 DRAINING", "fail 3 DRAINING", "fail 7 DRAINING",
            ]
        )
        #expect(ended.last == "send 9 b last")
        let work = stage.finishWork(5, .success(.text("a")))
        #expect(work == ["respond 5 a"])
    }

    @Test func aDrainingStreamDoesNotWaitForCredit() {
        var stage = RunnerStage()
        stage.room = 1
        stage.begin(1, .text("a", then: Messages("b", "c")), credit: .messages(2))
        _ = stage.actions()
        stage.runner.drain()
        stage.room = 9
        let actions = stage.actions()
        #expect(actions == ["send 1 b", "fail 1 DRAINING"])
    }

    @Test func theEndOfTheDrainEndsEverything() {
        var stage = RunnerStage()
        stage.begin(1, .work, wantsStream: false)
        stage.begin(3, TestLog().reading(), isWatch: true)
        _ = stage.actions()
        stage.runner.endDrain()
        let ended = stage.actions()
        #expect(ended == ["stop work 1", "fail 1 DRAINING", "stop listening", "fail 3 DRAINING"])
        let isEmpty = stage.runner.isEmpty
        #expect(isEmpty)
    }

    @Test func aClosedConnectionStopsEverythingAndAnswersNothing() {
        var stage = RunnerStage()
        stage.begin(1, .work, wantsStream: false)
        stage.begin(3, TestLog().reading(), isWatch: true)
        _ = stage.actions()
        stage.room = 0
        stage.begin(5, .source(Messages("a")))
        _ = stage.actions()
        stage.runner.connectionClosed()
        stage.room = 9
        let ended = stage.actions()
        #expect(ended == ["stop work 1", "stop listening"])
        let work = stage.finishWork(1, .success(.text("a")))
        #expect(work == [] && stage.runner.runningCount == 0)
    }
}
