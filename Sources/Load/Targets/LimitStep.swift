package struct LimitStep: Sendable {
    package var rate: Double
    package var result: RunResult
    package var verdicts: [Verdict]

    /// The ratio of calls that may fail, start late, or not start at all.
    private static let tolerance = 0.001

    package init(rate: Double, result: RunResult, targets: [Threshold]) {
        self.rate = rate
        self.result = result
        self.verdicts = targets.map { Verdict($0, in: result) }
    }

    /// Whether the rate was reached, nearly without failures, and every target was met.
    package var holds: Bool { obstacle == nil }

    /// The reason why the rate does not hold; nil if it does.
    package var obstacle: String? {
        if let failed = verdicts.first(where: { !$0.holds }) { return "not \(failed.threshold)" }
        let pacing = result.recorder.pacing
        let due = result.overall.calls + pacing.missedStarts
        if Double(pacing.missedStarts) > Double(due) * LimitStep.tolerance { return "missed calls" }
        let judgesErrors = verdicts.contains { $0.threshold.metric == .errors }
        if !judgesErrors, result.errorRatio > LimitStep.tolerance { return "errors" }
        if result.ending != .completed { return "cut short" }
        return nil
    }
}

package struct LimitReport: Sendable {
    package var targets: [Threshold]
    package var steps: [LimitStep] = []
    /// The highest rate that held, in calls per second.
    package var limit: Double?
    /// False if the search was stopped.
    package var isComplete = false

    package init(targets: [Threshold]) { self.targets = targets }

    /// The run at the limit, or else the slowest.
    package var best: LimitStep? {
        steps.last { $0.rate == limit } ?? steps.min { $0.rate < $1.rate }
    }
}
