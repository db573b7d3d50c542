import NIOCore
import RPCCore
import Testing

/// The server's own time for a call, in seconds: its caller's pauses are left out.
@Suite struct CallTimesTests {
    /// Ends the turn at a time.
    private func endTurn(_ stage: RunnerStage, at time: Int64) {
        stage.time = time
        stage.runner.turnEnded(now: stage.now)
    }

    /// Expects one ended call with these times, if the turn of its end ends now.
    private func expectEnd(_ stage: RunnerStage, after seconds: Int64, first: Int64?) {
        var ended: [EndedCall] = []
        stage.runner.takeEnded { ended.append($0) }
        let times = ended.map { $0.nanoseconds(now: stage.now) / 1_000_000_000 }
        let firstMessages = ended.map { $0.nanosecondsToFirstMessage(now: stage.now).map { $0 / 1_000_000_000 } }
        #expect(times == [seconds])
        #expect(firstMessages == [first])
    }

    /// A person may look at a page for as long as it takes.
    @Test func theWaitForCreditIsLeftOut() {
        let stage = RunnerStage()
        stage.begin(1, .text("a", then: Messages("b", "c")), credit: .messages(1))
        _ = stage.actions()
        endTurn(stage, at: 1)
        stage.time = 9
        stage.runner.grant(1, to: 1)
        #expect(stage.actions() == ["send 1 b"])
        endTurn(stage, at: 11)
        stage.time = 17
        stage.runner.grant(1, to: 1)
        #expect(stage.actions() == ["send 1 c last"])
        endTurn(stage, at: 18)
        expectEnd(stage, after: 1 + 2 + 1, first: 1)
    }

    @Test func aStreamThatIsCancelledInAPauseEndedWithItsLastMessage() {
        let stage = RunnerStage()
        stage.begin(1, .text("a", then: Messages("b")), credit: .messages(1))
        _ = stage.actions()
        endTurn(stage, at: 1)
        stage.time = 9
        stage.runner.cancel(1)
        _ = stage.actions()
        expectEnd(stage, after: 1, first: 1)
    }

    /// Over HTTP/2 there is no credit for messages: a window is full.
    @Test func theWaitForAReaderIsLeftOut() {
        let stage = RunnerStage()
        stage.room = 1
        stage.begin(1, .text("a", then: Messages("b")))
        _ = stage.actions()
        endTurn(stage, at: 1)
        stage.time = 30
        stage.room = 1
        #expect(stage.actions() == ["send 1 b last"])
        expectEnd(stage, after: 1, first: 1)
    }

    @Test func theWorkForTheNextMessageCounts() {
        let stage = RunnerStage()
        stage.begin(1, .text("a", then: Messages(end: .work)))
        _ = stage.actions()
        endTurn(stage, at: 1)
        stage.time = 6
        #expect(stage.finishWork(1, .success(.text("b"))) == ["send 1 b last"])
        endTurn(stage, at: 7)
        expectEnd(stage, after: 7, first: 1)
    }

    @Test func theWorkForTheFirstMessageCounts() {
        let stage = RunnerStage()
        stage.begin(1, .work)
        _ = stage.actions()
        endTurn(stage, at: 1)
        stage.time = 6
        #expect(stage.finishWork(1, .success(.text("a", then: Messages("b")))) == ["send 1 a first", "send 1 b last"])
        endTurn(stage, at: 7)
        expectEnd(stage, after: 7, first: 7)
    }

    @Test func anAnswerHasNoFirstMessage() {
        let stage = RunnerStage()
        stage.begin(1, .work, kind: .unary, wantsStream: false)
        _ = stage.actions()
        stage.time = 5
        _ = stage.finishWork(1, .success(.text("a")))
        expectEnd(stage, after: 5, first: nil)
    }
}
