package struct LoadReport: Sendable {
    package var plan: LoadPlan
    /// The processor cores of the machine that runs the test.
    package var cores: Int
    package var testerThreads: Int
    /// In RFC 3339 format.
    package var startedAt: String
    package var connectTime: Duration
    /// In a search for the limit, the result of the best run.
    package var result: RunResult
    package var verdicts: [Verdict]
    package var limit: LimitReport?

    package init(
        plan: LoadPlan,
        cores: Int,
        testerThreads: Int,
        startedAt: String,
        connectTime: Duration,
        result: RunResult,
        verdicts: [Verdict],
        limit: LimitReport? = nil
    ) {
        self.plan = plan
        self.cores = cores
        self.testerThreads = testerThreads
        self.startedAt = startedAt
        self.connectTime = connectTime
        self.result = result
        self.verdicts = verdicts
        self.limit = limit
    }

    /// That of the last run, not of the best.
    package var ending: RunResult.Ending { limit?.steps.last?.result.ending ?? result.ending }

    package static let percentiles = [50, 75, 90, 95, 99, 99.9, 99.99]

    package var warnings: [String] {
        var warnings: [String] = []
        let pacing = result.recorder.pacing
        switch ending {
        case .completed: break
        case .stopped: warnings.append("The test was stopped early.")
        case .serverLost: warnings.append(lossText)
        }
        if result.errorRatio > LoadReport.errorWarning {
            warnings.append(
                """
                \(Format.percent(result.errorRatio)) of the calls failed: the rates count only calls that \
                succeeded. The table of errors says why the others failed.
                """
            )
        }
        if pacing.missedStarts > 0 {
            warnings.append(
                """
                \(Format.count(pacing.missedStarts)) scheduled calls never started: all \
                \(Format.count(placesInFlight)) slots for calls in flight were taken, or the load tester was too slow. The \
                target rate was not reached.
                """
            )
        }
        if pacing.lateStarts > 0 {
            warnings.append(
                """
                \(Format.count(pacing.lateStarts)) calls started late, because all \(Format.count(placesInFlight)) \
                slots for calls in flight were taken; the latencies include their wait. More --connections or --concurrency \
                add slots.
                """
            )
        }
        if plan.isOpen, result.testerCores > 0.9 * Double(testerThreads) {
            warnings.append("The load tester itself was busy all the time: the latencies include its own delays.")
        }
        if result.overall.calls == 0 { warnings.append("No call finished.") }
        return warnings
    }

    private static let errorWarning = 0.01

    private var lossText: String {
        result.wasMostlyUnreachable
            ? "The server was lost: most calls found no server."
            : "The server was lost: no server answered at the end of the test."
    }

    private var placesInFlight: Int { plan.connections * plan.concurrency }
}

extension LoadReport {
    package var hgrm: String { result.overall.latency.text }

    package var points: [Timeline.Point] {
        // No calls were due after this time, although the last responses came later.
        let end = min(result.elapsed, plan.duration ?? result.elapsed)
        return result.recorder.timeline.points(elapsed: end.inNanoseconds)
    }
}
