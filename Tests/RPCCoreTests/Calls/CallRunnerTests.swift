import NIOCore
import RPCCore
import Synchronization
import Testing

/// Calls from request to answer: messages, credit, room, work, cancellation.
@Suite struct CallRunnerTests {
    private static let failure = RPCError(.notFound, reason: ErrorReason(rawValue: "NOT_FOUND"), "not there")

    // MARK: Answers

    @Test func anAnswerFromMemoryIsSentImmediatelyAndKeepsNoState() {
        var stage = RunnerStage()
        stage.begin(1, .text("a"), kind: .unary, wantsStream: false)
        let isEmpty = stage.runner.isEmpty
        let actions = stage.actions()
        #expect(isEmpty)
        #expect(actions == ["respond 1 a"])
    }

    @Test func aStreamSendsItsMessagesAndEnds() {
        var stage = RunnerStage()
        stage.begin(1, .text("a", then: Messages("b", "c")))
        let actions = stage.actions()
        #expect(actions == ["send 1 a first", "send 1 b", "send 1 c last"])
        let isEmpty = stage.runner.isEmpty
        #expect(isEmpty)
    }

    @Test func aStreamMayEndWithoutAMessage() {
        var stage = RunnerStage()
        stage.begin(1, .end)
        stage.begin(3, .source(Messages("a", end: .end)))
        let actions = stage.actions()
        #expect(actions == ["end 1", "send 3 a first", "end 3"])
    }

    @Test func aCallerThatWantsOneAnswerGetsTheFirstMessageOfAStream() {
        var stage = RunnerStage()
        stage.begin(1, .text("a", then: Messages("b")), wantsStream: false)
        stage.begin(3, .source(Messages("c", "d")), wantsStream: false)
        stage.begin(5, .end, wantsStream: false)
        let actions = stage.actions()
        #expect(actions == ["respond 1 a", "respond 5 ", "respond 3 c"])
    }

    @Test func aMethodThatRefusesItsRequestBeginsNoCall() {
        var stage = RunnerStage()
        stage.begin(1, RPCMethod(name: "Test", kind: .unary) { _ throws(RPCError) in throw Self.failure })
        let actions = stage.actions()
        #expect(actions == ["reject 1 NOT_FOUND"])
    }

