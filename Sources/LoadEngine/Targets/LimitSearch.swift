/// Finds the highest rate that holds a target, by trying: doubles until a rate fails, then halves the gap between the
/// highest that held and the lowest that failed. A rate has failed when it failed twice: a machine that was busy with
/// something else for a moment must not decide.
package struct LimitSearch: Sendable {
    package enum Next: Sendable, Hashable {
        /// Run at so many calls per second, and tell `tried`.
        case run(rate: Double)
        /// The highest rate that held; nil if none did.
        case finished(Double?)
    }

    /// The gap is small enough when it is this part of the rate.
    private static let precision = 0.03
    /// Nobody means less, or has a server for more: calls per second.
    private static let range = 1.0...1e7

    private let first: Double
    private var highestHeld: Double?
    private var lowestFailed: Double?
    /// Failed once.
    private var doubted: Double?

    /// - Parameter rate: The first one to try, in calls per second.
    package init(from rate: Double) {
        first = min(max(rate, LimitSearch.range.lowerBound), LimitSearch.range.upperBound)
    }

    package var next: Next {
        if let doubted { return .run(rate: doubted) }
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

    /// - Parameters:
    ///   - rate: What was run.
    ///   - holds: Whether the target held.
    package mutating func tried(_ rate: Double, holds: Bool) {
        if holds {
            highestHeld = max(highestHeld ?? rate, rate)
            doubted = nil
        } else if doubted == rate {
            lowestFailed = min(lowestFailed ?? rate, rate)
            doubted = nil
        } else {
            doubted = rate
        }
    }
}
