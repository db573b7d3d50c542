/// A time in nanoseconds. Pacing and recording run for every call, where `Duration`'s 128 bits would be too slow.
package typealias Nanoseconds = Int64

extension Duration {
    /// The duration in nanoseconds, clamped to the range of 64 bits: 292 years.
    package var inNanoseconds: Nanoseconds {
        let (seconds, attoseconds) = components
        let (product, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !isTooLarge else { return seconds < 0 ? .min : .max }
        let (sum, isOver) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return isOver ? .max : sum
    }

    package var inSeconds: Double { self / .seconds(1) }
}

extension Nanoseconds {
    static let perSecond = 1_000_000_000.0

    /// - Parameter seconds: The time, clamped to the range; not-a-number counts as the maximum.
    init(seconds: Double) {
        let nanoseconds = seconds * Nanoseconds.perSecond
        self = nanoseconds < Double(Nanoseconds.max) ? Nanoseconds(nanoseconds.rounded(.up)) : .max
    }

    package var inSeconds: Double { Double(self) / Nanoseconds.perSecond }
}