    @Test func streamsSendInTurn() {
        var stage = RunnerStage()
        stage.begin(1, .text("a", then: Messages("b", "c")))
        stage.begin(3, .text("x", then: Messages("y", "z")))
        let actions = stage.actions()
        #expect(
            actions == [
                "send 1 a first", "send 3 x first", "send 1 b", "send 3 y", "send 1 c last", "send 3 z last",
            ]
        )
    }

    @Test func aMessageThatTheWireRefusesEndsItsCall() {
        var stage = RunnerStage()
        stage.room = 1
        stage.begin(1, .text("a", then: Messages("b")))
        _ = stage.actions()
        stage.runner.fail(1, Self.failure)
        stage.room = 9
        let actions = stage.actions()
        #expect(actions == ["fail 1 NOT_FOUND"])
    }

    // MARK: Room

    @Test func noMessageIsMadeWhileThereIsNoRoom() {
        var stage = RunnerStage()
        stage.room = 1
        stage.begin(1, .text("a", then: Messages("b", "c")))
        let first = stage.actions()
        #expect(first == ["send 1 a first"])
        stage.room = 1
        let second = stage.actions()
        #expect(second == ["send 1 b"])
    }

    @Test func theResultOfWorkWaitsForRoom() {
        var stage = RunnerStage()
        stage.room = 0
        stage.begin(1, .work, kind: .unary, wantsStream: false)
        let begun = stage.actions()
        let finished = stage.finishWork(1, .success(.text("abc")))
        let byteCount = stage.runner.finishedByteCount
        #expect(begun == ["work 1"])
        #expect(finished == [])
        #expect(byteCount == 3)
        stage.room = 1
        let answered = stage.actions()
        #expect(answered == ["respond 1 abc"])
    }

    // MARK: Work

    @Test func workIsAnsweredWithItsResult() {
        var stage = RunnerStage()
        stage.begin(1, .work, kind: .unary, wantsStream: false)
        stage.begin(3, .work, kind: .unary, wantsStream: false)
        let begun = stage.actions()
        #expect(begun == ["work 1", "work 3"])
        let failed = stage.finishWork(3, .failure(Self.failure))
        #expect(failed == ["fail 3 NOT_FOUND"])
        let answered = stage.finishWork(1, .success(.text("a")))
        #expect(answered == ["respond 1 a"])
        let again = stage.finishWork(1, .success(.text("a")))
        #expect(again == [], "it is answered once")
    }

    @Test func aStreamMayWorkBetweenItsMessages() {
        var stage = RunnerStage()
        stage.begin(1, .text("a", then: Messages(end: .work)))
        let begun = stage.actions()
        #expect(begun == ["send 1 a first", "work 1"])
        let finished = stage.finishWork(1, .success(.text("b", then: Messages("c"))))
        #expect(finished == ["send 1 b", "send 1 c last"])
    }

    @Test func aCancelledCallIsOverWhenItsWorkHasStopped() {
        var stage = RunnerStage()
        stage.begin(1, .work, kind: .unary, wantsStream: false)
        _ = stage.actions()
        stage.runner.cancel(1)
        let cancelled = stage.actions()
        #expect(cancelled == ["stop work 1"] && stage.runner.progress(of: 1, now: stage.now) == .stopping)
        let stopped = stage.finishWork(1, .success(.text("a")))
        #expect(stopped == [] && stage.runner.progress(of: 1, now: stage.now) == nil)
    }

    // MARK: Credit

    @Test(arguments: [0, 1, 2, 3] as [UInt32])
    func aStreamSendsItsCreditAndWaits(_ credit: UInt32) {
        var stage = RunnerStage()
        stage.begin(1, .text("a", then: Messages("b", "c", "d")), credit: .messages(credit))
        let sent = stage.actions()
        #expect(sent == ["send 1 a first", "send 1 b", "send 1 c"].prefix(Int(credit)) + ["check at 10"])
        stage.runner.grant(1, to: 1)
        let next = stage.actions()
        #expect(next.first?.hasPrefix("send 1 ") == true)
        #expect(next.count { $0.hasPrefix("send") } == 1)
    }

    @Test func theFirstStepOfAStreamWaitsForCredit() {
        var stage = RunnerStage()
        stage.begin(1, .work, credit: .messages(0))
        stage.begin(3, .text("only"), credit: .messages(0))
        let begun = stage.actions()
        #expect(begun == ["check at 10"])
        stage.runner.grant(1, to: 1)
        stage.runner.grant(1, to: 3)
        let granted = stage.actions()
        #expect(granted == ["work 1", "send 3 only first last"])
        let actions = stage.finishWork(1, .success(.source(Messages("a", "b"))))
        #expect(actions == ["send 1 a first"])
    }

    /// Otherwise every stream would keep what its method makes.
    @Test func aMethodStartsWithCredit() {
        var stage = RunnerStage()
        let starts = Mutex(0)
        let method = RPCMethod(name: "Test", kind: .serverStreaming) { call throws(RPCError) in
            starts.withLock { $0 += 1 }
            throw RPCError(.invalidArgument, reason: .valueInvalid, "")
        }
        for id in [1, 3, 5] as [StreamID] { stage.begin(id, method, credit: .messages(0)) }
        let begun = stage.actions()
        #expect(begun == ["check at 10"])
        #expect(starts.withLock(\.self) == 0)
        let held = stage.runner.waitingByteCount
        #expect(held == 3 * "request".utf8.count)
        stage.runner.cancel(3)
        stage.runner.grant(1, to: 5)
        let granted = stage.actions()
        #expect(granted == ["reject 5 VALUE_INVALID"])
        #expect(starts.withLock(\.self) == 1)
        let late = stage.pass(to: 10)
        #expect(late == ["fail 1 CREDIT_TIMEOUT"])
        let left = stage.runner.waitingByteCount
        #expect(left == 0 && stage.runner.isEmpty)
    }

    /// A watch that has nothing to tell does not wait for credit.
    @Test func anIdleWatchNeedsNoCredit() {
        var stage = RunnerStage()
        let log = TestLog("a")
        stage.begin(1, log.reading(after: 1), isWatch: true, credit: .messages(0))
        let begun = stage.actions()
        #expect(begun == ["listen"])
        let later = stage.pass(to: 1_000)
        #expect(later == [])
        let news = stage.append("b", to: log)
        #expect(news == ["check at 1010"])
        stage.runner.grant(1, to: 1)
        let sent = stage.actions()
        #expect(sent == ["send 1 b first"])
    }

    @Test func creditAddsUpAndSaturates() {
        var stage = RunnerStage()
        stage.room = 1
        stage.begin(1, .text("a", then: Messages("b", "c", "d")), credit: .messages(.max))
        for _ in 0..<3 {
            let hasEffect = stage.runner.grant(.max, to: 1)
            #expect(hasEffect)
        }
        stage.room = 9
        let actions = stage.actions()
        #expect(actions.count == 4, "a sum that wrapped around would be small")
    }

    @Test func creditForAnUnlimitedOrUnknownCallHasNoEffect() {
        var stage = RunnerStage()
        stage.room = 1
        stage.begin(1, .text("a", then: Messages("b")))
        stage.begin(3, .work, wantsStream: false, credit: .messages(1))
        _ = stage.actions()
        for id in [1, 3, 5] as [StreamID] {
            let hasEffect = stage.runner.grant(1, to: id)
            #expect(!hasEffect)
        }
    }

    @Test func aMessageOfWorkHasTheCreditThatItsCallBeganWith() {
        var stage = RunnerStage()
        stage.begin(1, .work, credit: .messages(1))
        _ = stage.actions()
        let actions = stage.finishWork(1, .success(.source(Messages("a", "b"))))
        #expect(actions == ["send 1 a first", "check at 10"])
    }

    // MARK: Further requests

    @Test func aConversationAnswersEachRequestAndEndsAfterTheLast() {
        var stage = RunnerStage()
        stage.begin(1, .conversation(Echo()), credit: .messages(8), hasMoreRequests: true)
        let first = stage.actions()
        #expect(first == ["send 1 request first"])
        stage.runner.requestReceived(ByteBuffer(string: "b"), on: 1)
        stage.runner.requestReceived(ByteBuffer(string: "c"), on: 1)
        stage.runner.requestsEnded(on: 1)
        let rest = stage.actions()
        #expect(rest == ["send 1 b", "send 1 c", "end 1"])
    }

    @Test func aConversationOfOneRequestIsACall() {
        var stage = RunnerStage()
        stage.begin(1, .conversation(Echo()))
        stage.begin(3, .conversation(Echo()), wantsStream: false)
        let actions = stage.actions()
        #expect(actions == ["send 1 request first", "respond 3 request", "end 1"])
    }

    @Test func requestsWaitForCreditAndAreBounded() {
        var stage = RunnerStage()
        stage.begin(1, .conversation(Echo()), credit: .messages(1), hasMoreRequests: true)
        stage.runner.requestReceived(ByteBuffer(string: "b"), on: 1)
        let sent = stage.actions()
        #expect(sent == ["send 1 request first", "check at 10"])
        for _ in 0..<16 { stage.runner.requestReceived(ByteBuffer(string: "c"), on: 1) }
        let refused = stage.actions()
        #expect(refused == ["fail 1 REQUEST_LIMIT"])
        let left = stage.runner.waitingByteCount
        #expect(left == 0)
    }
}
