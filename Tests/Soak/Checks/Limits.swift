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
    /// Processor time of a call, and its latency, as multiples of those of the same call of a new server.
    package let cost: Metric.Bar?

    /// The limits of a run of a release build that has time to settle.
    package static let strict = Limits(
        size: Metric.Bar(factor: 1.05, slack: 1),
        log: Metric.Bar(factor: 1.05, slack: 16),
        count: Metric.Bar(factor: 1.05, slack: 2),
        isComplete: true,
        cost: Metric.Bar(factor: 1.2)
    )

    /// The limits of a run of moments: leaks that nobody can miss. Speed is not judged.
    package static let gross = Limits(
        size: Metric.Bar(factor: 1.5, slack: 100),
        log: Metric.Bar(factor: 1.5, slack: 100),
        count: Metric.Bar(factor: 1.5, slack: 30),
        isComplete: false,
        cost: nil
    )
}
