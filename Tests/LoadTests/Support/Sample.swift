@testable import Load

/// Runs and reports made up for tests.
enum Sample {
    static func result(
        calls: Int,
        failed: Int = 0,
        latency: Nanoseconds,
        elapsed: Duration,
        missed: Int = 0,
        ending: RunResult.Ending = .completed,
        operation: LoadOperation = .pages
    ) -> RunResult {
        var recorder = Recorder([operation])
        for number in 0..<calls {
            recorder.record(
                CallOutcome(
                    operation: operation,
                    due: elapsed.inNanoseconds / Nanoseconds(calls) * Nanoseconds(number),
                    latency: latency + Nanoseconds(number),
                    firstPage: operation.hasFirstPage ? latency / 2 : nil,
                    pages: 1,
                    bytes: 1_000,
                    verdict: number < failed
                        ? .failure(Failure(code: "UNAVAILABLE", reason: "DRAINING<&>")) : .success
                )
            )
        }
        recorder.pacing.missedStarts = missed
        return RunResult(recorder: recorder, elapsed: elapsed, ending: ending, testerCPU: elapsed / 2)
    }

    static func report(
        _ result: RunResult,
        model: LoadPlan.Model = .closed,
        mix: Mix = Mix(only: .pages),
        thresholds: [String] = [],
        limit: LimitReport? = nil
    ) -> LoadReport {
        var plan = LoadPlan(mix)
        plan.servers = ["127.0.0.1:6160"]
        plan.model = model
        plan.modelText = "as the test says"
        (plan.connections, plan.concurrency, plan.duration) = (4, 2, .seconds(1))
        plan.queries = ["sp", "<script>"]
        return LoadReport(
            plan: plan,
            cores: 2,
            testerThreads: 2,
            startedAt: "2026-11-21T08:00:00Z",
            connectTime: .milliseconds(12),
            result: result,
            verdicts: thresholds.compactMap(Threshold.init).map { Verdict($0, in: result) },
            limit: limit
        )
    }
}
