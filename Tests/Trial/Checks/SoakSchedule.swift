/// The parts of a run: a warm-up, in which caches and retention fill, and ten tenths of the same length. Both consist of
/// epochs: a mix of calls, then checks and measurements while nothing else is done.
package struct SoakSchedule: Hashable, Sendable {
    package let total: Duration
    package let warmUp: Duration
    package let epoch: Duration

    /// - Parameter total: The length of the whole run.
    package init(total: Duration) {
        self.total = total
        // Answers are kept for two minutes at least: a long run's warm-up is longer than that.
        let share = total / 10
        warmUp = total >= .seconds(1_800) ? max(share, .seconds(300)) : total / 5
        epoch = min(max(total / 120, .seconds(2)), .seconds(30))
    }

    package var tenth: Duration { (total - warmUp) / Figures.tenthCount }

    /// - Parameter elapsed: The time since the begin.
    /// - Returns: The tenth, from 0; nil during the warm-up. The last one includes all time after the end.
    package func tenth(at elapsed: Duration) -> Int? {
        guard elapsed >= warmUp else { return nil }
        return min(Int((elapsed - warmUp) / tenth), Figures.tenthCount - 1)
    }
}
