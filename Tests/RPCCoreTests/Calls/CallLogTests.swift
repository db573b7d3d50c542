import NIOCore
import RPCCore
import Testing

/// Calls that read logs. Times are in seconds.
@Suite struct CallLogTests {
    private let log = TestLog()

    // MARK: Messages

    @Test func aReaderSendsExistingThenAppendedLines() {
        let log = TestLog("a", "b", "c")
        let stage = RunnerStage()
        stage.begin(1, log.reading(after: 1), isWatch: true)
        #expect(stage.actions() == ["send 1 b first", "listen", "send 1 c"])
        #expect(stage.append("d", to: log) == ["send 1 d"])
        #expect(stage.append("e", to: log) == ["send 1 e"])
    }

    @Test func allReadersShareARegistrationAndAMessage() {
        let stage = RunnerStage()
        for id in [1, 3, 5] as [StreamID] { stage.begin(id, log.reading(), isWatch: true) }
        #expect(stage.actions() == ["listen"])
        #expect(log.listeners == 1)
        let before = log.questions
        #expect(stage.append("a", to: log) == ["send 1 a first", "send 3 a first", "send 5 a first"])
        #expect(log.questions == before + 2, "for the message, and for the next one")
    }

    @Test func messagesAreSentInTurn() {
        let stage = RunnerStage()
        for id in [1, 3] as [StreamID] { stage.begin(id, log.reading(), isWatch: true) }
        _ = stage.actions()
        log.append("a")
        #expect(stage.append("b", to: log) == ["send 1 a first", "send 3 a first", "send 1 b", "send 3 b"])
    }

    @Test func readersOfTwoLogsHearOfTheirOwn() {
        let other = TestLog()
        let stage = RunnerStage()
        stage.begin(1, log.reading(), isWatch: true)
        stage.begin(3, other.reading(), isWatch: true)
        #expect(stage.actions() == ["listen", "listen"])
        #expect(stage.append("a", to: other) == ["send 3 a first"])
        #expect(stage.append("b", to: log) == ["send 1 b first"])
    }

    /// A message may be appended after the runner's question and before the registration.
    @Test func aMessageThatIsAppendedDuringTheRegistrationIsSent() {
        let stage = RunnerStage()
        stage.begin(1, log.reading(), isWatch: true)
        stage.room = 0
        _ = stage.actions()
        stage.room = 1
        let early = stage.runner.sendNext(now: stage.now)
        log.append("a")
        let actions = stage.actions()
        #expect(early == nil && actions == ["listen", "send 1 a first"])
    }

    @Test func aWakeWithoutAMessageHasNoEffect() {
        let stage = RunnerStage()
        stage.begin(1, log.reading(timeout: .seconds(3)), isWatch: true)
        _ = stage.actions()
        stage.time = 2
        let isRead = stage.runner.messagesAppended(to: log)
        let woken = stage.actions()
        #expect(isRead && woken == [])
        #expect(stage.pass(to: 3).contains("send 1 at0 first"), "it has waited all the time")
        let isOtherRead = stage.runner.messagesAppended(to: TestLog())
        #expect(!isOtherRead)
    }

    @Test func aReaderThatMissedMessagesAsksItsSource() {
        let log = TestLog(keeping: 2)
        let stage = RunnerStage()
        stage.begin(1, log.reading(), isWatch: true)
        _ = stage.actions()
        stage.room = 0
        for text in ["a", "b", "c"] { _ = stage.append(text, to: log) }
        stage.room = 9
        #expect(stage.actions() == ["send 1 at3 first", "stop listening", "listen"])
        #expect(stage.append("d", to: log) == ["send 1 d"])
    }

    @Test func aCallOfOneAnswerGetsTheNextMessage() {
        let stage = RunnerStage()
        stage.begin(1, log.reading(), isWatch: true, wantsStream: false)
        _ = stage.actions()
        #expect(stage.append("a", to: log) == ["stop listening", "respond 1 a"])
    }

    // MARK: Time and credit

