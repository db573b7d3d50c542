import NIOCore
import RPCCore
import Synchronization
import Testing

/// Calls from request to answer: messages, credit, room, work, cancellation.
@Suite struct CallRunnerTests {
    private static let failure = RPCError(.notFound, reason: ErrorReason(rawValue: "NOT_FOUND"), "not there")

    // MARK: Answers

    @Test func anAnswerFromMemoryIsSentImmediatelyAndKeepsNoState() {
        let stage = RunnerStage()
        stage.begin(1, .text("a"), kind: .unary, wantsStream: false)
        #expect(stage.isEmpty)
        #expect(stage.actions() == ["respond 1 a"])
    }

    @Test func aStreamSendsItsMessagesAndEnds() {
        let stage = RunnerStage()
        stage.begin(1, .text("a", then: Messages("b", "c")))
        #expect(stage.actions() == ["send 1 a first", "send 1 b", "send 1 c last"])
        #expect(stage.isEmpty)
    }

    @Test func aStreamMayEndWithoutAMessage() {
        let stage = RunnerStage()
        stage.begin(1, .end)
        stage.begin(3, .source(Messages("a", end: .end)))
        #expect(stage.actions() == ["end 1", "send 3 a first", "end 3"])
    }

    @Test func aCallerThatWantsOneAnswerGetsTheFirstMessageOfAStream() {
        let stage = RunnerStage()
        stage.begin(1, .text("a", then: Messages("b")), wantsStream: false)
        stage.begin(3, .source(Messages("c", "d")), wantsStream: false)
        stage.begin(5, .end, wantsStream: false)
        #expect(stage.actions() == ["respond 1 a", "respond 5 ", "respond 3 c"])
    }

    @Test func aMethodThatRefusesItsRequestBeginsNoCall() {
        let stage = RunnerStage()
        stage.begin(1, RPCMethod(name: "Test", kind: .unary) { _ throws(RPCError) in throw Self.failure })
        #expect(stage.actions() == ["reject 1 NOT_FOUND"])
    }

