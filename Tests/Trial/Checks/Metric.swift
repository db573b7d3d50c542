/// A figure that is followed through a run: the median of the samples of each tenth.
package struct Metric: Hashable, Sendable {
    /// The limit of the last tenth's figure, as a multiple of the first tenth's.
    package struct Bar: Hashable, Sendable {
        package var factor: Double
        /// Added to the limit, so that one descriptor more than ten is no failure.
        package var slack: Double

        package init(factor: Double, slack: Double = 0) {
            self.factor = factor
            self.slack = slack
        }

        package func limit(of first: Double) -> Double { first * factor + slack }
    }

    package let name: String
    package let unit: String
    /// Nil: the figure is shown and not judged.
    package let bar: Bar?

    package init(_ name: String, unit: String, bar: Bar? = nil) {
        self.name = name
        self.unit = unit
        self.bar = bar
    }
}

/// The middle one of some values, or the mean of the two in the middle; nil of none.
package func medianOf(_ values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
}

/// The bars of a run.
package struct Limits: Hashable, Sendable {
    /// Memory, and files, in MB.
    package let size: Metric.Bar?
    /// Logs of stores, in MB: they start over at 16 MiB, or a little later when a reader is slow.
    package let log: Metric.Bar?
    /// Descriptors, tasks, timers.
    package let count: Metric.Bar?
    /// Whether every metric needs a figure in the first and in the last tenth.
    package let isComplete: Bool

    /// The limits of a run of a release build that has time to settle.
    package static let strict = Limits(
        size: Metric.Bar(factor: 1.05, slack: 1),
        log: Metric.Bar(factor: 1.05, slack: 16),
        count: Metric.Bar(factor: 1.05, slack: 2),
        isComplete: true
    )

    /// The limits of a run of moments: leaks that nobody can miss.
    package static let gross = Limits(
        size: Metric.Bar(factor: 1.5, slack: 100),
        log: Metric.Bar(factor: 1.5, slack: 100),
        count: Metric.Bar(factor: 1.5, slack: 30),
        isComplete: false
    )
}
