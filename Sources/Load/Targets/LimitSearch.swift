/// Doubles the rate until a rate fails, then bisects. A rate must fail twice: another program may disturb one run.
package struct LimitSearch: Sendable {
    package enum Next: Sendable, Hashable {
        case run(rate: Double)
        case finished(Double?)
    }

    /// The relative gap at which the search ends.
    private static let precision = 0.03
    /// In calls per second.
    private static let range = 1.0...1e7

    private let first: Double
    private var highestHeld: Double?
    private var lowestFailed: Double?
    private var failedOnce: Double?

    /// In calls per second.
    package init(from rate: Double) {
        first = min(max(rate, LimitSearch.range.lowerBound), LimitSearch.range.upperBound)
    }

    package var next: Next {
        if let failedOnce { return .run(rate: failedOnce) }
        return switch (highestHeld, lowestFailed) {
        case (nil, nil):
            .run(rate: first)
        case (let held?, nil):
            held >= LimitSearch.range.upperBound
                ? .finished(held) : .run(rate: min(held * 2, LimitSearch.range.upperBound))
        case (nil, let failed?):
            failed <= LimitSearch.range.lowerBound
                ? .finished(nil) : .run(rate: max((failed / 2).rounded(), LimitSearch.range.lowerBound))
        case (let held?, let failed?):
            failed - held <= max(held * LimitSearch.precision, 1)
                ? .finished(held) : .run(rate: ((held + failed) / 2).rounded())
        }
    }

    package mutating func tried(_ rate: Double, holds: Bool) {
        if holds {
            highestHeld = max(highestHeld ?? rate, rate)
            failedOnce = nil
        } else if failedOnce == rate {
            lowestFailed = min(lowestFailed ?? rate, rate)
            failedOnce = nil
        } else {
            failedOnce = rate
        }
    }
}

package struct LimitStep: Sendable {
    package var rate: Double
    package var result: RunResult
    package var verdicts: [Verdict]

    private static let tolerance = 0.001

    package init(rate: Double, result: RunResult, targets: [Threshold]) {
        self.rate = rate
        self.result = result
        self.verdicts = targets.map { Verdict($0, in: result) }
    }

    package var holds: Bool { obstacle == nil }

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
    /// In calls per second.
    package var limit: Double?
    package var isComplete = false

    package init(targets: [Threshold]) { self.targets = targets }

    /// The run at the limit, or else the slowest.
    package var best: LimitStep? {
        steps.last { $0.rate == limit } ?? steps.min { $0.rate < $1.rate }
    }
}
