/// A search for the highest rate that meets the targets. It doubles the rate until a rate fails, then bisects. A rate
/// fails only if it fails twice, because another program may disturb a single run.
package struct LimitSearch: Sendable {
    package enum Next: Sendable, Hashable {
        /// Run at `rate` calls per second, then call `tried`.
        case run(rate: Double)
        /// The highest rate that held, if any.
        case finished(Double?)
    }

    /// The relative gap at which the search ends.
    private static let precision = 0.03
    /// In calls per second.
    private static let range = 1.0...1e7

    private let first: Double
    private var highestHeld: Double?
    private var lowestFailed: Double?
    /// The rate that failed once, to try again.
    private var failedOnce: Double?

    /// `rate` is the first rate to try, in calls per second.
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
