import Testing

@testable import Load

private let ms: Nanoseconds = 1_000_000
private let refused = Failure(code: "RESOURCE_EXHAUSTED", reason: "STREAM_LIMIT")
private let late = Failure(code: "DEADLINE_EXCEEDED", reason: "")

struct LatencyHistogramTests {
    @Test func percentilesAreRightToThreeDigits() throws {
        var histogram = LatencyHistogram()
        for value in 1...10_000 { histogram.record(Nanoseconds(value) * 1_000) }
        for (percentile, expected) in [(50.0, 5_000.0), (99, 9_900), (99.9, 9_990), (99.99, 9_999)] {
            let value = try #require(histogram.value(atPercentile: percentile))
            #expect(abs(Double(value) / 1_000 - expected) / expected < 0.002)
        }
        #expect(histogram.count == 10_000)
        let (mean, maximum) = (try #require(histogram.mean), try #require(histogram.maximum))
        #expect(abs(mean - 5_000_500) < 5_000)
        #expect(abs(maximum - 10_000_000) < 10_000)
    }

    @Test func anEmptyOneHasNoFigures() {
        let histogram = LatencyHistogram()
        #expect(histogram.value(atPercentile: 50) == nil)
        #expect(histogram.mean == nil)
        #expect(histogram.maximum == nil)
        #expect(histogram.curve.isEmpty)
    }

    @Test(arguments: [-5, 0, 1, .max])
    func noValueIsLost(_ value: Nanoseconds) {
        var histogram = LatencyHistogram()
        histogram.record(value)
        #expect(histogram.count == 1)
    }

    /// Their sum in nanoseconds is larger than any integer.
    @Test func manyLongLatenciesHaveFigures() throws {
        var histogram = LatencyHistogram()
        histogram.record(.max)
        for _ in 1...24 {
            let half = histogram
            histogram.merge(half)
        }
        #expect(histogram.count == 1 << 24)
        #expect(abs(try #require(histogram.mean) / 1_000 - 3_600_000_000) < 3_600_000)
        #expect(histogram.curve.last?.percentile == 100)
        #expect(histogram.text.contains("16777216"))
    }

    @Test func theCurveClimbsToItsEnd() throws {
        var histogram = LatencyHistogram()
        for value in 1...1_000 { histogram.record(Nanoseconds(value) * ms) }
        let curve = histogram.curve
        #expect(curve.map(\.percentile) == curve.map(\.percentile).sorted())
        #expect(curve.map(\.value) == curve.map(\.value).sorted())
        #expect(curve.last?.percentile == 100)
    }
}

extension Timeline {
    fileprivate mutating func call(at time: Nanoseconds) {
        record(CallOutcome(operation: .pages, due: time, latency: ms, pages: 1))
    }
}

struct TimelineTests {
    @Test func callsCountWhereTheyWereDue() {
        var timeline = Timeline(interval: .milliseconds(100))
        timeline.record(CallOutcome(operation: .pages, due: -5, latency: ms, pages: 1))
        timeline.record(CallOutcome(operation: .pages, due: 99 * ms, latency: 500 * ms, pages: 2))
        timeline.record(
            CallOutcome(operation: .stream, due: 250 * ms, latency: ms, pages: 4, verdict: .failure(refused))
        )
        #expect(timeline.intervals.map(\.calls) == [2, 0, 1])
        #expect(timeline.intervals.map(\.failures) == [0, 0, 1])
        #expect(timeline.intervals[1].latency(atPercentile: 50) == nil)
        #expect(timeline.intervals[2].latency(atPercentile: 50) == nil)
    }

    @Test func aStallShowsAsSlowCallsAndNotAsAGap() throws {
        var timeline = Timeline(interval: .milliseconds(100))
        // Calls due every 10 ms; the server answers nothing until 500 ms have passed.
        for number in 0..<100 {
            let due = Nanoseconds(number) * 10 * ms
            timeline.record(CallOutcome(operation: .pages, due: due, latency: max(500 * ms - due, ms)))
        }
        #expect(timeline.intervals.map(\.calls) == Array(repeating: 10, count: 10))
        let (first, last) = (timeline.intervals[0], timeline.intervals[9])
        #expect(try #require(first.latency(atPercentile: 50)) > 440 * ms)
        #expect(try #require(last.latency(atPercentile: 50)) < 2 * ms)
    }

    @Test func aLongRunKeepsItsMemoryAndItsCalls() {
        var timeline = Timeline(interval: .milliseconds(100))
        for second in 0..<3_600 { timeline.call(at: Nanoseconds(second) * 1_000 * ms) }
        #expect(timeline.intervals.count <= 240)
        #expect(timeline.intervals.reduce(0) { $0 + $1.calls } == 3_600)
        #expect(timeline.interval == 25_600 * ms)
    }

    @Test func timelinesOfDifferentLengthMerge() {
        var short = Timeline(interval: .milliseconds(100))
        short.call(at: 150 * ms)
        var long = Timeline(interval: .milliseconds(100))
        for tenth in 0..<400 { long.call(at: Nanoseconds(tenth) * 100 * ms) }
        var (left, right) = (short, long)
        left.merge(long)
        right.merge(short)
        #expect(left.intervals.map(\.calls) == right.intervals.map(\.calls))
        #expect(left.intervals.first?.calls == 3)
        #expect(left.interval == 200 * ms)
    }