    @Test func aReaderThatWaitsTooLongAsksItsSource() {
        let stage = RunnerStage()
        stage.begin(1, log.reading(timeout: .seconds(3)), isWatch: true)
        #expect(stage.actions() == ["listen", "check at 3"])
        #expect(stage.pass(to: 3) == ["send 1 at0 first", "stop listening", "listen", "check at 6"])
        stage.time = 5
        #expect(stage.append("a", to: log) == ["send 1 a"])
        #expect(stage.pass(to: 7) == [], "every message begins a new wait")
        #expect(stage.pass(to: 8).contains("send 1 at1"))
    }

    @Test func withoutCreditAWaitTimesOutToTheNext() {
        let stage = RunnerStage()
        stage.begin(1, log.reading(timeout: .seconds(3)), isWatch: true, credit: .messages(1))
        _ = stage.actions()
        _ = stage.append("a", to: log)
        #expect(stage.pass(to: 3) == [])
        #expect(stage.pass(to: 6) == [], "it does not count as waiting for credit")
        stage.runner.grant(1, to: 1)
        #expect(stage.pass(to: 9).contains("send 1 at1"))
    }

    @Test func aMessageWaitsForCredit() {
        let stage = RunnerStage()
        stage.begin(1, log.reading(timeout: .seconds(3)), isWatch: true, credit: .messages(1))
        _ = stage.actions()
        #expect(stage.append("a", to: log) == ["send 1 a first"])
        let second = stage.append("b", to: log)
        #expect(second == ["check at 10"] || second == [], "a check is already requested")
        #expect(stage.append("c", to: log) == [])
        stage.runner.grant(2, to: 1)
        #expect(stage.actions() == ["send 1 b", "send 1 c"])
    }

    @Test func aMessageThatWaitsForCreditTooLongEndsItsCall() {
        let stage = RunnerStage()
        stage.begin(1, log.reading(timeout: .seconds(3)), isWatch: true, credit: .messages(1))
        _ = stage.actions()
        _ = stage.append("a", to: log)
        _ = stage.append("b", to: log)
        #expect(stage.pass(to: 9) == [])
        #expect(stage.nextCheck == .uptimeNanoseconds(10_000_000_000), "the wait for the log is over")
        #expect(stage.pass(to: 10) == ["stop listening", "fail 1 CREDIT_TIMEOUT"])
    }

    // MARK: Ends

    @Test func theRegistrationEndsWithTheLastReader() {
        let stage = RunnerStage()
        for id in [1, 3, 5, 7] as [StreamID] { stage.begin(id, log.reading(), isWatch: true) }
        _ = stage.actions()
        stage.runner.cancel(1)
        stage.runner.cancel(5)
        #expect(stage.actions() == [])
        #expect(stage.append("a", to: log).sorted() == ["send 3 a first", "send 7 a first"])
        stage.runner.connectionClosed()
        #expect(stage.actions() == ["stop listening"])
        #expect(log.listeners == 0)
    }

    /// Its message is there, and only its turn has not come. A drain's may say that the server stops.
    @Test(arguments: [true, false]) func aMessageThatWasAppendedBeforeTheEndIsSent(_ isDrain: Bool) {
        let stage = RunnerStage()
        for id in [1, 3] as [StreamID] { stage.begin(id, log.reading(), isWatch: true) }
        _ = stage.actions()
        log.append("a")
        _ = stage.runner.messagesAppended(to: log)
        if isDrain { stage.runner.drain() } else { stage.runner.inputClosed() }
        let actions = stage.actions()
        let reason = isDrain ? "DRAINING" : "INPUT_CLOSED"
        #expect(
            actions == [
                "send 1 a first", "fail 1 \(reason)", "send 3 a first", "stop listening", "fail 3 \(reason)",
            ]
        )
    }

    @Test func aReaderThatEndsTellsItsPosition() {
        let stage = RunnerStage()
        stage.begin(1, log.reading(), isWatch: true)
        _ = stage.actions()
        _ = stage.append("a", to: log)
        stage.runner.drain()
        _ = stage.runner.nextAction()
        guard case .fail(1, let error, because: .draining)? = stage.runner.nextAction() else {
            Issue.record("the call does not end with the server")
            return
        }
        #expect(error.adding(metadata: ["from": "1"]) == error, "the position is in it already")
    }
}
