internal import NIOCore

/// The actions that wait for their times: the earliest first, and of those with the same time the one that was added first.
struct TimerQueue {
    /// The first one is the last element.
    private var entries: [(time: NIODeadline, action: SeededScheduler.Action)] = []

    mutating func add(_ action: SeededScheduler.Action, at time: NIODeadline) {
        var range = 0..<entries.count
        while !range.isEmpty {
            let middle = (range.lowerBound + range.upperBound) / 2
            range = entries[middle].time > time ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        entries.insert((time, action), at: range.lowerBound)
    }

    mutating func popFirst() -> (time: NIODeadline, action: SeededScheduler.Action)? { entries.popLast() }
}