    @Test func aShortRestBelongsToTheIntervalBefore() {
        var timeline = Timeline(interval: .milliseconds(100))
        for time in [10, 110, 210] { timeline.call(at: Nanoseconds(time) * ms) }
        let points = timeline.points(elapsed: 212 * ms)
        #expect(points.map(\.interval.calls) == [1, 2])
        #expect(points.map(\.length) == [100 * ms, 112 * ms])
        #expect(timeline.points(elapsed: 260 * ms).map(\.length) == [100 * ms, 100 * ms, 60 * ms])
    }

    @Test func theLastSecondIsReportedWhileItRuns() {
        var timeline = Timeline(interval: .milliseconds(100))
        for tenth in 0..<30 { timeline.call(at: Nanoseconds(tenth) * 100 * ms) }
        #expect(timeline.latest(1_000 * ms).calls == 10)
        #expect(Timeline().latest(1_000 * ms).calls == 0)
    }
}

struct RecorderTests {
    private func outcome(
        _ operation: LoadOperation = .pages,
        latency: Nanoseconds = ms,
        firstPage: Nanoseconds? = nil,
        _ verdict: CallOutcome.Verdict = .success
    ) -> CallOutcome {
        CallOutcome(
            operation: operation,
            due: 50 * ms,
            latency: latency,
            firstPage: firstPage,
            pages: 2,
            bytes: 100,
            verdict: verdict
        )
    }

    @Test func aRefusalSaysNothingOfLatencyAndATimeoutDoes() throws {
        var recorder = Recorder([.pages])
        recorder.record(outcome(latency: 10 * ms))
        recorder.record(outcome(latency: 1, .failure(refused)))
        recorder.record(outcome(latency: 900 * ms, .timeout(late)))
        let overall = recorder.overall
        #expect(overall.calls == 3)
        #expect(overall.failed == 2)
        #expect(overall.latency.count == 2)
        #expect(try #require(overall.latency.maximum) >= 899 * ms)
        #expect(try #require(overall.latency.minimum) >= 9 * ms)
        #expect(recorder.failures == [refused: 1, late: 1])
    }

    /// Calls that succeeded, failed, and found no server; whether one answers at the end; whether it counts as lost.
    @Test(arguments: [
        (10, 0, 0, false, false), (9, 1, 0, true, false), (9, 1, 0, false, true), (0, 0, 0, false, true),
        (5, 0, 5, true, false), (4, 0, 6, true, true), (9, 0, 1, false, true),
    ])
    func aServerIsLostThatMostCallsDidNotFindOrThatDoesNotAnswerAtTheEnd(
        _ succeeded: Int,
        _ failed: Int,
        _ unreachable: Int,
        _ answers: Bool,
        _ isLost: Bool
    ) {
        var recorder = Recorder([.pages])
        for _ in 0..<succeeded { recorder.record(outcome()) }
        for _ in 0..<failed { recorder.record(outcome(latency: ms, .failure(refused))) }
        for _ in 0..<unreachable {
            recorder.record(outcome(latency: ms, .unreachable(Failure(code: "UNAVAILABLE", reason: "CONNECTION_LOST"))))
        }
        let result = RunResult(recorder: recorder, elapsed: .seconds(1), ending: .completed, testerCPU: .zero)
        #expect(result.checked(serverResponds: answers).ending == (isLost ? .serverLost : .completed))
    }

    @Test func firstPagesAreKeptApart() {
        var recorder = Recorder([.stream, .pages])
        recorder.record(outcome(.stream, latency: 100 * ms, firstPage: ms))
        recorder.record(outcome(.pages))
        #expect(recorder.operations.map(\.operation) == [.pages, .stream])
        #expect(recorder.operations.map { $0.tally.firstPage?.count } == [nil, 1])
        #expect(recorder.overall.firstPage?.count == 1)
        #expect(recorder.overall.pages == 4)
    }

    @Test func workersMergeToTheWhole() {
        var (left, right, whole) = (Recorder([.pages, .toggle]), Recorder([.pages]), Recorder([.pages, .toggle]))
        for number in 1...100 {
            let call = outcome(
                number.isMultiple(of: 3) ? .toggle : .pages,
                latency: Nanoseconds(number) * ms,
                number.isMultiple(of: 10) ? .failure(refused) : .success
            )
            whole.record(call)
            if call.operation == .toggle || number < 50 { left.record(call) } else { right.record(call) }
        }
        left.pacing.missedStarts = 3
        right.pacing.missedStarts = 4
        left.merge(right)
        #expect(left.overall.calls == whole.overall.calls)
        #expect(left.failures == whole.failures)
        #expect(left.overall.latency.curve == whole.overall.latency.curve)
        #expect(left.operations.map(\.tally.bytes) == whole.operations.map(\.tally.bytes))
        #expect(left.timeline.intervals.map(\.calls) == [100])
        #expect(left.pacing.missedStarts == 7)
    }
}
