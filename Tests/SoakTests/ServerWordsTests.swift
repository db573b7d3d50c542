import RPCCore
import SoakChecks
import Testing

/// The texts of a server about itself, and those that its callers get.
@Suite struct ServerWordsTests {
    private static let counted =
        #"{"level":"notice","message":"counted","openConnections":3,"runningTasks":"0","peer":"x"}"#

    @Test func countersAreReadFromTheirLine() {
        #expect(CounterLine(Self.counted)?.counters == ["openConnections": 3, "runningTasks": 0])
    }

    @Test(arguments: ["", "counted", #"{"message":"listening"}"#, #"{"message":"counted""#])
    func otherLinesAreNone(_ line: String) {
        #expect(CounterLine(line) == nil)
    }

    @Test func aLineWithoutItsEndIsNotReadYet() {
        #expect(CounterLine.all(in: Self.counted + "\n" + Self.counted).count == 1)
        #expect(CounterLine.all(in: "").isEmpty)
    }

    @Test(arguments: [(1 as Int32, true), (2, false), (10, true), (64, false), (0, false), (65, false)])
    func aSignalMaskSaysWhichSignalsItHas(_ signal: Int32, _ isIn: Bool) throws {
        let status = "Name:\tmarvel-server\nSigIgn:\t0000000000001000\nSigCgt:\t0000000000000201\n"
        let mask = try #require(SignalMask("SigCgt", inStatus: status))
        #expect(mask.contains(signal) == isIn)
        #expect(SignalMask("SigBlk", inStatus: status) == nil)
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
