import LoadEngine

/// Runs and reports made up for tests.
enum Sample {
    static func result(
        calls: Int,
        failed: Int = 0,
        latency: Nanoseconds,
        elapsed: Duration,
        missed: Int = 0,
        ending: RunResult.Ending = .completed,
        operation: Operation = .pages
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
        let plan = LoadPlan(
            servers: ["127.0.0.1:6160"],
            mix: mix,
            model: model,
            modelText: "as the test says",
            connections: 4,
            concurrency: 2,
            duration: .seconds(1),
            total: nil,
            warmUp: .zero,
            timeout: .seconds(10),
            queries: ["sp", "<script>"],
            pageSize: 0,
            maximumPages: 0,
            lists: 1
        )
        let machine = Machine(
            system: "Debian",
            kernel: "6.1",
            processor: "a processor",
            cores: 2,
            memoryBytes: 8_000_000_000,
            testerThreads: 2
        )
        return LoadReport(
            plan: plan,
            machine: machine,
            startedAt: "2026-11-21T08:00:00Z",
            connectTime: .milliseconds(12),
            result: result,
            verdicts: thresholds.compactMap(Threshold.init).map { Verdict($0, in: result) },
            limit: limit
        )
    }
}