    @Test func streamsSendInTurn() {
        let stage = RunnerStage()
        stage.begin(1, .text("a", then: Messages("b", "c")))
        stage.begin(3, .text("x", then: Messages("y", "z")))
        #expect(
            stage.actions() == [
                "send 1 a first", "send 3 x first", "send 1 b", "send 3 y", "send 1 c last", "send 3 z last",
            ]
        )
    }

    @Test func aMessageThatTheWireRefusesEndsItsCall() {
        let stage = RunnerStage()
        stage.room = 1
        stage.begin(1, .text("a", then: Messages("b")))
        _ = stage.actions()
        stage.runner.fail(1, Self.failure)
        stage.room = 9
        #expect(stage.actions() == ["fail 1 NOT_FOUND"])
    }

    // MARK: Room

    @Test func noMessageIsMadeWhileThereIsNoRoom() {
        let stage = RunnerStage()
        stage.room = 1
        stage.begin(1, .text("a", then: Messages("b", "c")))
        #expect(stage.actions() == ["send 1 a first"])
        stage.room = 1
        #expect(stage.actions() == ["send 1 b"])
    }

    @Test func theResultOfWorkWaitsForRoom() {
        let stage = RunnerStage()
        stage.room = 0
        stage.begin(1, .work, kind: .unary, wantsStream: false)
        #expect(stage.actions() == ["work 1"])
        #expect(stage.finishWork(1, .success(.text("abc"))) == [])
        let byteCount = stage.runner.finishedByteCount
        #expect(byteCount == 3)
        stage.room = 1
        #expect(stage.actions() == ["respond 1 abc"])
    }

    // MARK: Work

    @Test func workIsAnsweredWithItsResult() {
        let stage = RunnerStage()
        stage.begin(1, .work, kind: .unary, wantsStream: false)
        stage.begin(3, .work, kind: .unary, wantsStream: false)
        #expect(stage.actions() == ["work 1", "work 3"])
        #expect(stage.finishWork(3, .failure(Self.failure)) == ["fail 3 NOT_FOUND"])
        #expect(stage.finishWork(1, .success(.text("a"))) == ["respond 1 a"])
        #expect(stage.finishWork(1, .success(.text("a"))) == [], "it is answered once")
    }

    @Test func aStreamMayWorkBetweenItsMessages() {
        let stage = RunnerStage()
        stage.begin(1, .text("a", then: Messages(end: .work)))
        #expect(stage.actions() == ["send 1 a first", "work 1"])
        #expect(stage.finishWork(1, .success(.text("b", then: Messages("c")))) == ["send 1 b", "send 1 c last"])
    }

    @Test func aCancelledCallIsOverWhenItsWorkHasStopped() {
        let stage = RunnerStage()
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
        let stage = RunnerStage()
        stage.begin(1, .text("a", then: Messages("b", "c", "d")), credit: .messages(credit))
        #expect(stage.actions() == ["send 1 a first", "send 1 b", "send 1 c"].prefix(Int(credit)) + ["check at 10"])
        stage.runner.grant(1, to: 1)
        let next = stage.actions()
        #expect(next.first?.hasPrefix("send 1 ") == true)
        #expect(next.count { $0.hasPrefix("send") } == 1)
    }

    @Test func theFirstStepOfAStreamWaitsForCredit() {
        let stage = RunnerStage()
        stage.begin(1, .work, credit: .messages(0))
        stage.begin(3, .text("only"), credit: .messages(0))
        #expect(stage.actions() == ["check at 10"])
        stage.runner.grant(1, to: 1)
        stage.runner.grant(1, to: 3)
        #expect(stage.actions() == ["work 1", "send 3 only first last"])
        #expect(stage.finishWork(1, .success(.source(Messages("a", "b")))) == ["send 1 a first"])
    }

    /// Otherwise every stream would keep what its method makes.
    @Test func aMethodStartsWithCredit() {
        let stage = RunnerStage()
        let starts = Mutex(0)
        let method = RPCMethod(name: "Test", kind: .serverStreaming) { call throws(RPCError) in
            starts.withLock { $0 += 1 }
            throw RPCError(.invalidArgument, reason: .valueInvalid, "")
        }
        for id in [1, 3, 5] as [StreamID] { stage.begin(id, method, credit: .messages(0)) }
        #expect(stage.actions() == ["check at 10"])
        #expect(starts.withLock(\.self) == 0)
        #expect(stage.waitingByteCount == 3 * "request".utf8.count)
        stage.runner.cancel(3)
        stage.runner.grant(1, to: 5)
        #expect(stage.actions() == ["reject 5 VALUE_INVALID"])
        #expect(starts.withLock(\.self) == 1)
        #expect(stage.pass(to: 10) == ["fail 1 CREDIT_TIMEOUT"])
        #expect(stage.waitingByteCount == 0)
        #expect(stage.isEmpty)
    }

    /// A watch that has nothing to tell does not wait for credit.
    @Test func anIdleWatchNeedsNoCredit() {
        let stage = RunnerStage()
        let log = TestLog("a")
        stage.begin(1, log.reading(after: 1), isWatch: true, credit: .messages(0))
        #expect(stage.actions() == ["listen"])
        #expect(stage.pass(to: 1_000) == [])
        #expect(stage.append("b", to: log) == ["check at 1010"])
        stage.runner.grant(1, to: 1)
        #expect(stage.actions() == ["send 1 b first"])
    }

    @Test func creditAddsUpAndSaturates() {
        let stage = RunnerStage()
        stage.room = 1
        stage.begin(1, .text("a", then: Messages("b", "c", "d")), credit: .messages(.max))
        for _ in 0..<3 {
            let hasEffect = stage.runner.grant(.max, to: 1)
            #expect(hasEffect)
        }
        stage.room = 9
        #expect(stage.actions().count == 4, "a sum that wrapped around would be small")
    }

    @Test func creditForAnUnlimitedOrUnknownCallHasNoEffect() {
        let stage = RunnerStage()
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
        let stage = RunnerStage()
        stage.begin(1, .work, credit: .messages(1))
        _ = stage.actions()
        #expect(stage.finishWork(1, .success(.source(Messages("a", "b")))) == ["send 1 a first", "check at 10"])
    }

    // MARK: Further requests

    @Test func aConversationAnswersEachRequestAndEndsAfterTheLast() {
        let stage = RunnerStage()
        stage.begin(1, .conversation(Echo()), credit: .messages(8), hasMoreRequests: true)
        #expect(stage.actions() == ["send 1 request first"])
        stage.runner.requestReceived(ByteBuffer(string: "b"), on: 1)
        #expect(stage.actions() == ["send 1 b"])
        stage.runner.requestReceived(ByteBuffer(string: "c"), on: 1)
        stage.runner.requestsEnded(on: 1)
        #expect(stage.actions() == ["send 1 c", "end 1"])
    }

    @Test func aConversationOfOneRequestIsACall() {
        let stage = RunnerStage()
        stage.begin(1, .conversation(Echo()))
        stage.begin(3, .conversation(Echo()), wantsStream: false)
        #expect(stage.actions() == ["send 1 request first", "respond 3 request", "end 1"])
    }

    @Test func oneRequestWaitsForCredit() {
        let stage = RunnerStage()
        stage.begin(1, .conversation(Echo()), credit: .messages(1), hasMoreRequests: true)
        #expect(stage.actions() == ["send 1 request first"])
        stage.runner.requestReceived(ByteBuffer(string: "b"), on: 1)
        #expect(stage.actions() == ["check at 10"])
        let takesAnother = stage.runner.takesRequest(on: 1)
        #expect((takesAnother, stage.waitingByteCount) == (false, 1))
        let hasEffect = stage.runner.grant(1, to: 1)
        #expect(hasEffect)
        #expect((stage.actions(), stage.waitingByteCount) == (["send 1 b"], 0))
    }
}
