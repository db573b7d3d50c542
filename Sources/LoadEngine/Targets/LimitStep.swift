/// One run of a search for the limit.
package struct LimitStep: Sendable {
    /// Calls per second that were asked for.
    package var rate: Double
    package var result: RunResult
    package var verdicts: [Verdict]

    /// The part of the calls that may start late or not at all, or fail, before a rate counts as not reached.
    private static let tolerance = 0.001

    package init(rate: Double, result: RunResult, targets: [Threshold]) {
        self.rate = rate
        self.result = result
        self.verdicts = targets.map { Verdict($0, in: result) }
    }

    /// Whether the rate was really run, nearly without failures, and every target held.
    package var holds: Bool { obstacle == nil }

    /// Why it did not; nil if it did.
    package var obstacle: String? {
        if let failed = verdicts.first(where: { !$0.holds }) { return "not \(failed.threshold)" }
        let pacing = result.recorder.pacing
        let due = result.overall.calls + pacing.missedStarts
        if Double(pacing.missedStarts) > Double(due) * LimitStep.tolerance { return "calls not started" }
        let judgesErrors = verdicts.contains { $0.threshold.metric == .errors }
        if !judgesErrors, result.errorRatio > LimitStep.tolerance { return "errors" }
        if result.ending != .completed { return "cut short" }
        return nil
    }
}

/// What a search for the limit found.
package struct LimitReport: Sendable {
    package var targets: [Threshold]
    /// In the order they were run.
    package var steps: [LimitStep]
    /// The highest rate that held, in calls per second; nil if none did.
    package var limit: Double?
    /// False if the search was stopped before it was done.
    package var isComplete: Bool

    package init(targets: [Threshold], steps: [LimitStep], limit: Double?, isComplete: Bool) {
        self.targets = targets
        self.steps = steps
        self.limit = limit
        self.isComplete = isComplete
    }

    /// The best run: the one at the limit, or else the slowest that was tried.
    package var best: LimitStep? {
        steps.last { $0.rate == limit } ?? steps.min { $0.rate < $1.rate }
    }
}
