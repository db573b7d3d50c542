import NIOCore
import RPCCore
import Testing

/// Calls that end before their method ends them: deadlines, peers that close their side, servers that stop. Times are
/// in seconds.
@Suite struct CallEndsTests {
    // MARK: Deadlines

    @Test func aDeadlineEndsACallAndStopsItsWork() {
        let stage = RunnerStage()
        stage.begin(1, .work, kind: .unary, wantsStream: false, deadline: 5)
        #expect(stage.actions() == ["check at 5", "work 1"])
        #expect(stage.pass(to: 4) == [])
        #expect(stage.pass(to: 5) == ["stop work 1", "fail 1 DEADLINE_EXCEEDED"])
        #expect(stage.finishWork(1, .success(.text("late"))) == [])
        #expect(stage.runningCount == 0)
    }

    @Test func eachCallHasItsOwnDeadline() {
        let stage = RunnerStage()
        for (id, deadline) in [(1, 9), (3, 5), (5, 7)] as [(StreamID, Int64)] {
            stage.begin(id, .work, kind: .unary, wantsStream: false, deadline: deadline)
        }
        #expect(
            stage.actions() == ["check at 9", "work 1", "check at 5", "work 3", "work 5"],
            "only an earlier check is requested"
        )
        #expect(stage.pass(to: 5) == ["stop work 3", "fail 3 DEADLINE_EXCEEDED"])
        #expect(stage.nextCheck == .uptimeNanoseconds(7_000_000_000))
        #expect(
            stage.pass(to: 9).filter { $0.hasPrefix("fail") } == [
                "fail 1 DEADLINE_EXCEEDED", "fail 5 DEADLINE_EXCEEDED",
            ]
        )
        #expect(stage.nextCheck == nil)
    }

    @Test func aStreamThatWaitsForCreditTooLongEndsWithItsPlace() {
        let stage = RunnerStage()
        stage.begin(1, .text("a", then: Messages("b", "c")), credit: .messages(1))
        _ = stage.actions()
        #expect(stage.pass(to: 9) == [])
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
        let stage = RunnerStage()
        stage.begin(1, .text("a"), credit: .messages(0))
        _ = stage.actions()
        #expect(stage.pass(to: 10) == ["fail 1 CREDIT_TIMEOUT"])
        stage.begin(3, .work, credit: .messages(0))
        stage.runner.drain()
        stage.begin(5, .text("a"), credit: .messages(0))
        #expect(stage.actions() == ["check at 20", "fail 3 DRAINING", "fail 5 DRAINING"])
        #expect(stage.isEmpty)
    }

    @Test func aWatchHasItsPlaceBeforeItHasCredit() {
        let stage = RunnerStage()
        stage.begin(1, TestLog("a", "b").reading(after: 1), isWatch: true, credit: .messages(0))
        stage.begin(3, TestLog("a").reading(after: 1), isWatch: true, credit: .messages(0))
        #expect(stage.actions() == ["listen", "check at 10", "listen"])
        stage.runner.drain()
        var places: [RPCError] = []
        while let action = stage.runner.nextAction() {
            if case .fail(_, let error, because: .draining) = action { places.append(error) }
        }
        #expect(places.count == 2)
        for error in places { #expect(error.adding(metadata: ["from": "1"]) == error, "the place is in it already") }
    }

    @Test func creditEndsTheWaitForIt() {
        let stage = RunnerStage()
        stage.begin(1, .text("a", then: Messages("b", "c")), credit: .messages(1))
        _ = stage.actions()
        stage.time = 9
        stage.runner.grant(1, to: 1)
        #expect(stage.actions() == ["send 1 b"], "and it waits again, for a check that is already requested")
        #expect(stage.pass(to: 18) == [])
        #expect(stage.pass(to: 19) == ["fail 1 CREDIT_TIMEOUT"])
    }

    // MARK: The peer closes its side

    @Test func aStreamThatWouldHaveToWaitEndsWithTheInput() {
        let stage = RunnerStage()
        stage.begin(1, .text("a", then: Messages("b")), credit: .messages(1))
        stage.begin(3, TestLog().reading(), isWatch: true)
        stage.begin(5, .work, wantsStream: true)
        stage.begin(7, .work, wantsStream: false)
        stage.begin(9, .text("a", then: Messages(end: .work)), credit: .messages(2))
        _ = stage.actions()
        stage.runner.inputClosed()
        #expect(stage.actions() == ["fail 1 INPUT_CLOSED", "stop listening", "fail 3 INPUT_CLOSED"])
        #expect(
            stage.finishWork(5, .success(.text("a", then: Messages("b")))) == ["send 5 a first", "send 5 b last"],
            "its first message takes work"
        )
        #expect(stage.finishWork(9, .success(.text("z"))) == ["send 9 z last"], "and so does a later one")
        #expect(stage.finishWork(7, .success(.text("a"))) == ["respond 7 a"])
    }

    // MARK: The server stops

    @Test func aDrainEndsOnlyEndlessCalls() {
        let stage = RunnerStage()
        stage.begin(1, .text("a", then: Messages("b")), credit: .messages(1))
        stage.begin(3, TestLog().reading(), isWatch: true)
        stage.begin(5, .work, wantsStream: false)
        stage.begin(7, .conversation(Echo()), hasMoreRequests: true)
        _ = stage.actions()
        stage.room = 0
        stage.begin(9, .text("a", then: Messages("b")))
        #expect(stage.actions() == ["send 9 a first"])
        stage.runner.drain()
        stage.room = 9
        let ended = stage.actions()
        #expect(
            ended.filter { $0.hasPrefix("fail") } == [
                "fail 1 DRAINING", "fail 3 DRAINING", "fail 7 DRAINING",
            ]
        )
        #expect(ended.last == "send 9 b last")
        #expect(stage.finishWork(5, .success(.text("a"))) == ["respond 5 a"])
    }

    @Test func aDrainingStreamDoesNotWaitForCredit() {
        let stage = RunnerStage()
        stage.room = 1
        stage.begin(1, .text("a", then: Messages("b", "c")), credit: .messages(2))
        _ = stage.actions()
        stage.runner.drain()
        stage.room = 9
        #expect(stage.actions() == ["send 1 b", "fail 1 DRAINING"])
    }

    @Test func theEndOfTheDrainEndsEverything() {
        let stage = RunnerStage()
        stage.begin(1, .work, wantsStream: false)
        stage.begin(3, TestLog().reading(), isWatch: true)
        _ = stage.actions()
        stage.runner.endDrain()
        #expect(stage.actions() == ["stop work 1", "fail 1 DRAINING", "stop listening", "fail 3 DRAINING"])
        #expect(stage.isEmpty)
    }

    @Test func aClosedConnectionStopsEverythingAndAnswersNothing() {
        let stage = RunnerStage()
        stage.begin(1, .work, wantsStream: false)
        stage.begin(3, TestLog().reading(), isWatch: true)
        _ = stage.actions()
        stage.room = 0
        stage.begin(5, .source(Messages("a")))
        _ = stage.actions()
        stage.runner.connectionClosed()
        stage.room = 9
        #expect(stage.actions() == ["stop work 1", "stop listening"])
        #expect(stage.finishWork(1, .success(.text("a"))) == [])
        #expect(stage.runningCount == 0)
    }
}
