/// The bars of a run.
package struct Limits: Hashable, Sendable {
    /// Memory, and files, in MB.
    package let size: Metric.Bar?
    /// Descriptors, threads, tasks, timers.
    package let count: Metric.Bar?
    /// Whether every metric needs a figure in the first and in the last tenth.
    package let isComplete: Bool
    /// Processor time of a call, and its latency, as multiples of those of a health check of an idle server.
    package let cost: Metric.Bar?

    /// Of a run of a release build that has time to settle.
    package static let strict = Limits(
        size: Metric.Bar(factor: 1.05, slack: 1),
        count: Metric.Bar(factor: 1.05, slack: 2),
        isComplete: true,
        cost: Metric.Bar(factor: 1.2)
    )

    /// Of a run of moments: leaks that nobody can miss. Speed is not judged.
    package static let gross = Limits(
        size: Metric.Bar(factor: 1.5, slack: 100),
        count: Metric.Bar(factor: 1.5, slack: 30),
        isComplete: false,
        cost: nil
    )
}
