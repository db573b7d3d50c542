package import LoadEngine

/// The state of an active run.
package struct LoadSnapshot: Sendable {
    package private(set) var isWarmingUp = false
    package private(set) var elapsed: Nanoseconds = 0
    package private(set) var calls = 0
    package private(set) var failures = 0
    /// The latest ended calls.
    package private(set) var recent = Timeline.Interval()

    package init() {}

    package var succeeded: Int { calls - failures }

    init(_ worker: LoadWorker) {
        isWarmingUp = worker.phase == .warmingUp
        elapsed = max(0, LoadClock.now - worker.start)
        let recorder = worker.recorder
        for (_, tally) in recorder.operations {
            calls += tally.calls
            failures += tally.failed
            recent.merge(tally.timeline.latest(1_000_000_000))
        }
    }

    mutating func merge(_ other: LoadSnapshot) {
        isWarmingUp = isWarmingUp || other.isWarmingUp
        elapsed = max(elapsed, other.elapsed)
        calls += other.calls
        failures += other.failures
        recent.merge(other.recent)
    }
}
