import RPCCore
import Testing
import TrialChecks

/// The texts of a server about itself, and those that its callers get.
@Suite struct ServerWordsTests {
    private static let counted =
        #"{"level":"notice","message":"counted","openConnections":3,"runningTasks":"0","peer":"x"}"#

    @Test func countersAreReadFromTheirLine() {
        #expect(CounterLine(Self.counted)?.counters == ["openConnections": 3, "runningTasks": 0])
    }

    @Test(arguments: ["", "counted", #"{"message":"listening"}"#, #"{"message":"counted""#])
    func otherLinesAreIgnored(_ line: String) {
        #expect(CounterLine(line) == nil)
    }

    @Test func aLineWithoutItsEndIsNotReadYet() {
        #expect(CounterLine.all(in: Self.counted + "\n" + Self.counted).count == 1)
        #expect(CounterLine.all(in: "").isEmpty)
    }

    @Test func onlyASourceThatMisbehavesExcusesErrors() {
        var tally = CallTally()
        let gone = RPCError(.unavailable, reason: .upstreamFailed, "gone")
        #expect(tally.failed("search", gone, .upstream) == nil)
        #expect(tally.failed("toggle", gone, .reliable) != nil)
        #expect(tally.failed("search", RPCError(.internalError, "bug"), .upstream) != nil)
        #expect(tally.failed("search", CancellationError(), .upstream) != nil)
        #expect(tally.total == 4)
    }

    @Test func aDeadlineNowAndThenIsExcused() {
        var tally = CallTally()
        let late = RPCError(.deadlineExceeded, "late")
        for _ in 0..<1_000 { tally.succeeded("page") }
        for _ in 0..<4 { #expect(tally.failed("page", late, .reliable) == nil) }
        #expect(tally.lateKinds { _ in true }.isEmpty)
        for _ in 0..<20 { _ = tally.failed("page", late, .reliable) }
        #expect(tally.lateKinds { _ in true } == ["page: 24 of 1024 calls missed their deadline"])
        #expect(tally.lateKinds { _ in false }.isEmpty)
    }
}
